import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { SessionHandlers } from '../ports/sandbox.ts'
import type { Clock } from '../process/clock.ts'
import { createServer } from '../process/node-http.ts'
import { Turnstile } from '../process/turnstile.ts'
import { Connections } from './connections.ts'
import { defaultLinkBounds, type LinkBounds } from './link-bounds.ts'

/** The longest wait of `GET /session` for an order before it answers 204; below the timeouts of proxies and clients. */
const LONG_POLL_MS = 25_000

/** Kept of a body that nobody reads yet. If a client sends single bytes, each takes an object of a hundred bytes. */
const UNREAD_BYTES = 1024

/**
 * Everything that a sandbox can ask of the server, as HTTP on the streams of its link: the hub under `/git/`, the gateway
 * under `/v1/`, and its session's order with `GET /session`.
 */
export class Requests {
  readonly #server: Server
  readonly #connections: Connections
  readonly #gits: Turnstile
  readonly #clock: Clock
  #order: SessionOrder | null = null
  #handlers: SessionHandlers | null = null
  /** No order has been offered yet: a sandbox that is older than this server asks too early, and has to wait. */
  #new = true
  #offered = new AbortController()
  #onRequest: () => void = () => {}

  constructor(clock: Clock, given: Partial<LinkBounds> = {}) {
    const bounds = { ...defaultLinkBounds, ...given }
    this.#clock = clock
    const answer = (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response)
    // Counts the requests, too, that Node would answer by itself.
    this.#server = createServer({ highWaterMark: UNREAD_BYTES, requireHostHeader: false }, answer)
    this.#server.on('checkExpectation', answer)
    this.#connections = new Connections(this.#server, bounds, clock)
    this.#gits = new Turnstile(bounds.gitAtOnce)
  }

  /** Serves a connection from the sandbox. */
  take(connection: Duplex): void {
    this.#server.emit('connection', connection)
  }

  /** Serves a connection from the sandbox to the proxy. Throws when the session may reach nothing outside. */
  reachOut(connection: Duplex): void {
    const door = this.#handlers?.egress
    if (!door) throw new Error('this session reaches no host outside')
    this.#onRequest()
    door.take(connection)
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

  /** Cuts off everything that a session has left running. */
  withdraw(): void {
    this.#order = null
    void this.#handlers?.egress?.close()
    this.#handlers = null
    this.#new = false
    this.#onRequest = () => {}
    this.#connections.closeAll()
  }

  close(): void {
    this.withdraw()
    this.#offered.abort()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {}) // a sandbox may go away in the middle of an answer
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

  /** Each request has a git process of its own, so only some run at once. */
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
    const leave = () => gone.abort()
    response.on('close', leave)
    await this.#clock.sleep(LONG_POLL_MS, AbortSignal.any([this.#offered.signal, gone.signal]))
    response.off('close', leave) // a pipeline adds seven of these, and Node warns of more than ten
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
