/** Nobody reads lines that pass a screenful at a time. Below the 100 ms after which a picture seems frozen. */
export const REST_MS = 66

export type DrawPaceDeps = {
  /** Draws with the next frame. */
  draw(): void
  /** Milliseconds; returns its own cancel. */
  after(ms: number, run: () => void): () => void
}

/**
 * When a view draws what has come. Lines that can be read are drawn with every frame. In a flood each drawing is another
 * screenful, and drawing it at every frame would only take processor time from the program that prints: the view pauses in between.
 */
export class DrawPace {
  readonly #deps: DrawPaceDeps
  #drawnLines = 0
  #waits = false
  #cancelRest: (() => void) | null = null

  constructor(deps: DrawPaceDeps) {
    this.#deps = deps
  }

  /** There are so many lines now, and the view shows `seen` of them. */
  grew(lines: number, seen: number): void {
    if (this.#cancelRest !== null && this.#isFlood(lines, seen)) this.#waits = true
    else this.#deps.draw()
  }

  /** The view was drawn, for whatever reason. */
  drawn(lines: number, seen: number): void {
    const flood = this.#isFlood(lines, seen)
    this.#drawnLines = lines
    this.#waits = false
    if (!flood) return
    this.#cancelRest?.()
    this.#cancelRest = this.#deps.after(REST_MS, () => {
      this.#cancelRest = null
      if (this.#waits) this.#deps.draw()
    })
  }

  stop(): void {
    this.#cancelRest?.()
  }

  #isFlood(lines: number, seen: number): boolean {
    return lines - this.#drawnLines > Math.max(1, seen)
  }
}
