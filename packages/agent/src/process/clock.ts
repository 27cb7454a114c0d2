import { AwakeTime, BEAT_MS } from '@beadloom/core/time/awake-time.ts'

/**
 * Wall clock in milliseconds UTC, milliseconds in which this process ran, and timers that a test can control. Limits of
 * commands do not count time in which the container was frozen.
 */
export interface Clock {
  now(): number
  monotonic(): number
  /** Resolves after `ms` (below 2^31); at once, without an error, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

let known: AwakeTime | null = null

function monotonic(): number {
  if (!known) {
    known = new AwakeTime(performance.now())
    setInterval(monotonic, BEAT_MS).unref()
  }
  return known.at(performance.now())
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic,
  async sleep(ms, signal) {
    const end = monotonic() + ms
    for (let left = ms; left > 0 && !signal?.aborted; left = end - monotonic()) await oneTimer(left, signal)
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
