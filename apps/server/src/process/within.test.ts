import { expect, test } from 'vitest'
import { type Clock, systemClock } from './clock.ts'
import { limited, orAborted } from './within.ts'

/** A clock on which `pass` ends the current sleep. */
function oneSleep(): { clock: Clock; pass: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { clock: { ...systemClock, sleep: () => promise }, pass: resolve }
}

const untilAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))

test('work that ends in time is not aborted, even when its time is up later', async () => {
  const { clock, pass } = oneSleep()
  const signal = await limited({ clock, ms: 100 }, async (given) => given)
  pass()
  await Promise.resolve()
  expect(signal.aborted).toBe(false)
})

test('work that takes too long is aborted, with the reason of that moment', async () => {
  const { clock, pass } = oneSleep()
  let reason = 'too early'
  const answer = limited({ clock, ms: 100, reason: () => reason }, untilAborted)
  reason = 'late'
  pass()
  expect(await answer).toBe('late')
})

test('work is aborted with the other signal, for the reason of that', async () => {
  const other = new AbortController()
  const answer = limited({ clock: oneSleep().clock, ms: 100, or: other.signal }, untilAborted)
  other.abort('not wanted any more')
  expect(await answer).toBe('not wanted any more')
})

test('work that cannot be stopped is waited for until a signal aborts, and no longer', async () => {
  const never = new Promise<string>(() => {})
  const stop = new AbortController()
  expect(await orAborted(stop.signal, Promise.resolve('done'))).toBe('done')
  await expect(orAborted(stop.signal, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const waiting = orAborted(stop.signal, never)
  stop.abort()
  expect(await waiting).toBeNull()
  expect(await orAborted(stop.signal, never)).toBeNull()
})
