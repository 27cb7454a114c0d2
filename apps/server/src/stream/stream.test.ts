import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { closeCode, PROTOCOL } from '@beadloom/core/api/stream/protocol.ts'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { DEMO } from './testing/memory-board.ts'
import { admin, startStream } from './testing/start-stream.ts'

test('hello is answered with everything that a client needs to know', async () => {
  const { connect, board, clock } = await startStream()
  const client = await connect()
  expect(client.frames).toEqual([
    { type: 'welcome', proto: PROTOCOL, epoch: 'epoch-1', seq: board.seq(), build: 'build-1', now: clock.now() },
  ])
})

test('a client of another protocol is closed with 4409, and so is one that does not say hello', async () => {
  const { open } = await startStream()
  const other = open()
  await once(other.socket, 'open')
  other.send({ type: 'hello', proto: PROTOCOL + 1 })
  await other.until(() => other.closed?.code === closeCode.protocol)

  const silent = open()
  await once(silent.socket, 'open')
  silent.sub(1, 'home')
  await silent.until(() => silent.closed?.code === closeCode.protocol)
})

test('a client without proof of access is closed with 4401 and hears nothing', async () => {
  const { open, stream } = await startStream({ admit: () => ({ kind: 'unknown' }) })
  const client = open()
  await once(client.socket, 'open')
  client.send({ type: 'hello', proto: PROTOCOL })
  client.sub(1, 'home')
  await client.until(() => client.closed?.code === closeCode.auth)
  expect(client.frames).toEqual([])
  expect(stream.counts().sockets).toBe(0)
})

