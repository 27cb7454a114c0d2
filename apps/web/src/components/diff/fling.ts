/** In pane heights per step. A key scrolls one page; nobody can read along with longer steps. */
const FASTER = 1.25

/**
 * Whether the last scroll step was too long for reading: the thumb is dragged, or the wheel spins. Rows are then drawn
 * as cheaply as possible, until scrolling slows down or stops.
 */
export class Fling {
  #last = 0
  #leap = false
  #flung = false

  get flung(): boolean {
    return this.#flung
  }

  /** The next step is the jump of a key or a link: people read at its end, however far away. */
  leap(): void {
    this.#leap = true
  }

  /** Pixels; `moving`: false once scrolling rests. */
  step(offset: number, moving: boolean, height: number): void {
    this.#flung = moving && !this.#leap && Math.abs(offset - this.#last) > height * FASTER
    this.#last = offset
    this.#leap = false
  }
}
