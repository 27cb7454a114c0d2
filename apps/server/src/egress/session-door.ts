import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EgressDoor } from '../ports/egress.ts'
import { readInSlices } from '../process/in-slices.ts'
import { createServer, request as ask } from '../process/node-http.ts'
import { Unanswered } from '../process/unanswered.ts'
import type { EgressLedger } from './egress-ledger.ts'
import { framingOf, passedOn, requestTarget, tunnelTarget } from './proxy-request.ts'
import { reachHost, type Reached, type Reaching, type Unreached } from './reach-host.ts'
import { Traffic } from './traffic.ts'

/** Counts the sockets of all ways out together. */
export type Places = { taken: number }

export type SessionDoorOptions = Reaching & { ledger: EgressLedger; places: Places; closed: () => Promise<void> }

type Connection = Duplex & { destroySoon(): void }

const SLICE_BYTES = 4096
const BUSY = 'too many connections to hosts outside are open: close some, or try again in a second'
const USED_UP = 'this session has had all the bytes from outside that it may have'

/** An HTTP proxy for one session: CONNECT, and plain requests for `http://…`. */
export class SessionDoor implements EgressDoor {
  readonly #options: SessionDoorOptions
  readonly #server: Server
  readonly #traffic: Traffic
  readonly #unanswered: Unanswered
  /** Each with a function that stops reading it in slices, before it becomes a tunnel. */
  readonly #open = new Map<Duplex, () => void>()
  readonly #closed = new AbortController()
  #over: Promise<void> | null = null

