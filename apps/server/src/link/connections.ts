import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../process/clock.ts'
import { readInSlices } from '../process/in-slices.ts'
import { Unanswered } from '../process/unanswered.ts'
import type { LinkBounds } from './link-bounds.ts'

const CHUNKED =
  'this container has too many requests without a Content-Length in progress: send one, or try again in a second\n'
const BUSY = 'this container has too many connections open: close some, or try again in a second\n'
const REFUSAL = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/plain',
  `Content-Length: ${BUSY.length}`,
  'Retry-After: 1',
  'Connection: close',
  '',
  BUSY,
].join('\r\n')

/** The time for which an idle connection is kept. A client that sends just when it is closed has to send again. */
const KEPT_MS = 60_000
const TOO_LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** Bytes of the input that are read at once: during a body, and otherwise. */
const SLICE_BYTES = { body: 4096, head: 512 }

/** The pause between searches for connections that have sent no headers in time. */
const LOOK_MS = 5_000

/** A stream of the link or a socket, with what Node's server asks of it. */
type Connection = Duplex & { destroySoon(): void }

/**
 * `since`: the start of the wait for the rest of a request's headers, in monotonic milliseconds; null: a request is
 * being answered, or the connection is kept and idle. `begun`: something has come since the last whole headers.
 */
type Head = { since: number | null; begun: boolean }

/** A container's connections. If there are too many, only this container is refused. */
export class Connections {
  readonly #bounds: LinkBounds
  readonly #open = new Map<Connection, Head>()
  readonly #refused = new WeakSet<Duplex>()
  /** The last request of each. */
  readonly #latest = new WeakMap<Duplex, IncomingMessage>()
  #looks = false
  readonly #unanswered: Unanswered
  readonly #clock: Clock
  #chunked = 0

  constructor(server: Server, bounds: LinkBounds, clock: Clock) {
    this.#bounds = bounds
    this.#unanswered = new Unanswered(bounds.requestsPerConnection)
    this.#clock = clock
    server.headersTimeout = 0 // Node looks after connections of servers that listen, and this one does not
    server.requestTimeout = 0 // a long pack or a long answer of a model may take any time
    server.keepAliveTimeout = KEPT_MS
    server.on('connection', (connection: Connection) => this.#take(connection))
  }

  closeAll(): void {
    for (const connection of this.#open.keys()) connection.destroy()
  }

  /** False: do nothing for this request, its connection is being closed. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    if (this.#refused.has(socket)) return false
    this.#latest.set(socket, request)
    const head = this.#open.get(socket as Connection)
    if (head) Object.assign(head, { since: null, begun: false } satisfies Head)
    const over = (): void => {
      this.#wait(socket)
      void this.#endRest(request)
    }
    if (!this.#unanswered.takes(request, response, over)) return false
    return request.headers['transfer-encoding'] === undefined || this.#takesChunks(request, response)
  }

  #takesChunks(request: IncomingMessage, response: ServerResponse): boolean {
    this.#chunked += 1
    onceOver(request, () => (this.#chunked -= 1))
    if (this.#chunked <= this.#bounds.chunkedAtOnce) return true
    response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', connection: 'close' }).end(CHUNKED)
    return false
  }

  /** Reads and drops the rest of a body after the answer, for a limited time. */
  async #endRest(request: IncomingMessage): Promise<void> {
    if (request.complete || request.socket.destroyed) return
    const ended = new AbortController()
    onceOver(request, () => ended.abort())
    await this.#clock.sleep(this.#bounds.restMs, ended.signal)
    if (!request.complete) request.socket.destroy()
  }

  /** A kept, idle connection is not late: a client would take a 408 for the answer to its next request. */
  #wait(connection: Duplex): void {
    const head = this.#open.get(connection as Connection)
    if (head?.begun && this.#unanswered.isDone(connection)) head.since ??= this.#clock.monotonic()
  }

  /** Notes that bytes came, and returns how many may be read at once. */
  #come(connection: Connection): number {
    if (this.#latest.get(connection)?.complete === false) return SLICE_BYTES.body
    const head = this.#open.get(connection)
    if (head) head.begun = true
    this.#wait(connection)
    return SLICE_BYTES.head
  }

  async #look(): Promise<void> {
    if (this.#looks) return
    this.#looks = true
    while (this.#open.size > 0) {
      await this.#clock.sleep(Math.min(LOOK_MS, this.#bounds.headersMs))
      const late = this.#clock.monotonic() - this.#bounds.headersMs
      for (const [connection, head] of this.#open) {
        if (head.since === null || head.since > late) continue
        head.since = null // told once
        tooLate(connection)
      }
    }
    this.#looks = false
  }

  #take(socket: Connection): void {
    if (this.#open.size < this.#bounds.connections) {
      this.#open.set(socket, { since: this.#clock.monotonic(), begun: false })
      readInSlices(socket, () => this.#come(socket))
      socket.once('close', () => this.#open.delete(socket))
      void this.#look()
      return
    }
    this.#refused.add(socket)
    socket.on('error', () => {})
    socket.write(REFUSAL)
    socket.destroySoon()
  }
}

function tooLate(connection: Connection): void {
  connection.write(TOO_LATE)
  connection.destroySoon()
}

/** Calls back when the last byte is read or the connection is gone: Node closes no request that it has answered. */
function onceOver(request: IncomingMessage, over: () => void): void {
  const { socket } = request
  const end = () => {
    socket.off('close', end)
    request.off('close', end)
    over()
  }
  socket.once('close', end)
  request.once('close', end)
}
