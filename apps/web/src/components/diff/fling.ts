/** In pane heights per step: more than a page at a time, which is what a key scrolls, so nobody reads what passes. */
const FASTER = 1.25

/**
 * Whether the last step of scrolling was too long to be read: the thumb is dragged, or the wheel spins. What is drawn on
 * the way is then as cheap as possible, until scrolling slows down or stops.
 */
export class Fling {
  #last = 0
  #leap = false
  #flung = false

  get flung(): boolean {
    return this.#flung
  }

  /** The next step was asked for, by a key or a link: its end is read, however far away it is. */
  leap(): void {
    this.#leap = true
  }

  /** Pixels; `moving`: false once it is at rest. */
  step(offset: number, moving: boolean, height: number): void {
    this.#flung = moving && !this.#leap && Math.abs(offset - this.#last) > height * FASTER
    this.#last = offset
    this.#leap = false
  }
}
