import type { Clock } from '../process/clock.ts'

/** For one waiter, with one bit of memory: a ring that nobody waited for ends the next wait at once. */
export class Bell {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Resolves at the next ring, after `ms` (if given), or when `signal` aborts. */
  async wait(clock: Clock, signal: AbortSignal, ms?: number): Promise<void> {
    if (this.#rung || signal.aborted) {
      this.#rung = false
      return
    }
    const over = new AbortController()
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal })
      if (ms !== undefined) void clock.sleep(ms, over.signal).then(resolve)
    })
    this.#wake = null
    this.#rung = false
    over.abort()
  }
}

/** The bells to ring for each key. */
export class Bells<Key> {
  readonly #bells = new Map<Key, Set<Bell>>()

  hang(key: Key, bell: Bell): () => void {
    const bells = this.#bells.get(key) ?? new Set()
    this.#bells.set(key, bells.add(bell))
    return () => {
      bells.delete(bell)
      if (bells.size === 0 && this.#bells.get(key) === bells) this.#bells.delete(key)
    }
  }

  ring(key: Key): void {
    for (const bell of this.#bells.get(key) ?? []) bell.ring()
  }

  ringAll(): void {
    for (const bells of this.#bells.values()) for (const bell of bells) bell.ring()
  }
}
