import type { FeedClock } from '../clock.ts'

/** Time that a test moves by hand. */
export class FakeClock implements FeedClock {
  #now = 1_000_000
  #timers: { at: number; run: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  advance(ms: number): void {
    const goal = this.#now + ms
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= goal).toSorted((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#timers = this.#timers.filter((one) => one !== due)
      this.#now = Math.max(this.#now, due.at)
      due.run()
    }
    this.#now = goal
  }
}
