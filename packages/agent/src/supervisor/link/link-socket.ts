import { createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../process/clock.ts'
import type { SupervisorLink } from './supervisor-link.ts'
import { Turns } from './turns.ts'

/** The kind of stream for a connection of the sandbox: requests to the hub and to models, or to hosts outside. */
export type ConnectionKind = 'http' | 'egress'

/** The most streams for each kind. Hosts outside are limited, so that streams are left for git and the model. */
const MOST_STREAMS = { http: Infinity, egress: 24 }
/** The most connections, including those that wait for a stream; a further one is closed. */
const MOST_CONNECTIONS = 512

/**
 * The longest wait of a connection for the next server, which takes seconds to start. A client that is cut off then
 * asks again.
 */
const GIVE_UP_AFTER_MS = 75_000

/** The time for which data after the answer is still read and dropped, so that its sender gets to read the answer. */
const REST_MS = 5_000

/**
 * A local socket that makes a stream to the server of every connection. A connection that comes between two servers
 * waits.
 */
export class LinkSocket {
  readonly #server: Server
  readonly #clients = new Set<Socket>()
  readonly #link: SupervisorLink
  readonly #clock: Clock
  readonly #isTcp: boolean
  readonly #kind: ConnectionKind
  readonly #turns: Turns

  private constructor(link: SupervisorLink, clock: Clock, isTcp: boolean, kind: ConnectionKind) {
    this.#isTcp = isTcp
    this.#kind = kind
    this.#turns = new Turns(MOST_STREAMS[kind])
    this.#link = link
    this.#clock = clock
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
      this.#clients.add(client)
      client.once('close', () => this.#clients.delete(client))
      void this.#forward(client)
    })
    this.#server.maxConnections = MOST_CONNECTIONS
  }

  /** `where`: a path, or a port of the loopback. Rejects when it is taken. */
  static async open(
    where: ListenOptions,
    link: SupervisorLink,
    clock: Clock,
    kind: ConnectionKind = 'http',
  ): Promise<LinkSocket> {
    const socket = new LinkSocket(link, clock, where.path === undefined, kind)
    await new Promise<void>((resolve, reject) => {
      socket.#server.once('error', reject)
      socket.#server.listen(where, resolve)
    })
    return socket
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const client of this.#clients) client.destroy()
    })
  }

  async #forward(client: Socket): Promise<void> {
    const gone = new AbortController()
    client.on('error', () => {}) // 'close' follows and is what counts
    client.once('close', () => gone.abort())
    if (!(await this.#turns.enter(gone.signal))) return
    const stream = await this.#reach(gone.signal)
    if (!stream || gone.signal.aborted) {
      stream?.destroy()
      this.#turns.leave()
      return this.#breakOff(client)
    }
    stream.on('error', () => {})
    stream.once('close', () => this.#turns.leave())
    client.once('close', () => stream.destroy())
    stream.once('close', () => {
      if (!stream.readableEnded) return this.#breakOff(client)
      if (!client.writableEnded) client.end()
      client.unpipe(stream)
      this.#dropRest(client)
    })
    client.pipe(stream)
    stream.pipe(client)
  }

  /** The server has answered and no longer listens: a client that is still sending would wait for a reader for ever. */
  #dropRest(client: Socket): void {
    const late = this.#clock.monotonic() + REST_MS
    client.on('data', () => {
      if (this.#clock.monotonic() > late) this.#breakOff(client)
    })
    client.resume()
  }

  /** Breaks off with a reset if possible, so that the client does not take what it got for a complete answer. */
  #breakOff(client: Socket): void {
    if (this.#isTcp) client.resetAndDestroy()
    else client.destroy()
  }

  async #reach(gone: AbortSignal): Promise<Duplex | null> {
    const until = this.#clock.monotonic() + GIVE_UP_AFTER_MS
    for (let left = GIVE_UP_AFTER_MS; left > 0 && !gone.aborted; left = until - this.#clock.monotonic()) {
      const stream = this.#link.open(this.#kind, {})
      if (stream) return stream
      const over = new AbortController()
      const given = AbortSignal.any([gone, over.signal])
      await Promise.race([this.#link.whenTaken(given), this.#clock.sleep(left, given)])
      over.abort()
    }
    return null
  }
}
