import { expect, test } from 'vitest'
import { systemClock, type Clock } from './clock.ts'
import { IdleThreads } from './idle-threads.ts'

class Thread {
  isFree = true
  is: 'awake' | 'resting' | 'ended' = 'resting'
  rest = (): void => void (this.is = 'resting')
  wake = (): void => void (this.is = 'awake')
  end = async (): Promise<void> => void (this.is = 'ended')
}

/** Timers of the waits; a test ends them by hand. */
const timers: (() => void)[] = []
const clock: Clock = {
  ...systemClock,
  sleep: (_ms, signal) =>
    new Promise((resolve) => {
      timers.push(resolve)
      signal?.addEventListener('abort', () => resolve())
    }),
}
async function timeIsUp(): Promise<void> {
  for (const end of timers.splice(0)) end()
  await new Promise(setImmediate)
}
const pool = (most: number): IdleThreads<Thread> => new IdleThreads(clock, most, () => new Thread())

test('a returned thread rests, is used next, and ends if nobody takes it', async () => {
  const threads = pool(1)
  const first = threads.take()
  await threads.giveBack(first)
  expect(first.is).toBe('resting')
  expect(threads.take()).toBe(first)
  await timeIsUp()
  expect(first.is, 'somebody has it').toBe('awake')
  await threads.giveBack(first)
  await timeIsUp()
  expect(first.is).toBe('ended')
  expect(threads.take()).not.toBe(first)
})

test('a busy or surplus thread ends at once; the others end with the pool', async () => {
  const threads = pool(1)
  const [busy, idle, more] = [threads.take(), threads.take(), threads.take()]
  busy.isFree = false
  for (const one of [busy, idle, more]) await threads.giveBack(one)
  expect([busy.is, idle.is, more.is]).toEqual(['ended', 'resting', 'ended'])
  await threads.close()
  expect(idle.is).toBe('ended')
})
