import { EventEmitter } from 'node:events'
import type { watch } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../process/clock.ts'
import { Growth } from './growth.ts'

/** A clock moved by hand: `pass` ends every sleep that is due by then. */
class HandClock implements Clock {
  time = 0
  #sleeps: { until: number; wake: () => void }[] = []
  now = () => this.time
  monotonic = () => this.time

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      this.#sleeps.push({ until: this.time + ms, wake })
      signal?.addEventListener('abort', () => wake())
    })
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms
    for (;;) {
      const next = this.#sleeps.filter(({ until }) => until <= end).toSorted((a, b) => a.until - b.until)[0]
      if (!next) break
      this.#sleeps = this.#sleeps.filter((one) => one !== next)
      this.time = next.until
      next.wake()
      await new Promise(setImmediate)
    }
    this.time = end
  }
}

let clock: HandClock
let counts: { grown: number; ticked: number }
let event: () => void
let growth: Growth
const watchers: EventEmitter[] = []
const watchFile = ((_: string, __: object, told: () => void) => {
  event = told
  const watcher = Object.assign(new EventEmitter(), { close: () => {} })
  watchers.push(watcher)
  return watcher
}) as unknown as typeof watch

const open = (watching: typeof watch) =>
  (growth = new Growth(['/x'], () => (counts.grown += 1), () => (counts.ticked += 1), clock, watching)) // prettier-ignore

beforeEach(() => {
  clock = new HandClock()
  counts = { grown: 0, ticked: 0 }
})
afterEach(() => growth.close())

test('a file that grows now and then is read at once', async () => {
  open(watchFile)
  for (let times = 1; times <= 100; times++) {
    await clock.pass(20)
    event()
    expect(counts.grown).toBe(times)
  }
})

test('a flood is read in steps, including its last bytes', async () => {
  open(watchFile)
  for (let ms = 0; ms < 500; ms++) {
    for (let times = 0; times < 50; times++) event()
    await clock.pass(1)
  }
  const during = counts.grown
  expect(during).toBeGreaterThan(100)
  expect(during).toBeLessThan(300)
  event()
  await clock.pass(5)
  expect(counts.grown).toBeGreaterThan(during)
})

test('without any event the files are checked every second', async () => {
  open(watchFile)
  await clock.pass(10_000)
  expect(counts).toEqual({ grown: 0, ticked: 10 })
})

test.each(['at the start', 'later'])('unwatchable files (%s) are checked ten times a second', async (when) => {
  const refuse = (() => {
    throw Object.assign(new Error('too many'), { code: 'EMFILE' })
  }) as unknown as typeof watch
  open(when === 'later' ? watchFile : refuse)
  watchers.at(-1)?.emit('error', new Error('gone'))
  await clock.pass(1000)
  counts.ticked = 0
  await clock.pass(10_000)
  expect(counts.ticked).toBe(100)
})

test('nothing is reported after the end', async () => {
  open(watchFile)
  for (let times = 0; times < 50; times++) event()
  const { grown } = counts
  growth.close()
  await clock.pass(5000)
  expect(counts).toEqual({ grown, ticked: 0 })
})
