import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { LinkLimits } from './link-limits.ts'

/** Connections that have their refusal and wait for their end. More than these are closed without a word. */
const BEING_REFUSED = 32

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

/** A container's connections: what is too many is refused for the one who asks for it, and nobody else hears of it. */
export class Connections {
  readonly #limits: LinkLimits
  readonly #open = new Set<Socket>()
  readonly #refused = new WeakSet<Socket>()
  /** Requests without an answer, by connection. */
  readonly #pending = new WeakMap<Socket, number>()

  constructor(server: Server, limits: LinkLimits) {
    this.#limits = limits
    server.maxConnections = limits.connections + BEING_REFUSED
    server.headersTimeout = limits.headersMs
    server.requestTimeout = 0 // a long pack or a long answer of a model may take any time
    server.on('connection', (socket: Socket) => this.#take(socket))
    server.on('error', () => {}) // no descriptor for the next connection: there may be one a moment later
  }

  /** False: nothing is to be done for this request, its connection is being closed. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    if (this.#refused.has(socket)) return false
    const pending = (this.#pending.get(socket) ?? 0) + 1
    this.#pending.set(socket, pending)
    response.once('close', () => this.#pending.set(socket, (this.#pending.get(socket) ?? 1) - 1))
    if (pending <= this.#limits.requestsPerConnection) return true
    socket.destroy()
    return false
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
