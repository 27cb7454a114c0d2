import { chmod, mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { SessionHandlers } from '../ports/sandbox.ts'
import type { Clock } from '../process/clock.ts'
import { Turnstile } from '../process/turnstile.ts'
import { Connections } from './connections.ts'
import { defaultLinkLimits, type LinkLimits } from './link-limits.ts'
import { createServer } from '../process/node-http.ts'

/**
 * How long `GET /session` waits for an order before it answers 204; shorter than the timeouts of proxies and clients.
 */
const LONG_POLL_MS = 25_000

/** The longest path that a Unix socket may have on Linux, without the closing zero byte. */
const MAX_SOCKET_PATH = 107

/** Of a body that nobody reads yet. A client may send it a byte at a time, and each is an object of a hundred. */
const UNREAD_BYTES = 1024

/** How often connections are looked for that have sent no headers in time. */
const LOOK_MS = 5_000

/**
 * Everything that a container can reach, on a Unix socket in a folder of its own: the hub under `/git/`, the gateway
 * under `/v1/`, and its session's order with `GET /session`.
 */
export class Link {
  readonly folder: string
  #server: Server
  #connections: Connections
  #gits: Turnstile
  #clock: Clock
  #order: SessionOrder | null = null
  #handlers: SessionHandlers | null = null
  /** No order has been offered yet: a container that is older than this server asks too early, and is made to wait. */
  #new = true
  #offered = new AbortController()
  #onRequest: () => void = () => {}

  private constructor(folder: string, clock: Clock, limits: LinkLimits) {
    this.folder = folder
    this.#clock = clock
    this.#server = createServer(
      { connectionsCheckingInterval: Math.min(LOOK_MS, limits.headersMs), highWaterMark: UNREAD_BYTES },
      (request, response) => this.#answer(request, response),
    )
    this.#connections = new Connections(this.#server, limits, clock)
    this.#gits = new Turnstile(limits.gitAtOnce)
  }

  static async open(folder: string, clock: Clock, limits: Partial<LinkLimits> = {}): Promise<Link> {
    const socket = join(folder, 'link.sock')
    if (Buffer.byteLength(socket) > MAX_SOCKET_PATH) {
      throw new Error(`the path ${socket} is too long for a Unix socket: choose a data folder with a shorter path`)
    }
    const link = new Link(folder, clock, { ...defaultLinkLimits, ...limits })
    await mkdir(folder, { recursive: true, mode: 0o755 })
    await rm(socket, { force: true }) // left by a server that was killed
    await new Promise<void>((resolve, reject) => {
      link.#server.once('error', reject)
      link.#server.listen(socket, resolve)
    })
    // The agent has another user id than we do; access to the socket is limited by the folder's parent.
    await chmod(folder, 0o755)
    await chmod(socket, 0o666)
    return link
  }

  /** From now on the session gets this order, and its requests go to these handlers. */
  offer(order: SessionOrder, handlers: SessionHandlers, onRequest: () => void): void {
    this.#order = order
    this.#handlers = handlers
    this.#new = false
    this.#onRequest = onRequest
    this.#offered.abort()
    this.#offered = new AbortController()
  }

  /** Cuts off whatever a session has left running. */
  withdraw(): void {
    this.#order = null
    this.#handlers = null
    this.#new = false
    this.#onRequest = () => {}
    this.#server.closeAllConnections()
  }

  /**
   * Leaves the container running without this server: its connections fail and are tried again until the next server
   * has put its socket into the same folder.
   */
  letGo(): void {
    this.withdraw()
    this.#offered.abort()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.withdraw()
    this.#offered.abort()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
    await rm(this.folder, { recursive: true, force: true })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {}) // a container may go away in the middle of an answer
    if (!this.#connections.takes(request, response)) return
    this.#onRequest()
    const path = request.url ?? '/'
    if (path === '/session' && request.method === 'GET') return void this.#giveOrder(response)
    if (!/^\/(?:git|v1)\//.test(path)) return nothingHere(response)
    if (this.#new) return void this.#passOnLater(request, response, path)
    this.#passOn(request, response, path)
  }

  #passOn(request: IncomingMessage, response: ServerResponse, path: string): void {
    const handlers = this.#handlers
    if (!handlers) return nothingHere(response)
    if (path.startsWith('/git/')) void this.#passToGit(request, response)
    else handlers.model(request, response)
  }

  /** Each request has a process of its own, so only some have one at a time. */
  async #passToGit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    let leave: (() => void) | null = null
    response.once('close', () => {
      gone.abort()
      leave?.()
    })
    leave = await this.#gits.enter(gone.signal)
    if (leave === null) return
    if (gone.signal.aborted) return leave()
    if (this.#handlers) this.#handlers.git(request, response)
    else nothingHere(response)
  }

  async #passOnLater(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    await this.#offer(response)
    if (response.destroyed) return
    if (!this.#new) return this.#passOn(request, response, path)
    response.writeHead(503, { 'content-type': 'text/plain' }).end('not yet: this server has just started\n')
  }

  /** Waits until an order is offered, the caller has gone, or the time is up. */
  async #offer(response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    await this.#clock.sleep(LONG_POLL_MS, AbortSignal.any([this.#offered.signal, gone.signal]))
  }

  async #giveOrder(response: ServerResponse): Promise<void> {
    if (!this.#order) await this.#offer(response)
    if (response.destroyed) return
    if (!this.#order) return void response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.#order))
  }
}

function nothingHere(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here: the link serves /git/ and /v1/ only\n')
}
