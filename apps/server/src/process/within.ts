import type { Clock } from './clock.ts'

/** Passed to `abort`, which would otherwise create an error with a stack for every piece of an answer. */
export const inTime = 'in time'

/** Awaits `work`, and calls `late` once when that takes longer than `ms`; `late` has to make `work` end. */
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

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The result of work that cannot be stopped; null as soon as `signal` aborts. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** `reason` is made only when the time is up. */
type Limit = { clock: Clock; ms: number; or?: AbortSignal | undefined; reason?: () => unknown }

/** Awaits `work`, whose signal aborts when that takes longer than `ms`, or when `or` does. */
export function limited<T>({ clock, ms, or, reason }: Limit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const signal = or ? AbortSignal.any([or, late.signal]) : late.signal
  return within(
    clock,
    ms,
    () => late.abort(reason?.()),
    () => work(signal),
  )
}
