import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { parseSessionId } from '@beadloom/core/records/ids.ts'
import { startStream } from '../../stream/testing/start-stream.ts'
import { readLog, type LogReading } from './log-socket.ts'
import { NoServer } from '../../health/server-file.ts'

const SESSION = parseSessionId('ex-0000000001.1')
const line = (number: number): string => `line ${number} ${'x'.repeat(80)}\n`
const many = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => line(from + at)).join('')

/** A reader that is full after every chunk until `drain` is called. */
function slowReader() {
  const reading = { text: '', lines: 0, chunks: 0, waiting: [] as (() => void)[] }
  const log: LogReading = {
    next: () => reading.lines,
    take(text, count) {
      reading.text += text
      reading.lines += count
      reading.chunks += 1
      return false
    },
    drained: () => new Promise((resolve) => reading.waiting.push(resolve)),
    note: () => {},
  }
  return { reading, log }
}

test('a slow reader leaves the channel until it has caught up, and misses and repeats nothing', async () => {
  const { board, logs, port } = await startStream()
  board.sessions.set(SESSION, 'ended')
  logs.append(SESSION, many(0, 20_000))
  logs.complete(SESSION, 0)
  const { reading, log } = slowReader()
  let over = false
  const done = readLog({ url: `http://127.0.0.1:${port}`, token: 't' }, '/data', SESSION, log).then(() => (over = true))
  while (!over) {
    // One at a time: the next chunk comes only after this one is read.
    for (const resolve of reading.waiting.splice(0)) resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await done
  expect(reading.text).toBe(many(0, 20_000))
  expect(reading.chunks).toBeGreaterThan(3)
})

test('a log continues where its reader was, byte order mark included', async () => {
  const { board, logs, port } = await startStream()
  board.sessions.set(SESSION, 'ended')
  logs.append(SESSION, `one\n\ufefftwo\nthree\n`)
  logs.complete(SESSION, 0)
  let next = 1
  let text = ''
  await readLog({ url: `http://127.0.0.1:${port}`, token: 't' }, '/data', SESSION, {
    next: () => next,
    take: (more, count) => ((text += more), (next += count), true),
    drained: async () => {},
    note: () => {},
  })
  expect(text).toBe('\ufefftwo\nthree\n')
})

test('a token that the server rejects is no reason to try again', async () => {
  const { port } = await startStream({ admit: () => ({ kind: 'unknown' }) })
  const reading = readLog({ url: `http://127.0.0.1:${port}`, token: 't' }, '/data', SESSION, slowReader().log)
  await expect(reading).rejects.toThrow('does not accept the token in /data/token')
  await expect(reading).rejects.not.toBeInstanceOf(NoServer)
})

test('a refused or cut connection is a reason to try again', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(readLog({ url, token: 't' }, '/data', SESSION, slowReader().log)).rejects.toBeInstanceOf(NoServer)
  server.close()
  await once(server, 'close')
  await expect(readLog({ url, token: 't' }, '/data', SESSION, slowReader().log)).rejects.toBeInstanceOf(NoServer)
})
