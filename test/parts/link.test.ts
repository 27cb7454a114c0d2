// @suite unit-long
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OutputPiece } from '@beadloom/core/link/output-receiver.ts'
import { Connections } from '../../apps/server/src/link/connections.ts'
import { defaultLinkBounds } from '../../apps/server/src/link/link-bounds.ts'
import { systemClock } from '../../apps/server/src/process/clock.ts'
import { LinkedSandbox, type LinkedServer, type Transport } from '../support/link/linked-sandbox.ts'
import { MadeUpSpool } from '../support/link/made-up-spool.ts'

let sandbox: LinkedSandbox
let http: Server
beforeEach(() => {
  sandbox = new LinkedSandbox()
  http = createServer((request, response) => {
    if (request.url === '/early') return void response.writeHead(413, { connection: 'close' }).end('x'.repeat(200_000))
    if (request.url === '/never') return
    text(request).then(
      (said) => response.end(`${request.url} ${said}`),
      () => {}, // its carrier was cut
    )
  })
})
afterEach(async () => {
  await sandbox.close()
  http.closeAllConnections()
})

/** Follows the made-up output from where its record ends, link after link. */
class Recording {
  at = 0
  isComplete: Promise<void>
  /** It takes no more than this until `takeUpTo`. */
  #limit: number
  #raised = new AbortController()
  readonly #hash = createHash('sha256')
  #done = () => {}

  constructor(server: LinkedServer, limit: number) {
    this.#limit = limit
    this.isComplete = new Promise((resolve) => (this.#done = resolve))
    server.onTaken = (link) => {
      const follower = link.follow('flood', this.at, {
        write: async (piece) => {
          this.#write(piece)
          follower?.acknowledge(this.at)
          if (this.at >= this.#limit) await once(this.#raised.signal, 'abort')
        },
        closed: (why) => why === null && this.#done(),
      })
    }
  }

  /** Resolves when it has reached its limit. */
  async full(): Promise<void> {
    await expect.poll(() => this.at, { interval: 1 }).toBeGreaterThanOrEqual(this.#limit)
  }

  takeUpTo(limit: number): void {
    this.#limit = limit
    this.#raised.abort()
    this.#raised = new AbortController()
  }

  #write(piece: OutputPiece): void {
    expect([piece.type, piece.from]).toEqual(['bytes', this.at])
    if (piece.type !== 'bytes') return
    this.#hash.update(piece.bytes)
    this.at += piece.bytes.length
  }

  get hash(): string {
    return this.#hash.digest('hex')
  }
}

function hashOf(size: number): string {
  const hash = createHash('sha256')
  for (let at = 0; at < size; at += 1 << 20) hash.update(MadeUpSpool.bytes(at, Math.min(size, at + (1 << 20))))
  return hash.digest('hex')
}

describe.each<Transport>(['a socket', 'standard streams'])('over %s', (transport) => {
  test('requests reach the server, fifty at once, on kept connections', async () => {
    const server = sandbox.server(http)
    await sandbox.start(transport, [server])
    for (const _ of [1, 2]) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => sandbox.ask({ method: 'POST', path: `/v1/${at}` }, `asks ${at}`)),
      )
      expect(answers.map(({ text: said }) => said)).toEqual(
        Array.from({ length: 50 }, (_, at) => `/v1/${at} asks ${at}`),
      )
    }
  })

  test('the server opens streams too, and an unknown kind is refused', async () => {
    const server = sandbox.server(http)
    await sandbox.start(transport, [server])
    const stream = server.link!.open('echo', { session: 3 })!
    stream.end('order')
    expect(await text(stream)).toBe('order')
    const [error] = (await once(server.link!.open('nonsense', {})!, 'error')) as [Error]
    expect(error.message).toMatch(/refused/)
  })

  test('an answer that comes before the request has ended arrives whole: the reset does not cut off its end', async () => {
    const server = sandbox.server(http)
    await sandbox.start(transport, [server])
    for (let round = 0; round < 5; round++) {
      const response = await sandbox.response({ method: 'POST', path: '/early', agent: false }, Buffer.alloc(300_000))
      expect(response.statusCode).toBe(413)
      expect((await text(response)).length).toBe(200_000)
    }
  })

  test('a client that is still sending when it has its answer is not left waiting for a reader', async () => {
    const server = sandbox.server(http)
    await sandbox.start(transport, [server])
    const sizes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const response = await sandbox.response({ method: 'POST', path: '/early', agent: false }, Buffer.alloc(8e6))
        const { length } = await text(response)
        if (!response.socket.closed) await once(response.socket, 'close')
        return length
      }),
    )
    expect(sizes).toEqual(Array(8).fill(200_000))
  })

  test('requests are answered beside a flood of output, which arrives whole', async () => {
    const size = 12_000_000
    const server = sandbox.server(http)
    const recording = new Recording(server, size / 2)
    await sandbox.start(transport, [server], size)
    await recording.full() // everything that may be under way is: no window is open for output
    for (let asked = 0; asked < 10; asked++) expect((await sandbox.ask({ method: 'POST' }, 'x')).text).toBe('/ x')
    recording.takeUpTo(Infinity)
    while (recording.at < size) expect((await sandbox.ask({ method: 'POST' }, 'x')).text).toBe('/ x')
    await recording.isComplete
    expect(recording.hash).toBe(hashOf(size))
  })

  test('a killed supervisor ends the link and its streams', async () => {
    const server = sandbox.server(http)
    await sandbox.start(transport, [server])
    const stream = server.link!.open('echo', {})!
    sandbox.supervisor!.kill('SIGKILL')
    const [error] = (await once(stream.resume(), 'error')) as [Error]
    await server.saw(2)
    expect(server.seen).toEqual(['taken', 'closed'])
    expect(error.message).toMatch(/link was lost/)
  })
})

