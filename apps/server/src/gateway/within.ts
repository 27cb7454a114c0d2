import type { Clock } from '../process/clock.ts'

/** A reason of its own: without one, `abort` makes an error with a stack, on the way of every piece of an answer. */
export const inTime = 'in time'

/** Waits for `work`, and calls `late` once when that takes longer than `ms`; `late` has to make `work` end. */
export async function within<T>(clock: Clock, ms: number, late: () => void, work: () => Promise<T>): Promise<T> {
  const done = new AbortController()
  void clock.sleep(ms, done.signal).then(() => {
    if (!done.signal.aborted) late()
  })
  try {
    return await work()
  } finally {
    done.abort(inTime)
  }
}
