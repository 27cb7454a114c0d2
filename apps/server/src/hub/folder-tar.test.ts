import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { readTar } from './folder-tar.ts'

/* Files on a frozen disk are given up: nothing waits for them for ever. */
const { signal } = new AbortController()
const nothing = async () => {}
const still = { kind: 'timed-out', message: expect.stringContaining('does not answer. Look at it (dmesg)') }
/** A header, and a block of content. */
const ENTRY_BYTES = 2 * 512
/** Waits until everything that has begun waits for the clock. */
const settled = async () => {
  for (let turns = 0; turns < 50; turns++) await setImmediate()
}

test('a stream that never begins is given up after a minute, and closed if it begins later', async () => {
  const clock = new HandClock()
  const { promise, resolve } = Promise.withResolvers<PassThrough>()
  const reading = readTar(() => promise, { clock, signal }, nothing).catch((error: unknown) => error)
  await settled()
  clock.advance(60_000)
  expect(await reading).toMatchObject(still)
  const late = new PassThrough()
  resolve(late)
  await setImmediate()
  expect(late.destroyed).toBe(true)
})

test('a stream that stops half-way is given up after a minute, and a slow one is not', async () => {
  const clock = new HandClock()
  const tar = new PassThrough()
  const names: (string | null)[] = []
  const reading = readTar(
    async () => tar,
    { clock, signal },
    async ({ path }) => void names.push(path),
  ).catch((error: unknown) => error)
  const source = pack()
  for (const name of ['a', 'b', 'c']) source.entry({ name: `workspace/${name}` }, name)
  source.finalize()
  const all = await buffer(source)
  for (let entry = 0; entry < 3; entry++) {
    tar.write(all.subarray(entry * ENTRY_BYTES, (entry + 1) * ENTRY_BYTES))
    await settled()
    clock.advance(59_000)
  }
  expect(names).toEqual(['a', 'b', 'c'])
  await settled()
  clock.advance(60_000)
  await settled()
  clock.advance(60_000)
  expect(await reading).toMatchObject(still)
  expect(tar.destroyed).toBe(true)
})
