/** A person's gestures in the log, by pointer and by the keyboard's copy keys. Lines are numbers from 0. */
export type Gestures = {
  signal: AbortSignal
  /** The line at this vertical position of the window. */
  lineAt(clientY: number): number
  /** True if the wheel must not scroll by itself. */
  wheel(px: number): boolean
  select(line: number, how: 'begin' | 'extend'): void
  /** The pointer was released. */
  selected(): void
  selectAll(): void
  /** True if there are selected lines; they are copied instead of the browser's selection. */
  copy(): boolean
  fold(line: number): void
  open(line: number): void
  /** Text was selected, so the view stops following. */
  textSelected(): void
  /** The number of lines to scroll, while the pointer drags at an edge. */
  creep(lines: number): void
}

const LINE_PX = 20
/** A drag this close to an edge scrolls beyond it. */
const EDGE_PX = 24

/** The number in a data attribute of the element that was hit, or null. */
function dataOf(target: EventTarget | null, name: string): number | null {
  const element = target instanceof Element ? target.closest<HTMLElement>(`[data-${name}]`) : null
  const value = element?.dataset[name]
  return value === undefined ? null : Number(value)
}

export function listenForGestures(viewport: HTMLElement, gestures: Gestures): void {
  const { signal } = gestures
  viewport.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.deltaY === 0) return
      if (gestures.wheel(event.deltaY * (event.deltaMode === 1 ? LINE_PX : 1))) event.preventDefault()
    },
    { signal, passive: false },
  )
  viewport.addEventListener(
    'click',
    (event) => {
      const fold = dataOf(event.target, 'fold')
      const open = dataOf(event.target, 'open')
      if (fold !== null) gestures.fold(fold)
      else if (open !== null) gestures.open(open)
      else if (dataOf(event.target, 'line') !== null && !event.ctrlKey && !event.metaKey) event.preventDefault()
    },
    { signal },
  )
  viewport.addEventListener(
    'keydown',
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'a') return
      event.preventDefault() // the browser would copy only the few rows drawn
      gestures.selectAll()
    },
    { signal },
  )
  document.addEventListener(
    'copy',
    (event) => {
      const text = getSelection()
      const elsewhere = document.activeElement instanceof HTMLInputElement
      if (elsewhere || (text && !text.isCollapsed) || !gestures.copy()) return
      event.preventDefault()
    },
    { signal },
  )
  document.addEventListener(
    'selectionchange',
    () => {
      const text = getSelection()
      if (text && !text.isCollapsed && viewport.contains(text.anchorNode)) gestures.textSelected()
    },
    { signal },
  )
  listenForDrag(viewport, gestures)
}

/** From the gutter: a click selects a line, a drag a range; Shift extends the selection. */
function listenForDrag(viewport: HTMLElement, gestures: Gestures): void {
  const { signal } = gestures
  let dragging: { y: number; frame: number } | null = null
  const step = () => {
    if (!dragging) return
    const { top, bottom } = viewport.getBoundingClientRect()
    const over = dragging.y < top + EDGE_PX ? -1 : dragging.y > bottom - EDGE_PX ? 1 : 0
    if (over !== 0) gestures.creep(over)
    gestures.select(gestures.lineAt(Math.min(Math.max(dragging.y, top), bottom - 1)), 'extend')
    dragging.frame = over === 0 ? 0 : requestAnimationFrame(step)
  }
  viewport.addEventListener(
    'pointerdown',
    (event) => {
      const line = dataOf(event.target, 'line')
      if (line === null || event.button !== 0 || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      viewport.focus()
      viewport.setPointerCapture(event.pointerId)
      dragging = { y: event.clientY, frame: 0 }
      gestures.select(line, event.shiftKey ? 'extend' : 'begin')
    },
    { signal },
  )
  viewport.addEventListener(
    'pointermove',
    (event) => {
      if (!dragging) return
      dragging.y = event.clientY
      dragging.frame ||= requestAnimationFrame(step)
    },
    { signal, passive: true },
  )
  const stop = () => {
    if (!dragging) return
    cancelAnimationFrame(dragging.frame)
    if (dragging.frame !== 0) step() // the last movement has not been drawn yet
    cancelAnimationFrame(dragging.frame)
    dragging = null
    gestures.selected()
  }
  viewport.addEventListener('pointerup', stop, { signal })
  viewport.addEventListener('pointercancel', stop, { signal })
}
