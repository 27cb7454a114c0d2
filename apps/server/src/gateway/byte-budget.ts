/** Bytes of one container that are held, or asked for. */
type Asked = { of: string; bytes: number; take: () => void }

/**
 * Grants bytes in memory, which everybody asks for first. A container has its own bound, and all of them together have
 * one. Requests are served in order; only a container that is at its own bound is passed over.
 */
export class ByteBudget {
  readonly #most: { each: number; all: number }
  #held = 0
  readonly #heldBy = new Map<string, number>()
  readonly #waiting = new Set<Asked>()

  constructor(most: { each: number; all: number }) {
    this.#most = most
  }

  get held(): number {
    return this.#held
  }

  /** Whether these bytes can be had at once. */
  fits(of: string, bytes: number): boolean {
    const { each, all } = this.#most
    return this.#waiting.size === 0 && this.#held + bytes <= all && (this.#heldBy.get(of) ?? 0) + bytes <= each
  }

  /**
   * Resolves with true once they are taken, with false when `signal` aborts first. `bytes` is at most the bound of
   * each.
   */
  take(of: string, bytes: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(false)
      const end = (taken: boolean) => {
        signal.removeEventListener('abort', giveUp)
        this.#waiting.delete(asked)
        resolve(taken)
      }
      const giveUp = () => {
        end(false)
        this.#serve() // it may have blocked others
      }
      const asked: Asked = { of, bytes, take: () => end(true) }
      this.#waiting.add(asked)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#serve()
    })
  }

  give(of: string, bytes: number): void {
    this.#add(of, -bytes)
    this.#serve()
  }

  #serve(): void {
    const full = new Set<string>()
    for (const asked of this.#waiting) {
      const { of, bytes } = asked
      if (full.has(of)) continue
      if ((this.#heldBy.get(of) ?? 0) + bytes > this.#most.each) {
        full.add(of)
        continue
      }
      if (this.#held + bytes > this.#most.all) return
      this.#add(of, bytes)
      asked.take()
    }
  }

  #add(of: string, bytes: number): void {
    this.#held += bytes
    const left = (this.#heldBy.get(of) ?? 0) + bytes
    if (left === 0) this.#heldBy.delete(of)
    else this.#heldBy.set(of, left)
  }
}
