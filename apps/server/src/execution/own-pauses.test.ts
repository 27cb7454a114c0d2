import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Stopper } from './stop.ts'
import { Watchdog } from './watchdog.ts'
import { clockOf, SETTLE_MS } from '../process/clock.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** A machine with a hand clock: `run` moves it as while the process runs, `pause` as during a SIGSTOP. */
function machine() {
  let [wall, elapsed] = [Date.UTC(2026, 0, 15), 0]
  const beats: (() => void)[] = []
  const timers = new Set<{ at: number; fire: () => void }>()
  const clock = clockOf({
    now: () => wall,
    monotonic: () => elapsed,
    every: (_, beat) => void beats.push(beat),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = { at: elapsed + ms, fire: () => (timers.delete(timer), resolve()) }
        timers.add(timer)
        signal?.addEventListener('abort', timer.fire, { once: true })
      }),
  })
  const fire = async () => {
    for (const timer of timers) if (timer.at <= elapsed) timer.fire()
    for (let turn = 0; turn < 3; turn++) await setImmediate()
  }
  return {
    clock,
    jump: (ms: number) => void (wall += ms),
    pause: async (ms: number) => {
      ;[wall, elapsed] = [wall + ms, elapsed + ms]
      await fire() // timers fire before anything is read
    },
    run: async (ms: number) => {
      for (const end = elapsed + ms; elapsed < end;) {
        const step = Math.min(SECOND, end - elapsed)
        ;[wall, elapsed] = [wall + step, elapsed + step]
        for (const beat of beats) beat()
        await fire()
      }
    },
  }
}

/** An execution with time limits on that machine. */
function watched({ clock }: ReturnType<typeof machine>, limits: { wallClockMs: number; silenceMs: number }) {
  const stopper = new Stopper()
  const watchdog = new Watchdog(clock, limits)
  void watchdog.watch(stopper, new AbortController().signal)
  return { stopper, watchdog }
}

test('an agent that printed while the server was stopped is not silent', async () => {
  const time = machine()
  const { stopper, watchdog } = watched(time, { wallClockMs: 60 * MINUTE, silenceMs: 10 * SECOND })
  for (let round = 0; round < 5; round++) {
    await time.run(9 * SECOND + 500)
    watchdog.activity()
    await time.run(9 * SECOND + 500)
    await time.pause(2 * MINUTE)
    await time.run(SETTLE_MS - SECOND) // its output is read
    expect(stopper.reason).toBeNull()
    watchdog.activity()
  }
  await time.run(11 * SECOND)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'silence' })
})

test('an agent that has hung is still found silent after a pause', async () => {
  const time = machine()
  const { stopper } = watched(time, { wallClockMs: 60 * MINUTE, silenceMs: 30 * SECOND })
  await time.run(20 * SECOND)
  await time.pause(8 * 60 * MINUTE)
  await time.run(20 * SECOND)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'silence' })
})

test('the deadline counts only time in which the server ran', async () => {
  const time = machine()
  const { stopper, watchdog } = watched(time, { wallClockMs: 10 * MINUTE, silenceMs: 60 * MINUTE })
  await time.run(9 * MINUTE)
  await time.pause(8 * 60 * MINUTE)
  await time.run(50 * SECOND)
  expect(stopper.reason).toBeNull()
  expect(watchdog.elapsedMs()).toBeLessThan(10 * MINUTE)
  await time.run(10 * SECOND)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'wall_clock' })
})

test.each([
  ['an hour ahead', 60 * MINUTE],
  ['an hour back', -60 * MINUTE],
  ['to 1970', -Date.UTC(2026, 0, 15)],
])('a wall clock that jumps %s moves no limit', async (_, by) => {
  const time = machine()
  const { stopper, watchdog } = watched(time, { wallClockMs: 10 * MINUTE, silenceMs: 2 * MINUTE })
  await time.run(MINUTE)
  time.jump(by)
  await time.run(MINUTE - SECOND)
  expect(stopper.reason).toBeNull()
  expect(watchdog.elapsedMs()).toBe(2 * MINUTE - SECOND)
  await time.run(SECOND)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'silence' })
})

test('a limit on others leaves time to read an answer that came while the server was stopped', async () => {
  const time = machine()
  let late = false
  void time.clock.sleep(30 * SECOND).then(() => (late = true))
  await time.run(30 * SECOND - 1)
  await time.pause(MINUTE)
  await time.run(SETTLE_MS - 1)
  expect(late).toBe(false)
  await time.run(1)
  expect(late).toBe(true)
})

test('a sleep ends at once when it is aborted', async () => {
  const time = machine()
  const stop = new AbortController()
  let over = false
  void time.clock.sleep(MINUTE, stop.signal).then(() => (over = true))
  stop.abort()
  await setImmediate()
  expect(over).toBe(true)
})
