/**
 * For what leads to another page without being a link: the focus would stay on a link of the page before, or be nowhere.
 * In the next frame, because a dialog that goes gives the focus back; the new page may take it further.
 */
export function focusPage(): void {
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }))
}
