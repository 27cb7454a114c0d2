/**
 * For controls that open another page without being a link: otherwise the focus would stay on the old page, or be
 * nowhere. Waits a frame, because a closing dialog gives the focus back; the new page may move it further.
 */
export function focusPage(): void {
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }))
}
