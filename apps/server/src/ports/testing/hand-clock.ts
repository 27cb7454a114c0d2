import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../process/clock.ts'

type Sleeper = { at: number; wake: () => void }

/**
 * Time that moves only when a test says so. Sleeps of up to `throughMs` pass by themselves, after pending work is done.
 */
export class HandClock implements Clock {
  #wall = 0
  #now = Date.UTC(2026, 0, 15, 12)
  #throughMs: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(throughMs = 0) {
    this.#throughMs = throughMs
  }

  now(): number {
    return this.#now + this.#wall
  }

  monotonic(): number {
    return this.#now
  }

  get sleepers(): number {
    return this.#sleepers.size
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return
    if (ms <= this.#throughMs) {
      await setImmediate()
      this.#now += ms
      return
    }
    await new Promise<void>((resolve) => {
      const sleeper = {
        at: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', sleeper.wake, { once: true })
    })
  }

  /** Sets the wall clock; nothing else notices. */
  jump(ms: number): void {
    this.#wall += ms
  }

  advance(ms: number): void {
    this.#now += ms
    for (const sleeper of [...this.#sleepers].sort((a, b) => a.at - b.at)) if (sleeper.at <= this.#now) sleeper.wake()
  }
}
