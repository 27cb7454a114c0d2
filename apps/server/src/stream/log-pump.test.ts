import { parseSessionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { startStream } from './testing/start-stream.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const SESSION = parseSessionId('ex-0000000001.1')
const LOG = `log:${SESSION}`
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} of some text, ü\n`).join('')

test('a client gets every line after its cursor, then new ones, then the end', async () => {
  const { connect, logs } = await startStream()
  logs.append(SESSION, numbered(0, 1000))
  const client = await connect()
  client.sub(3, LOG, 400)
  await client.until(() => client.next === 1000)
  expect(client.text).toBe(numbered(400, 1000))
  logs.append(SESSION, numbered(1000, 1200))
  await client.until(() => client.next === 1200)
  expect(client.of('end')).toEqual([])
  logs.append(SESSION, numbered(1200, 1201))
  logs.complete(SESSION, 137)
  await client.until(() => client.of('end').length === 1)
  expect(client.of('end')).toEqual([{ type: 'end', ch: 3, lines: 1201, exit: 137 }])
  expect(client.text).toBe(numbered(400, 1201))
  expect(client.wrong).toEqual([])
})

test('the end comes after the last line, however the log is cut into chunks', async () => {
  const { connect, logs, stream } = await startStream()
  logs.append(SESSION, numbered(0, 60_000))
  logs.complete(SESSION, 0)
  const client = await connect()
  client.sub(1, LOG)
  await client.until(() => client.of('end').length === 1)
  expect(client.next).toBe(60_000)
  expect(client.text).toBe(numbered(0, 60_000))
  await client.until(() => stream.counts().channels === 0)
})

test('a cursor beyond the end of a complete log is told how many lines there are', async () => {
  const { connect, logs } = await startStream()
  logs.append(SESSION, 'one\n')
  logs.complete(SESSION, null)
  const client = await connect()
  client.sub(1, LOG, 9)
  await client.until(() => client.of('end').length === 1)
  expect(client.of('end')).toMatchObject([{ lines: 1, exit: null }])
})

test('lines that come close together travel together', async () => {
  const { connect, logs } = await startStream()
  logs.append(SESSION, '')
  const client = await connect()
  client.sub(1, LOG)
  await client.caughtUp()
  for (let n = 0; n < 500; n++) logs.append(SESSION, numbered(n, n + 1))
  await client.until(() => client.next === 500)
  expect(client.text).toBe(numbered(0, 500))
  expect(client.chunks.length).toBeLessThan(10)
})

test('a client that is behind gets big slices, others get small ones first', async () => {
  const { connect, logs } = await startStream()
  logs.append(SESSION, numbered(0, 60_000))
  const client = await connect()
  client.sub(1, LOG)
  await client.until(() => client.next === 60_000)
  const [first, second] = client.chunks
  expect(first?.bytes).toBeLessThanOrEqual(64 * 1024)
  expect(second?.bytes).toBeGreaterThan(200 * 1024)
  expect(Math.max(...client.chunks.map(({ bytes }) => bytes))).toBeLessThanOrEqual(256 * 1024)
})

test('a line without its newline is shown at most every 100 ms, and replaced by the whole', async () => {
  const { connect, logs, clock } = await startStream()
  logs.append(SESSION, 'one\ncompi')
  const client = await connect()
  client.sub(1, LOG)
  await client.until(() => client.of('partial').length === 1)
  for (const part of ['l', 'i', 'n', 'g']) logs.append(SESSION, part)
  await client.caughtUp()
  expect(client.of('partial')).toEqual([{ type: 'partial', ch: 1, line: 1, text: 'compi' }])
  await client.until(() => clock.sleepers === 2) // the sweep, and this line
  clock.advance(100)
  await client.until(() => client.of('partial').length === 2)
  expect(client.of('partial')[1]).toMatchObject({ line: 1, text: 'compiling' })
  logs.append(SESSION, ' done\n')
  await client.until(() => client.next === 2)
  expect(client.text).toBe('one\ncompiling done\n')
})

test('a line without end is shown only as far as a pane can', async () => {
  const { connect, logs } = await startStream()
  logs.append(SESSION, 'x'.repeat(100_000))
  const client = await connect()
  client.sub(1, LOG)
  await client.until(() => client.of('partial').length === 1)
  expect(client.of('partial')[0]?.text).toHaveLength(4096)
})

test('a session that is about to begin is waited for; one whose log is gone is not', async () => {
  const { connect, logs, board } = await startStream()
  const pruned = parseSessionId('ex-0000000002.1')
  board.sessions.set(SESSION, 'live').set(pruned, 'ended')
  const client = await connect()
  client.sub(1, LOG)
  client.sub(2, `log:${pruned}`)
  await client.until(() => client.of('expired').length === 1)
  expect(client.of('expired')).toMatchObject([{ ch: 2, reason: expect.stringMatching(/has no log/) }])
  logs.append(SESSION, 'one\n')
  await client.until(() => client.text === 'one\n')
})

test('another epoch begins again from the first line', async () => {
  const { connect, logs } = await startStream()
  logs.append(SESSION, 'one\ntwo\n')
  const client = await connect()
  client.sub(1, LOG, 0, 'epoch-0')
  client.next = 0
  await client.until(() => client.next === 2)
  expect(client.of('snapshot')).toEqual([{ type: 'snapshot', ch: 1, epoch: 'epoch-1', seq: 0, ops: [] }])

  const same = await connect()
  same.sub(1, LOG, 1, 'epoch-1')
  await same.until(() => same.text === 'two\n')
  expect(same.of('snapshot')).toEqual([])
})

test('lines that were being read at unsub are never sent, and the number may be used again', async () => {
  const { connect, logs } = await startStream()
  const other = parseSessionId('ex-0000000002.1')
  logs.append(SESSION, 'one\n')
  logs.append(other, 'other\n')
  const disk = Promise.withResolvers<void>()
  const read = logs.read.bind(logs)
  logs.read = async (session, line, maxBytes) => {
    const slice = await read(session, line, maxBytes)
    if (session === SESSION) await disk.promise
    return slice
  }
  const client = await connect()
  client.sub(1, LOG)
  await client.until(() => logs.reads === 1)
  client.send({ type: 'unsub', ch: 1 })
  client.sub(1, `log:${other}`)
  await client.until(() => client.text === 'other\n')
  disk.resolve()
  await client.caughtUp()
  expect(client.text).toBe('other\n')
})

longTest('50 drops at random moments, each resumed from the cursor: nothing lost, nothing repeated', async () => {
  const { connect, logs } = await startStream()
  let dice = 11
  const random = (below: number) => (dice = (dice * 48271) % 2147483647) % below
  const all = numbered(0, 60_000)
  let written = 0
  let text = ''
  let next = 0
  const write = () => {
    const upTo = Math.min(60_000, written + 1200)
    logs.append(SESSION, numbered(written, upTo))
    written = upTo
    if (written === 60_000) logs.complete(SESSION, 0)
  }
  write()
  for (let drop = 0; drop <= 50; drop++) {
    const client = await connect()
    client.sub(1, LOG, next)
    write()
    const enough = next + random(2400)
    if (drop < 50) await client.until(() => client.next >= Math.min(enough, written))
    else await client.until(() => client.of('end').length === 1)
    client.socket.terminate()
    expect(client.wrong).toEqual([])
    text += client.text
    next = client.next
  }
  expect(next).toBe(60_000)
  expect(text === all).toBe(true)
})

test('an unreadable log ends its channel and is reported; the connection continues', async () => {
  const { connect, logs, reported } = await startStream()
  logs.append(SESSION, 'one\n')
  logs.read = () => Promise.reject(new Error('the disk is gone'))
  const client = await connect()
  client.sub(1, LOG)
  await client.until(() => client.of('expired').length === 1)
  expect(client.of('expired')[0]?.reason).not.toMatch(/disk/)
  expect(reported).toMatchObject([{ message: 'the disk is gone' }])
  await client.caughtUp()
})
