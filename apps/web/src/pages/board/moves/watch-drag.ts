/** The distance that a pointer moves before it drags: a click with an unsteady hand is still a click. */
const MOUSE_PX = 6
/** A finger that moves this far before it has rested scrolls. */
const FINGER_PX = 10
const PRESS_MS = 400
/** Columns scroll when the pointer is this close to their edge, by so much per frame. */
const EDGE_PX = 48
const STEP_PX = 12

export type DragEvents = {
  /** Picks up a card; false: it cannot be picked up. */
  begin(bead: string): boolean
  /** The place under the pointer, by its `data-drop`. */
  over(place: string | null): void
  /** The drag ends there; null: over no place, or cancelled by Escape. */
  end(place: string | null): void
}

/**
 * Reports drags of cards within `root`: by mouse once it moves, by finger once it has rested. The browser's own
 * dragging does not know touch, and we cannot control its looks. The element with `data-ghost` follows the pointer.
 */
export function watchDrag(root: HTMLElement, on: DragEvents): () => void {
  let held: { bead: string; pointer: number; x: number; y: number; isTouch: boolean } | null = null
  let isActive = false
  let at = { x: 0, y: 0 }
  let place: string | null = null
  let frame = 0
  let press: ReturnType<typeof setTimeout> | undefined
  let isClickOver = false
  let touched = new AbortController()

  const follow = () => {
    const element = root.querySelector<HTMLElement>('[data-ghost]')
    if (element !== null) element.style.translate = `${at.x}px ${at.y}px`
    const below = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('[data-drop]')?.dataset['drop'] ?? null
    if (below === place) return
    place = below
    on.over(place)
  }
  const scroll = () => {
    const columns = root.querySelector('[data-columns]')
    if (columns !== null) {
      const { left, right } = columns.getBoundingClientRect()
      if (at.x < left + EDGE_PX) columns.scrollLeft -= STEP_PX
      else if (at.x > right - EDGE_PX) columns.scrollLeft += STEP_PX
    }
    follow() // even if a column has moved under a resting pointer
    frame = requestAnimationFrame(scroll)
  }
  const begin = () => {
    if (held === null || isActive) return
    isActive = on.begin(held.bead)
    if (!isActive) return ((held = null), undefined)
    getSelection()?.removeAllRanges()
    root.setPointerCapture(held.pointer)
    root.dataset['dragging'] = ''
    frame = requestAnimationFrame(scroll)
  }
  const stop = (where: string | null) => {
    clearTimeout(press)
    cancelAnimationFrame(frame)
    const wasActive = isActive
    held = null
    isActive = false
    place = null
    delete root.dataset['dragging']
    if (wasActive) on.end(where)
  }

  const onDown = (event: PointerEvent) => {
    isClickOver = false
    if (event.button !== 0 || !event.isPrimary || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return
    if (!(event.target instanceof Element) || event.target.closest('button, input') !== null) return
    const bead = event.target.closest<HTMLElement>('[data-bead]')?.dataset['bead']
    if (bead === undefined) return
    const { clientX: x, clientY: y, pointerId: pointer, pointerType } = event
    held = { bead, pointer, x, y, isTouch: pointerType === 'touch' }
    at = { x, y }
    if (!held.isTouch) return
    press = setTimeout(begin, PRESS_MS)
    // Touch events stay with the touched element, even if it is drawn elsewhere: `root` no longer hears them.
    touched.abort()
    touched = new AbortController()
    event.target.addEventListener('touchmove', whileActive, { signal: touched.signal, passive: false })
  }
  const onMove = (event: PointerEvent) => {
    if (held === null || event.pointerId !== held.pointer) return
    at = { x: event.clientX, y: event.clientY }
    if (isActive) return
    const far = Math.hypot(at.x - held.x, at.y - held.y)
    if (held.isTouch ? far > FINGER_PX : event.buttons === 0) stop(null)
    else if (!held.isTouch && far > MOUSE_PX) begin()
  }
  const onUp = (event: PointerEvent) => {
    if (held === null || event.pointerId !== held.pointer) return
    isClickOver = isActive
    if (isActive) follow()
    stop(place)
  }
  const onCancel = () => stop(null)
  const onKey = (event: KeyboardEvent) => {
    if (!isActive || event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    stop(null)
  }
  // The browser turns letting go into a click.
  const onClick = (event: MouseEvent) => {
    if (!isClickOver) return
    isClickOver = false
    event.preventDefault()
    event.stopPropagation()
  }
  const refuse = (event: Event) => {
    if (held !== null) event.preventDefault()
  }
  const whileActive = (event: Event) => {
    if (isActive && event.cancelable) event.preventDefault() // otherwise the page would scroll
  }
  const whileTouched = (event: Event) => {
    if (held?.isTouch) event.preventDefault() // we handle long presses
  }

  const off = new AbortController()
  const { signal } = off
  root.addEventListener('pointerdown', onDown, { signal })
  root.addEventListener('dragstart', refuse, { signal })
  root.addEventListener('touchmove', whileActive, { signal, passive: false })
  root.addEventListener('contextmenu', whileTouched, { signal })
  root.addEventListener('click', onClick, { signal, capture: true })
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', onCancel, { signal })
  addEventListener('blur', onCancel, { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
  return () => {
    stop(null)
    touched.abort()
    off.abort()
  }
}
