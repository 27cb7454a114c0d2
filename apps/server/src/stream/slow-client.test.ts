// @suite unit-long
import { parseSessionId } from '@beadloom/core/records/ids.ts'
import { closeCode } from '@beadloom/core/api/stream/protocol.ts'
import { expect, test, vi } from 'vitest'
import type { HandClock } from '../ports/testing/hand-clock.ts'
import { DEMO } from './testing/memory-board.ts'
import { startStream } from './testing/start-stream.ts'

const MIB = 1024 * 1024
const session = (n: number) => parseSessionId(`ex-000000000${n}.1`)
/** More than the kernel buffers for a loopback connection, so a client that does not read stops the server's reads. */
const LINES = 300_000
const bigLog = Array.from({ length: LINES }, (_, n) => `line ${n} ${'.'.repeat(80)}\n`).join('')

async function startWithLogs(count: number) {
  const world = await startStream()
  for (let n = 1; n <= count; n++) {
    world.logs.append(session(n), bigLog)
    world.logs.complete(session(n), 0)
  }
  return world
}

/** Waits until the logs are not read any more, because a client takes nothing. */
async function untilReadsStop(logs: { reads: number }): Promise<void> {
  let before = -1
  await vi.waitFor(
    () => {
      const still = logs.reads === before
      before = logs.reads
      if (!still || before === 0) throw new Error('still reading')
    },
    { timeout: 10_000, interval: 100 },
  )
}

/** Advances the clock, sweep by sweep, until something has happened. Returns the seconds on that clock. */
async function secondsUntil(happened: () => boolean, clock: HandClock): Promise<number> {
  for (let seconds = 0; seconds <= 120; seconds += 5) {
    await expect.poll(() => clock.sleepers).toBe(1)
    if (happened()) return seconds
    clock.advance(5_000)
  }
  return Number.NaN
}

test('a client that never reads costs less than 1 MiB, whatever it follows, and is closed with 1013 after 30 s', async () => {
  const { connect, logs, stream, clock } = await startWithLogs(4)
  const client = await connect()
  client.socket.pause()
  for (let ch = 0; ch < 64; ch++) client.send({ type: 'sub', ch, topic: `log:${session(1 + (ch % 4))}`, next: 0 })
  await untilReadsStop(logs)
  expect(stream.counts().bufferedBytes).toBeGreaterThan(0)
  expect(stream.counts().bufferedBytes).toBeLessThan(MIB)

  expect(await secondsUntil(() => stream.counts().channels === 0, clock)).toBeGreaterThanOrEqual(30)
  client.socket.resume()
  await client.until(() => client.closed?.code === closeCode.slow)
  expect(stream.counts()).toEqual({ sockets: 0, channels: 0, bufferedBytes: 0 })
})

test('a client that does not even read the goodbye is cut off', async () => {
  const { connect, logs, stream, clock } = await startWithLogs(1)
  const client = await connect()
  client.socket.pause()
  client.sub(1, `log:${session(1)}`)
  await untilReadsStop(logs)
  expect(await secondsUntil(() => stream.counts().channels === 0, clock)).toBeGreaterThanOrEqual(30)
  clock.advance(5_000)
  await expect.poll(() => stream.counts().sockets).toBe(0)
})

test('a slow client gets everything later', async () => {
  const { connect, logs } = await startWithLogs(1)
  const client = await connect()
  client.socket.pause()
  client.sub(1, `log:${session(1)}`)
  await untilReadsStop(logs)
  client.socket.resume()
  await client.until(() => client.of('end').length === 1)
  expect(client.wrong).toEqual([])
  expect(client.next).toBe(LINES)
  expect(client.text === bigLog).toBe(true)
})

test('a client that does not read does not hold up another', async () => {
  const { connect, logs } = await startWithLogs(1)
  const [slow, quick] = [await connect(), await connect()]
  slow.socket.pause()
  slow.sub(1, `log:${session(1)}`)
  await untilReadsStop(logs)
  quick.sub(1, `log:${session(1)}`)
  await quick.until(() => quick.of('end').length === 1)
  expect(quick.text === bigLog).toBe(true)
})

test('a board channel is not starved by logs on the same connection', async () => {
  const { connect, board } = await startWithLogs(1)
  board.putProject(DEMO)
  const client = await connect()
  client.sub(1, `log:${session(1)}`)
  client.sub(2, `board:${DEMO}`)
  client.next = 0
  await client.until(() => client.of('snapshot').length === 1)
  expect(client.of('end')).toEqual([])
  await client.until(() => client.of('end').length === 1)
})

test('a slow board client gets fewer, newer frames', async () => {
  const { connect, board, logs } = await startWithLogs(1)
  board.putProject(DEMO)
  const client = await connect()
  client.sub(2, `board:${DEMO}`)
  await client.until(() => client.of('snapshot').length === 1)
  client.socket.pause()
  client.sub(1, `log:${session(1)}`)
  client.next = 0
  await untilReadsStop(logs)
  for (let n = 0; n < 100; n++) {
    board.putBead('bl-1', `title ${n}`)
    await new Promise(setImmediate)
  }
  client.socket.resume()
  await client.until(() => client.of('end').length === 1 && client.of('delta').at(-1)?.seq === board.seq())
  expect(client.of('delta').length).toBeLessThan(10)
  expect(client.of('delta').at(-1)?.ops).toMatchObject([{ value: { title: 'title 99' } }])
})

test('a client that sends requests without end and reads nothing is no longer listened to', async () => {
  const { connect, stream } = await startStream()
  const client = await connect()
  client.socket.pause()
  const ping = { type: 'ping', t: 123_456_789 } as const
  let sent = 0
  // Our own socket fills up as soon as the server stops reading from it.
  while (client.socket.bufferedAmount < 4 * MIB && sent < 3_000_000) {
    for (let n = 0; n < 5000; n++, sent++) client.send(ping)
    await new Promise(setImmediate)
  }
  expect(client.socket.bufferedAmount).toBeGreaterThanOrEqual(4 * MIB)
  expect(stream.counts().bufferedBytes).toBeLessThan(2 * MIB)
})
