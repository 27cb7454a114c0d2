import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { ConnectionBounds } from '../process/descriptors.ts'
import { readInSlices } from '../process/in-slices.ts'
import { Unanswered } from '../process/unanswered.ts'
import type { Access } from './access/access.ts'

export type ClientBounds = Pick<ConnectionBounds, 'clients' | 'strangers'>

/** The most unanswered requests of one connection; browsers send one at a time. A connection with more is cut off. */
const UNANSWERED = 16

/**
 * The bytes read from a stranger before the next stranger's turn: about the size of a first request, or of 28 of the
 * smallest.
 */
const SLICE_BYTES = 512

/** The most connections beyond the bound while others are being closed. The system closes any further ones. */
const BEYOND = 64

/**
 * The connections of a server. A connection that has shown a proof of access stays. The others are strangers, and only
 * a limited number may be open: each further one closes the oldest. So connections without a token do not keep out a
 * client that has one: its first request makes it known before it could become the oldest stranger.
 */
export class Connections {
  readonly #server: Server
  readonly #bounds: ClientBounds
  /** The oldest first. */
  readonly #strangers = new Set<Socket>()
  readonly #known = new Set<Socket>()
  /** Ends the slicing of a connection that becomes a WebSocket. */
  readonly #slices = new WeakMap<Duplex, () => void>()
  readonly #unanswered = new Unanswered(UNANSWERED)
  #trimming = false

  constructor(server: Server, bounds: ClientBounds) {
    this.#server = server
    this.#bounds = bounds
    server.maxConnections = bounds.clients + BEYOND
    server.on('connection', (socket: Socket) => this.#take(socket))
    server.prependListener('upgrade', (_, socket) => this.#slices.get(socket)?.())
  }

  /** The same access, but connections with a proof are remembered. */
  remembering(access: Access): Access {
    return {
      ...access,
      proof: (request) => {
        const proof = access.proof(request)
        if (proof !== null) this.#trust(request)
        return proof
      },
      admit: (request) => {
        const admission = access.admit(request)
        if (admission.kind === 'admitted') this.#trust(request)
        return admission
      },
    }
  }

  /** False if the request must be ignored, because its connection is being closed. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    return !request.socket.destroyed && this.#unanswered.takes(request, response)
  }

  #take(socket: Socket): void {
    this.#strangers.add(socket)
    this.#slices.set(
      socket,
      readInSlices(socket, () => (this.#known.has(socket) ? Infinity : SLICE_BYTES)),
    )
    socket.once('close', () => {
      this.#strangers.delete(socket)
      this.#known.delete(socket)
    })
    if (this.#isFull && !this.#trimming) void this.#trim()
  }

  get #isFull(): boolean {
    const { clients, strangers } = this.#bounds
    return this.#strangers.size > strangers || this.#strangers.size + this.#known.size > clients
  }

  /** Closes none before the data that came with it is read: that is one turn of the loop after it was accepted. */
  async #trim(): Promise<void> {
    this.#trimming = true
    await setImmediate()
    await setImmediate()
    this.#trimming = false
    while (this.#isFull && this.#strangers.size > 1) this.#oldest()
    if (this.#isFull) this.#server.closeIdleConnections() // their clients reconnect when they want something
  }

  #oldest(): void {
    const [oldest] = this.#strangers
    if (!oldest) return
    this.#strangers.delete(oldest)
    oldest.destroy()
  }

  #trust({ socket }: IncomingMessage): void {
    if (this.#strangers.delete(socket)) this.#known.add(socket)
  }
}
