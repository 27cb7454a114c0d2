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

type Spot = { x: number; y: number }
type Held = Spot & { bead: string; pointer: number; isTouch: boolean }

/**
 * Reports drags of cards within `root`: by mouse once it moves, by finger once it has rested. The browser's own
 * dragging does not know touch, and we cannot control its looks. The element with `data-ghost` follows the pointer.
 */
export function watchDrag(root: HTMLElement, on: DragEvents): () => void {
  const watch = new DragWatch(root, on)
  return () => watch.stop()
}

class DragWatch {
  readonly #root: HTMLElement
  readonly #on: DragEvents
  readonly #off = new AbortController()
  #touched = new AbortController()
  #held: Held | null = null
  /** The card is picked up. */
  #isActive = false
  #at: Spot = { x: 0, y: 0 }
  #place: string | null = null
  #frame = 0
  #press: ReturnType<typeof setTimeout> | undefined
  #isClickOver = false

  constructor(root: HTMLElement, on: DragEvents) {
    this.#root = root
    this.#on = on
    const { signal } = this.#off
    root.addEventListener('pointerdown', this.#down, { signal })
    root.addEventListener('dragstart', this.#dragStart, { signal })
    root.addEventListener('touchmove', this.#touchMove, { signal, passive: false })
    root.addEventListener('contextmenu', this.#contextMenu, { signal })
    root.addEventListener('click', this.#click, { signal, capture: true })
    addEventListener('pointermove', this.#move, { signal })
    addEventListener('pointerup', this.#up, { signal })
    addEventListener('pointercancel', this.#cancel, { signal })
    addEventListener('blur', this.#cancel, { signal })
    addEventListener('keydown', this.#key, { signal, capture: true })
  }

  stop(): void {
    this.#end(null)
    this.#touched.abort()
    this.#off.abort()
  }

  readonly #begin = () => {
    if (this.#held === null || this.#isActive) return
    this.#isActive = this.#on.begin(this.#held.bead)
    if (!this.#isActive) {
      this.#held = null
      return
    }
    getSelection()?.removeAllRanges()
    this.#root.setPointerCapture(this.#held.pointer)
    this.#root.dataset['dragging'] = ''
    this.#frame = requestAnimationFrame(this.#scroll)
  }

  #end(where: string | null): void {
    clearTimeout(this.#press)
    cancelAnimationFrame(this.#frame)
    const wasActive = this.#isActive
    this.#held = null
    this.#isActive = false
    this.#place = null
    delete this.#root.dataset['dragging']
    if (wasActive) this.#on.end(where)
  }

  readonly #scroll = () => {
    const columns = this.#root.querySelector('[data-columns]')
    if (columns !== null) {
      const { left, right } = columns.getBoundingClientRect()
      if (this.#at.x < left + EDGE_PX) columns.scrollLeft -= STEP_PX
      else if (this.#at.x > right - EDGE_PX) columns.scrollLeft += STEP_PX
    }
    this.#follow() // even if a column has moved under a resting pointer
    this.#frame = requestAnimationFrame(this.#scroll)
  }

  #follow(): void {
    const { x, y } = this.#at
    const ghost = this.#root.querySelector<HTMLElement>('[data-ghost]')
    if (ghost !== null) ghost.style.translate = `${x}px ${y}px`
    const below = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')?.dataset['drop'] ?? null
    if (below === this.#place) return
    this.#place = below
    this.#on.over(below)
  }

  readonly #down = (event: PointerEvent) => {
    this.#isClickOver = false
    if (event.button !== 0 || !event.isPrimary || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return
    if (!(event.target instanceof Element) || event.target.closest('button, input') !== null) return
    const bead = event.target.closest<HTMLElement>('[data-bead]')?.dataset['bead']
    if (bead === undefined) return
    const { clientX: x, clientY: y, pointerId: pointer, pointerType } = event
    this.#held = { bead, pointer, x, y, isTouch: pointerType === 'touch' }
    this.#at = { x, y }
    if (!this.#held.isTouch) return
    this.#press = setTimeout(this.#begin, PRESS_MS)
    // Touch events stay with the touched element, even if it is drawn elsewhere: `root` no longer hears them.
    this.#touched.abort()
    this.#touched = new AbortController()
    event.target.addEventListener('touchmove', this.#touchMove, { signal: this.#touched.signal, passive: false })
  }

  readonly #move = (event: PointerEvent) => {
    const held = this.#held
    if (held === null || event.pointerId !== held.pointer) return
    this.#at = { x: event.clientX, y: event.clientY }
    if (this.#isActive) return
    const far = Math.hypot(this.#at.x - held.x, this.#at.y - held.y)
    if (held.isTouch ? far > FINGER_PX : event.buttons === 0) this.#end(null)
    else if (!held.isTouch && far > MOUSE_PX) this.#begin()
  }

  readonly #up = (event: PointerEvent) => {
    if (event.pointerId !== this.#held?.pointer) return
    this.#isClickOver = this.#isActive
    if (this.#isActive) this.#follow()
    this.#end(this.#place)
  }

  readonly #cancel = () => this.#end(null)

  readonly #key = (event: KeyboardEvent) => {
    if (!this.#isActive || event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    this.#end(null)
  }

  // The browser turns letting go into a click.
  readonly #click = (event: MouseEvent) => {
    if (!this.#isClickOver) return
    this.#isClickOver = false
    event.preventDefault()
    event.stopPropagation()
  }

  readonly #dragStart = (event: Event) => {
    if (this.#held !== null) event.preventDefault()
  }

  readonly #touchMove = (event: Event) => {
    if (this.#isActive && event.cancelable) event.preventDefault() // otherwise the page would scroll
  }

  readonly #contextMenu = (event: Event) => {
    if (this.#held?.isTouch) event.preventDefault() // we handle long presses
  }
}