test.each([
  [421, '/ws'],
  [403, '/ws'],
])('a refusal is answered with %i before the handshake', async (status, path) => {
  const { open } = await startStream({ admit: () => ({ kind: 'refused', status, message: 'No.' }) })
  const [, response] = (await once(open({}, path).socket, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(response.statusCode).toBe(status)
})

test('there is one path', async () => {
  const { open } = await startStream()
  const [, response] = (await once(open({}, '/wsx').socket, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(response.statusCode).toBe(404)
})

test('a ping is answered with a pong that a page can see', async () => {
  const { connect, clock } = await startStream()
  const client = await connect()
  client.send({ type: 'ping', t: 7 })
  await client.until(() => client.of('pong').length === 1)
  expect(client.of('pong')).toEqual([{ type: 'pong', t: 7, now: clock.now() }])
})

test('invalid frames are answered with an error, and end the connection if they do not stop', async () => {
  const { connect } = await startStream()
  const client = await connect()
  for (const bad of ['{', '[]', '{"type":"sub","ch":-1,"topic":"home","next":0}', '{"type":"unsub","ch":1,"x":1}'])
    client.socket.send(bad)
  client.socket.send(Buffer.from([1, 2, 3]))
  await client.until(() => client.of('error').length === 5)
  expect(client.closed).toBeNull()
  for (let n = 0; n < 20; n++) client.socket.send('?')
  await client.until(() => client.closed?.code === closeCode.protocol)
})

test.each([
  ['frames', (socket: WebSocket) => socket.send('{"type":"ping","t":1}')],
  ['pings', (socket: WebSocket) => socket.ping()],
])('a flood of small %s is cut off, and others are answered before its end is read', async (_, send) => {
  const { connect, stream } = await startStream()
  const [flooding, other] = [await connect(), await connect()]
  for (let n = 0; n < 30_000; n++) send(flooding.socket)
  other.send({ type: 'ping', t: 7 })
  await other.until(() => other.of('pong').length === 1)
  await flooding.until(() => flooding.closed?.code === closeCode.slow)
  expect(flooding.of('pong').length).toBeLessThanOrEqual(2_000)
  expect(other.closed).toBeNull()
  await expect.poll(() => stream.counts().sockets).toBe(1)
})

test('a frame of more than 64 KiB ends the connection', async () => {
  const { connect, stream } = await startStream()
  const client = await connect()
  client.socket.send(`{"type":"ping","t":${'1'.repeat(70_000)}}`)
  await client.until(() => client.closed?.code === 1009)
  await client.until(() => stream.counts().sockets === 0)
})

test('missing and impossible topics have expired', async () => {
  const { connect } = await startStream()
  const client = await connect()
  const topics = ['board:gone', 'board:../x', 'log:ex-0000000001.1', 'log:x', 'odd', '__proto__:x']
  for (const [index, topic] of topics.entries()) client.sub(index, topic)
  await client.until(() => client.of('expired').length === topics.length)
  expect(
    client
      .of('expired')
      .map(({ ch }) => ch)
      .toSorted(),
  ).toEqual([0, 1, 2, 3, 4, 5])
  for (const { reason } of client.of('expired')) expect(reason).toMatch(/^There is no topic|not found\.$/)
})

test('one connection has at most 64 channels, and leaving one makes room', async () => {
  const { connect, stream, board } = await startStream()
  board.putProject(DEMO)
  const client = await connect()
  for (let ch = 0; ch < 65; ch++) client.sub(ch, 'home')
  await client.until(() => client.of('snapshot').length === 64 && client.of('expired').length === 1)
  expect(client.of('expired')).toMatchObject([{ ch: 64, reason: expect.stringMatching(/at most 64/) }])
  expect(stream.counts().channels).toBe(64)
  client.send({ type: 'unsub', ch: 0 })
  client.sub(64, 'home')
  await client.until(() => client.of('snapshot').length === 65)
})

test('one credential has at most 20 sockets, counted by its holder', async () => {
  const admit = ({ headers }: IncomingMessage) =>
    ({ kind: 'admitted', standing: admin, who: String(headers['x-who']) }) as const
  const { open, stream } = await startStream({ admit })
  const as = (who: string) => open({ headers: { 'x-who': who } })
  const all = await Promise.all(Array.from({ length: 20 }, () => as('a').greeted()))
  const extra = as('a')
  await extra.until(() => extra.closed?.code === closeCode.slow)
  await as('b').greeted()
  all[0]?.socket.close()
  await extra.until(() => stream.counts().sockets === 20)
  await as('a').greeted()
})

test('the socket of somebody who has signed out is closed at the next look, and no other', async () => {
  const gone = new Set<string>()
  const admit = ({ headers }: IncomingMessage) => {
    const who = String(headers['x-who'])
    return { kind: 'admitted', standing: admin, who, lasts: () => !gone.has(who) } as const
  }
  const { open, clock, stream } = await startStream({ admit })
  const [ada, bob] = await Promise.all(['ada', 'bob'].map((who) => open({ headers: { 'x-who': who } }).greeted()))
  gone.add('ada')
  await ada?.until(() => clock.sleepers === 1)
  clock.advance(5_000)
  await ada?.until(() => ada.closed?.code === closeCode.auth)
  expect(bob?.closed).toBeNull()
  expect(stream.counts().sockets).toBeLessThanOrEqual(2)
})

test('a socket that is admitted for a time is closed after it, so its client comes again', async () => {
  const admit = ({ headers }: IncomingMessage) => {
    const who = String(headers['x-who'])
    return { kind: 'admitted', standing: admin, who, ...(who === 'ada' && { forMs: 10_000 }) } as const
  }
  const { open, clock } = await startStream({ admit })
  const [ada, bob] = await Promise.all(['ada', 'bob'].map((who) => open({ headers: { 'x-who': who } }).greeted()))
  await ada?.until(() => clock.sleepers === 1)
  clock.advance(5_000)
  await ada?.until(() => clock.sleepers === 1)
  expect(ada?.closed).toBeNull()
  clock.advance(5_000)
  await ada?.until(() => ada.closed?.code === closeCode.restart)
  expect(bob?.closed).toBeNull()
})

test('a silent client is pinged, and dropped after a minute', async () => {
  const { connect, clock, stream } = await startStream()
  const [quiet, dead] = [await connect(), await connect()]
  dead.socket.pause() // it reads nothing, so it answers no ping
  let pings = 0
  quiet.socket.on('ping', () => pings++)
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await quiet.until(() => clock.sleepers === 1)
    clock.advance(5_000)
    await quiet.until(() => pings === Math.floor((seconds + 5) / 20))
    await quiet.caughtUp()
  }
  await quiet.until(() => stream.counts().sockets === 1)
  expect(quiet.closed).toBeNull()
})

test('a server that goes down says so with 1012 and lets go of everything', async () => {
  const { connect, stream, logs, board, clock } = await startStream()
  const client = await connect()
  board.putProject(DEMO)
  client.sub(1, `board:${DEMO}`)
  await client.until(() => client.of('snapshot').length === 1)
  await stream.close()
  await client.until(() => client.closed?.code === closeCode.restart)
  expect([stream.counts().sockets, clock.sleepers]).toEqual([0, 0])
  board.putBead('bl-1', 'late')
  logs.append('ex-0000000001.1' as never, 'late\n')
})

test('a server that goes down does not wait for a client that is gone', async () => {
  const { connect, stream, clock } = await startStream()
  const client = await connect()
  client.socket.pause()
  const closing = stream.close(1_000)
  await client.until(() => clock.sleepers === 1)
  clock.advance(1_000)
  await closing
})
