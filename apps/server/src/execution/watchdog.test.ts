import { expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { Stopper } from './stop.ts'
import { Watchdog } from './watchdog.ts'

const minute = 60_000
const never = new AbortController().signal

function watched(
  elapsedMs: number,
  limits = { wallClockMs: 10 * minute, silenceMs: 60 * minute },
  canHear = async () => true,
) {
  const clock = new HandClock()
  const noted: number[] = []
  const watchdog = new Watchdog(clock, limits, { elapsedMs, note: (ms) => noted.push(ms) }, canHear)
  const stopper = new Stopper()
  const done = watchdog.watch(stopper, never)
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 5_000) {
      await expect.poll(() => clock.sleepers > 0 || stopper.signal.aborted).toBe(true)
      clock.advance(Math.min(left, 5_000))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { clock, noted, watchdog, stopper, done, pass }
}

test('time that an earlier server has used up counts', async () => {
  const { stopper, pass, done } = watched(9 * minute)
  await pass(minute - 5_000)
  expect(stopper.reason).toBeNull()
  await pass(5_000)
  await done
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'wall_clock' })
})

test('used time is noted every 15 s, and when it is let go', async () => {
  const { noted, stopper, pass, done } = watched(minute)
  await pass(40_000)
  expect(noted).toEqual([60_000, 75_000, 90_000])
  stopper.stop({ stop: 'detach' })
  await done
  expect(noted.at(-1)).toBe(100_000)
})

test('silence begins anew: output from the time when nobody listened is read first', async () => {
  const { stopper, pass, watchdog } = watched(9 * minute, { wallClockMs: 100 * minute, silenceMs: 2 * minute })
  await pass(minute)
  watchdog.activity()
  await pass(minute + 30_000)
  expect(stopper.reason).toBeNull()
  await pass(minute)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'silence' })
})

test('a call that waits for a person is neither silence nor time, and ends nobody else’s pause', async () => {
  const { stopper, pass, watchdog } = watched(0, { wallClockMs: 10 * minute, silenceMs: 5 * minute })
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const calls = [first, second].map(({ promise }) => watchdog.whileFrozen(() => promise))
  await pass(30 * minute)
  expect([stopper.reason, watchdog.elapsedMs()]).toEqual([null, 0])
  first.resolve()
  await calls[0]
  await pass(10 * minute)
  watchdog.hold() // it waits for its project's remote
  second.resolve()
  await calls[1]
  await pass(3 * minute)
  expect(watchdog.elapsedMs()).toBe(0)
  watchdog.resume()
  await pass(minute)
  expect([stopper.reason, watchdog.elapsedMs()]).toEqual([null, minute])
})

test('time in which nothing of it runs is not used up', async () => {
  const { stopper, pass, watchdog } = watched(0)
  await pass(minute)
  watchdog.hold()
  await pass(20 * minute)
  watchdog.resume()
  expect(watchdog.elapsedMs()).toBe(minute)
  expect(stopper.reason).toBeNull()
})

test('an agent is not silent while the engine is away, and gets the same time again when that is back', async () => {
  let away = true
  const limits = { wallClockMs: 100 * minute, silenceMs: 2 * minute }
  const { stopper, pass } = watched(0, limits, async () => !away)
  await pass(9 * minute)
  expect(stopper.reason).toBeNull()
  away = false
  await pass(minute - 5_000)
  expect(stopper.reason).toBeNull()
  await pass(2 * minute)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'silence' })
})

test('an engine that is away moves no deadline', async () => {
  const { stopper, pass } = watched(0, { wallClockMs: 5 * minute, silenceMs: minute }, async () => false)
  await pass(5 * minute)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'wall_clock' })
})