  constructor(options: SessionDoorOptions) {
    const { bounds, clock } = options
    this.#options = options
    this.#traffic = new Traffic(bounds, clock)
    this.#unanswered = new Unanswered(bounds.requestsPerConnection)
    this.#server = createServer(
      { maxHeaderSize: bounds.headerBytes, requireHostHeader: false },
      (request, response) => {
        response.on('error', () => {})
        void this.#passOn(request, response)
      },
    )
    this.#server.on('connect', (request: IncomingMessage, connection: Connection, head: Buffer) => {
      void this.#tunnel(request, connection, head)
    })
    this.#server.on('clientError', (error: NodeJS.ErrnoException, connection: Connection) => {
      const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
      this.#open.get(connection)?.() // otherwise each further piece would be an error of its own
      if (connection.writable) connection.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
      connection.destroySoon()
      connection.resume()
    })
    this.#server.headersTimeout = 0 // Node looks after connections of servers that listen, and this one does not
    this.#server.requestTimeout = 0
  }

  take(connection: Connection): void {
    const { bounds, places } = this.#options
    connection.on('error', () => {})
    if (this.#closed.signal.aborted) return void connection.destroy()
    if (this.#open.size >= bounds.connections || places.taken >= bounds.allConnections) {
      connection.write(refusalOf(503, BUSY))
      return connection.destroySoon()
    }
    places.taken += 1
    this.#server.emit('connection', connection)
    this.#open.set(
      connection,
      readInSlices(connection, () => SLICE_BYTES),
    )
    const gone = new AbortController()
    connection.once('close', () => {
      gone.abort()
      this.#open.delete(connection)
      places.taken -= 1
    })
    void this.#await(connection, gone.signal)
  }

  close(): Promise<void> {
    return (this.#over ??= this.#end())
  }

  #end(): Promise<void> {
    this.#closed.abort()
    this.#traffic.close()
    for (const connection of this.#open.keys()) connection.destroy()
    return this.#options.closed()
  }

  /** Waits for the first request: Node's own timer of a connection begins only with that. */
  async #await(connection: Connection, gone: AbortSignal): Promise<void> {
    const asked = new AbortController()
    this.#asked.set(connection, asked)
    await this.#options.clock.sleep(this.#options.bounds.headersMs, AbortSignal.any([gone, asked.signal]))
    if (gone.aborted || asked.signal.aborted) return
    connection.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
    connection.destroySoon()
  }

  readonly #asked = new WeakMap<Duplex, AbortController>()

  async #tunnel({ url, socket }: IncomingMessage, connection: Connection, head: Buffer): Promise<void> {
    this.#asked.get(socket)?.abort()
    connection.pause()
    this.#open.get(connection)?.()
    const target = tunnelTarget(url)
    if (target === null)
      return this.#turnAway(connection, 400, 'CONNECT needs a host and a port, such as example.org:443')
    const reached = await this.#reach(target.host, target.port, connection)
    if (reached === null) return
    if (reached.outcome !== 'reached') return this.#turnAway(connection, reached.status, reached.text)
    const { socket: far } = reached
    connection.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) far.write(head)
    join(connection, far)
  }

  async #passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = request.socket
    this.#asked.get(connection)?.abort()
    if (!this.#unanswered.takes(request, response)) return
    const target = requestTarget(request.url)
    if (typeof target === 'string') return answer(response, 400, target)
    const framing = framingOf(request)
    if (framing === null) return answer(response, 501, 'this proxy passes on no transfer encoding but chunked')
    const reached = await this.#reach(target.host, target.port, connection)
    if (reached === null) return
    if (reached.outcome !== 'reached') return answer(response, reached.status, reached.text)
    const { socket: far } = reached
    far.setTimeout(0)
    const { method } = request
    const headers = { ...passedOn(request), ...framing, host: target.authority, connection: 'close' }
    // Without "agent": with one, Node ignores the connection that it is given and makes its own.
    const asking = ask({ method, path: target.path, headers, createConnection: () => far, setHost: false })
    const failed = (): void => {
      far.destroy()
      if (response.headersSent) response.destroy()
      else answer(response, 502, `${target.host} broke off before it had answered`)
    }
    response.once('close', () => far.destroy())
    asking.on('error', failed)
    asking.on('response', (given) => {
      given.on('error', failed)
      given.on('aborted', failed)
      try {
        response.writeHead(given.statusCode ?? 502, given.statusMessage, passedOn(given))
        given.pipe(response)
      } catch {
        failed()
      }
    })
    request.on('error', failed)
    request.pipe(asking)
  }

  /** Null: the client has gone. */
  async #reach(host: string, port: number, connection: Duplex): Promise<Reached | Unreached | null> {
    const { ledger } = this.#options
    const gone = new AbortController()
    const leave = () => gone.abort()
    connection.once('close', leave)
    const reached = this.#traffic.isUsedUp
      ? usedUp(host, port)
      : await reachHost(this.#options, host, port, AbortSignal.any([gone.signal, this.#closed.signal]))
    connection.off('close', leave)
    const tell = ledger.note(reached.host, reached.port, reached.outcome)
    if (reached.outcome === 'reached') this.#traffic.watch(reached.socket, tell)
    if (!connection.destroyed) return reached
    if (reached.outcome === 'reached') reached.socket.destroy()
    return null
  }

  #turnAway(connection: Connection, status: number, text: string): void {
    connection.write(refusalOf(status, text))
    connection.destroySoon()
    connection.resume() // drops what still comes
  }
}

const usedUp = (host: string, port: number): Unreached => ({ host: '', port: 0, outcome: 'failed', status: 403, text: `${host}:${port} was not reached: ${USED_UP}` }) // prettier-ignore

function join(near: Duplex, far: Duplex): void {
  near.once('close', () => far.destroy())
  // Cut off, not ended, if the far end was cut off: half an answer must not pass for a whole one.
  far.once('close', () => {
    if (!far.readableEnded) near.destroy()
  })
  near.pipe(far)
  far.pipe(near)
}

function answer(response: ServerResponse, status: number, text: string): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`)
}

const words: Record<number, string> = { 400: 'Bad Request', 403: 'Forbidden', 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout' } // prettier-ignore

function refusalOf(status: number, text: string): string {
  const body = `${text}\n`
  return [
    `HTTP/1.1 ${status} ${words[status] ?? 'Refused'}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
