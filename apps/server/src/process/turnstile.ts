/** Lets so many through at once; the others wait in the order in which they came. */
export class Turnstile {
  readonly #most: number
  #inside = 0
  readonly #waiting = new Set<() => void>()

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#inside >= this.#most
  }

  /** Resolves with a function to leave, which may be called twice; null when `signal` aborted before there was room. */
  async enter(signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null
    if (this.#inside < this.#most) this.#inside += 1
    else if (!(await this.#turn(signal))) return null
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave()
    }
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (turn: boolean) => {
        signal.removeEventListener('abort', giveUp)
        this.#waiting.delete(enter)
        resolve(turn)
      }
      const enter = () => end(true)
      const giveUp = () => end(false)
      this.#waiting.add(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Passes the place on to the next one. */
  #leave(): void {
    const [next] = this.#waiting
    if (next) next()
    else this.#inside -= 1
  }
}
