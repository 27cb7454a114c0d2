import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { defaultBounds } from '../docker-options.ts'
import { readFrames } from './read-frames.ts'

const frame = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0x40, 0]), Buffer.alloc(0x4000, 1)])
const client = { clock: new HandClock(), bounds: defaultBounds }
const running = async () => false

test('a consumer that does not pull stops the reading', async () => {
  let given = 0
  const source = new Readable({
    read() {
      given++
      this.push(frame)
    },
  })
  const frames = readFrames(client, source, running)
  await frames.next()
  // More turns than a reader that does not stop would need to read without end.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(given * frame.length).toBeLessThanOrEqual(source.readableHighWaterMark + 2 * frame.length)
  await frames.return('ended')
})

test('a connection that breaks ends as broken, one that ends in the middle of a frame too; garbage is an error', async () => {
  const broken = new Readable({ read() {} })
  broken.push(frame)
  const frames = readFrames(client, broken, running)
  expect((await frames.next()).value).toMatchObject({ stream: 'stdout' })
  broken.destroy(new Error('reset'))
  expect(await frames.next()).toEqual({ done: true, value: 'broken' })
  const short = readFrames(client, Readable.from([frame, frame.subarray(0, 100)]), running)
  await short.next()
  await short.next()
  expect(await short.next()).toEqual({ done: true, value: 'broken' })
  const garbage = readFrames(client, Readable.from([Buffer.from('HTTP/1.1 500 Oh no')]), running)
  await expect(garbage.next()).rejects.toMatchObject({ kind: 'refused' })
})

test('a silent connection is given up once its container is over, and only then', async () => {
  const clock = new HandClock()
  let over = false
  let asked = 0
  const frames = readFrames({ clock, bounds: defaultBounds }, new Readable({ read() {} }), async () => {
    asked++
    return over
  })
  const next = frames.next()
  const poll = async () => {
    const before = asked
    clock.advance(defaultBounds.pollMs)
    await expect.poll(() => asked).toBe(before + 1)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await poll()
  over = true
  await poll()
  await poll()
  expect(await next).toEqual({ done: true, value: 'broken' })
})
