/** Wall clock in milliseconds UTC, monotonic milliseconds for durations, and timers that a test can own. */
export interface Clock {
  now(): number
  monotonic(): number
  /** Resolves after `ms`; at once, without an error, when `signal` aborts. Longer than 2^31-1 ms is allowed. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Node fires timers beyond 2^31-1 ms at once, so long ones are cut into hours. */
const LONGEST_TIMER_MS = 3_600_000

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    const end = performance.now() + ms
    while (!signal?.aborted) {
      const left = end - performance.now()
      if (left <= 0) return
      await oneTimer(Math.min(left, LONGEST_TIMER_MS), signal)
    }
  },
}

function oneTimer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}