test('a cut carrier is taken up again: output continues where its record ends, and a new request is answered', async () => {
  const size = 20_000_000
  const server = sandbox.server(http)
  const recording = new Recording(server, size / 4)
  await sandbox.start('a socket', [server], size)
  const hanging = sandbox.ask({ path: '/never' }).catch((error: Error) => error)
  for (let cut = 1; cut <= 3; cut++) {
    await recording.full()
    server.carrier!.input.destroy()
    recording.takeUpTo(((cut + 1) * size) / 4)
    await server.saw(2 * cut + 1)
  }
  recording.takeUpTo(Infinity)
  expect(await hanging).toBeInstanceOf(Error)
  expect((await sandbox.ask({ method: 'POST', path: '/v1' }, 'again')).text).toBe('/v1 again')
  await recording.isComplete
  expect(recording.hash).toBe(hashOf(size))
  expect(new Set(server.seen)).toEqual(new Set(['taken', 'closed']))
})

test('only one of two servers has the link: the other one is fenced, and its carrier is closed', async () => {
  const servers = [sandbox.server(http), sandbox.server(http)]
  await sandbox.start('a socket', servers)
  await Promise.all(servers.map((server) => server.saw(1)))
  await expect.poll(() => servers.map(({ seen }) => seen.at(-1)).toSorted()).toEqual(['fenced', 'taken'])
})

test('the server closes an idle connection after a while', async () => {
  http.keepAliveTimeout = 1
  const server = sandbox.server(http)
  await sandbox.start('a socket', [server])
  const response = await sandbox.response({ method: 'POST' }, 'x')
  const { socket } = response
  await Promise.all([text(response), once(socket, 'close')])
})

test('the limits of a container apply to streams as they do to connections', async () => {
  new Connections(http, { ...defaultLinkBounds, connections: 2 }, systemClock)
  const server = sandbox.server(http)
  await sandbox.start('a socket', [server])
  const idle = [sandbox.ask({ path: '/never' }), sandbox.ask({ path: '/never' })].map((asked) => asked.catch(() => {}))
  const refused = await sandbox.ask({ agent: false })
  expect([refused.status, refused.text]).toEqual([503, expect.stringMatching(/too many connections open/)])
  server.link!.close()
  await Promise.all(idle)
})
