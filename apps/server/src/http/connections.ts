import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { ConnectionBounds } from '../process/descriptors.ts'
import { readInSlices } from '../process/in-slices.ts'
import { Unanswered } from '../process/unanswered.ts'
import type { Access } from './access/access.ts'

export type ClientBounds = Pick<ConnectionBounds, 'clients' | 'strangers'>

/** Requests of one connection that wait for their answers; browsers send one at a time. With more it is cut off. */
const UNANSWERED = 16

/** What is looked at of a stranger before the next one: a first request has about as much, and the smallest 28 times as little. */
const SLICE_BYTES = 512

/** Above the bound, while those that have to go are going. More are closed by the system. */
const BEYOND = 64

/**
 * The connections of a server. One that has shown a proof of access stays. The others are strangers, of whom only so many
 * are let in: for each further one the oldest has to go. So whoever holds connections without a token holds up nobody who
 * has one: a client that knows what it wants has asked, and so is no stranger any more, before its turn to go
 * comes.
 */
export class Connections {
  readonly #server: Server
  readonly #bounds: ClientBounds
  /** The oldest first. */
  readonly #strangers = new Set<Socket>()
  readonly #known = new Set<Socket>()
  /** How each is let go that becomes a WebSocket. */
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

  /** The same access, whose proofs are remembered. */
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

  /** False: nothing is to be done for this request, its connection is being closed. */
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

  /** What has come with a connection is read one turn of the loop after it was taken: until then nobody has to go. */
  async #trim(): Promise<void> {
    this.#trimming = true
    await setImmediate()
    await setImmediate()
    this.#trimming = false
    while (this.#isFull && this.#strangers.size > 1) this.#oldest()
    if (this.#isFull) this.#server.closeIdleConnections() // of clients that will ask again when they want something
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
