import { AwakeTime, BEAT_MS } from '@beadloom/core/time/awake-time.ts'

/**
 * Wall clock in milliseconds UTC, milliseconds in which this process ran, and timers that a test can own.
 *
 * Every duration and every limit comes from `monotonic` and `sleep`: a jump of the wall clock changes none of them, and
 * neither does time in which the server did not run (Ctrl-Z, a closed lid, a paused virtual machine).
 */
export interface Clock {
  now(): number
  monotonic(): number
  /**
   * Resolves after `ms`; at once, without an error, when `signal` aborts. Longer than 2^31-1 ms is allowed. If the
   * process did not run meanwhile, it takes `SETTLE_MS` more: bytes that came in the meantime are read before a caller
   * concludes that nothing came.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Node fires timers beyond 2^31-1 ms at once, so long ones are cut into hours. */
const LONGEST_TIMER_MS = 3_600_000
/** Time to read what pipes and sockets hold after a pause: each holds less than a megabyte. */
export const SETTLE_MS = 5_000

/** The parts of a clock. `monotonic` may count pauses; `every` does not keep the process alive. */
export type TimeSource = {
  now(): number
  monotonic(): number
  wait(ms: number, signal?: AbortSignal): Promise<void>
  every(ms: number, beat: () => void): void
}

export function clockOf(source: TimeSource): Clock {
  let known: AwakeTime | null = null
  const awake = (): AwakeTime => {
    if (known) return known
    const created = new AwakeTime(source.monotonic())
    source.every(BEAT_MS, () => created.at(source.monotonic()))
    return (known = created)
  }
  const monotonic = () => awake().at(source.monotonic())
  return {
    now: source.now,
    monotonic,
    async sleep(ms, signal) {
      let end = monotonic() + ms
      while (!signal?.aborted) {
        const left = end - monotonic()
        if (left <= 0) return
        const before = awake().pauses
        await source.wait(Math.min(left, LONGEST_TIMER_MS), signal)
        const now = monotonic()
        if (awake().pauses > before) end = Math.max(end, now + SETTLE_MS)
      }
    },
  }
}

export const systemClock: Clock = clockOf({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wait: oneTimer,
  every: (ms, beat) => void setInterval(beat, ms).unref(),
})

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
