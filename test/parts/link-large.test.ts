// @suite unit-long
import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LinkedSandbox, type LinkedServer, type Transport } from '../support/link/linked-sandbox.ts'

const SIZE = 100_000_000
const PIECE = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 31 + (at >> 8)) & 0xff))

let sandbox: LinkedSandbox
let server: LinkedServer
let http: Server
/** Bytes that the server has written to its streams, and bytes that it has read from them. */
let [given, got] = [0, 0]
let uploads: IncomingMessage[] = []

beforeEach(() => {
  ;[given, got, uploads] = [0, 0, []]
  sandbox = new LinkedSandbox()
  http = createServer((asked, response) => {
    if (asked.url === '/slow') return void uploads.push(asked.pause())
    if (asked.method === 'GET') return give(response)
    const hash = createHash('sha256')
    asked.on('data', (piece: Buffer) => {
      got += piece.length
      hash.update(piece)
    })
    asked.on('end', () => response.end(hash.digest('hex')))
  })
  server = sandbox.server(http)
})
afterEach(async () => {
  await sandbox.close()
  http.closeAllConnections()
})

function give(response: ServerResponse): void {
  while (given < SIZE) {
    const piece = PIECE.subarray(0, SIZE - given)
    given += piece.length
    if (!response.write(piece)) return void response.once('drain', () => give(response))
  }
  response.end()
}

function hashOfAll(): string {
  const hash = createHash('sha256')
  eachPiece((piece) => void hash.update(piece))
  return hash.digest('hex')
}

function eachPiece(use: (piece: Buffer) => void): void {
  for (let at = 0; at < SIZE; at += PIECE.length) use(PIECE.subarray(0, SIZE - at))
}

async function hashed(response: IncomingMessage, hash: Hash): Promise<string> {
  for await (const piece of response) hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** Waits until a number has stopped growing, which it does for good while its writer is held up. */
async function settled(number: () => number): Promise<number> {
  let [last, same] = [-1, 0]
  await expect
    .poll(() => {
      same = number() === last ? same + 1 : 0
      last = number()
      return same
    })
    .toBeGreaterThan(5)
  return last
}

describe.each<Transport>(['a socket', 'standard streams'])('over %s', (transport) => {
  test('a hundred megabytes come down whole, and no faster than they are read', async () => {
    await sandbox.start(transport, [server])
    const response = await sandbox.response()
    expect(await settled(() => given)).toBeLessThan(8_000_000)
    // A small request beside it has its own window.
    expect((await sandbox.ask({ method: 'POST', agent: false }, 'x')).status).toBe(200)
    expect(await hashed(response, createHash('sha256'))).toBe(hashOfAll())
  })

  test('a hundred megabytes go up whole, and no faster than they are read', async () => {
    await sandbox.start(transport, [server])
    const slow = request({ socketPath: sandbox.clients, method: 'POST', path: '/slow', agent: false })
    slow.on('error', () => {})
    const sent = () => slow.socket?.bytesWritten ?? 0
    const writeOn = () => {
      while (sent() < SIZE && slow.write(PIECE));
    }
    slow.on('drain', writeOn)
    writeOn()
    expect(await settled(sent)).toBeLessThan(8_000_000)
    slow.destroy()

    const upload = request({ socketPath: sandbox.clients, method: 'POST', agent: false })
    void (async () => {
      for (let at = 0; at < SIZE; at += PIECE.length)
        if (!upload.write(PIECE.subarray(0, SIZE - at))) await once(upload, 'drain')
      upload.end()
    })()
    const [answer] = (await once(upload, 'response')) as [IncomingMessage]
    let said = ''
    for await (const piece of answer) said += String(piece)
    expect([said, got]).toEqual([hashOfAll(), SIZE])
  })
})
