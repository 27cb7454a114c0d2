/** Of a pane's height in one step: more than the page at a time that a key goes, so nobody reads what goes by. */
const FASTER = 1.25

/**
 * Whether the last step of scrolling was so long that nobody reads: the thumb is dragged, or the wheel let go. What is
 * drawn on the way is then as cheap as can be, until it is slower or at rest.
 */
export class Fling {
  #last = 0
  #leap = false
  #flung = false

  get flung(): boolean {
    return this.#flung
  }

  /** The next step is one that somebody asked for, by a key or a link: its end is read, however far it is. */
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
