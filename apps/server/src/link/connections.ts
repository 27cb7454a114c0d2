import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../process/clock.ts'
import { Unanswered } from '../process/unanswered.ts'
import type { LinkLimits } from './link-limits.ts'

/** Refused connections that are still being told so. More than these are closed without an answer. */
const BEING_REFUSED = 32

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

/** A container's connections. Too many of them are refused to this container alone; no other one notices. */
export class Connections {
  readonly #limits: LinkLimits
  readonly #open = new Set<Socket>()
  readonly #refused = new WeakSet<Socket>()
  readonly #unanswered: Unanswered
  readonly #clock: Clock
  #chunked = 0

  constructor(server: Server, limits: LinkLimits, clock: Clock) {
    this.#limits = limits
    this.#unanswered = new Unanswered(limits.requestsPerConnection)
    this.#clock = clock
    server.maxConnections = limits.connections + BEING_REFUSED
    server.headersTimeout = limits.headersMs
    server.requestTimeout = 0 // a long pack or a long answer of a model may take any time
    server.on('connection', (socket: Socket) => this.#take(socket))
    server.on('error', () => {}) // no descriptor for the next connection: there may be one a moment later
  }

  /** False: nothing is to be done for this request, its connection is being closed. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    const over = () => void this.#endRest(request)
    if (this.#refused.has(request.socket) || !this.#unanswered.takes(request, response, over)) return false
    return request.headers['transfer-encoding'] === undefined || this.#takesChunks(request, response)
  }

  #takesChunks(request: IncomingMessage, response: ServerResponse): boolean {
    this.#chunked += 1
    onceOver(request, () => (this.#chunked -= 1))
    if (this.#chunked <= this.#limits.chunkedAtOnce) return true
    response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', connection: 'close' }).end(CHUNKED)
    return false
  }

  /** What comes after the answer is read and dropped, but not for ever. */
  async #endRest(request: IncomingMessage): Promise<void> {
    if (request.complete || request.socket.destroyed) return
    const ended = new AbortController()
    onceOver(request, () => ended.abort())
    await this.#clock.sleep(this.#limits.restMs, ended.signal)
    if (!request.complete) request.socket.destroy()
  }

  #take(socket: Socket): void {
    if (this.#open.size < this.#limits.connections) {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
      return
    }
    this.#refused.add(socket)
    socket.on('error', () => {})
    socket.write(REFUSAL)
    socket.destroySoon()
  }
}

/** When the last byte was read, or its connection is gone: Node closes no request that has its answer already. */
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
