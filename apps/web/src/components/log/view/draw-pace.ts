/**
 * Nobody can read when each drawing shows another screenful. Less than the 100 ms after which a picture seems frozen.
 */
export const REST_MS = 66

export type DrawPaceDeps = {
  /** Draws with the next frame. */
  draw(): void
  /** Milliseconds; returns its own cancel. */
  after(ms: number, run: () => void): () => void
}

/**
 * Decides when a view draws new lines. Lines that can be read are drawn with every frame. In a flood each drawing shows
 * another screenful; drawing all of them would only take processor time from the program that prints, so the view
 * pauses in between.
 */
export class DrawPace {
  readonly #deps: DrawPaceDeps
  #drawnLines = 0
  #waits = false
  #cancelRest: (() => void) | null = null

  constructor(deps: DrawPaceDeps) {
    this.#deps = deps
  }

  /** Reports the log's new length; the view has room for `seen` lines. */
  grew(lines: number, seen: number): void {
    if (this.#cancelRest !== null && this.#isFlood(lines, seen)) this.#waits = true
    else this.#deps.draw()
  }

  /** Reports that the view was drawn, for whatever reason. */
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
