import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { EngineError } from '../ports/engine.ts'
import type { Clock } from '../process/clock.ts'
import { nameOf } from './connection/address.ts'
import type { Choice } from './connection/choose-engine.ts'
import { connect } from './connection/docker-connection.ts'
import { EngineRoute } from './connection/engine-route.ts'
import { howToRestart } from './connection/products.ts'
import { surroundingsOf } from './connection/surroundings.ts'
import { asUnreachable, mayBeGoingDown, toEngineError } from './docker-error.ts'
import { defaultBounds, type Bounds, type DockerEngineOptions } from './docker-options.ts'

export type ApiRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string | number | boolean | string[]>
  body?: object
  signal: AbortSignal
}

/** An engine that goes down is gone after this time. */
const GOING_MS = 1_000

/** Docker's client with time limits: no call waits for ever on a silent daemon, and every error is an EngineError. */
export class DockerClient {
  readonly docker: Docker
  readonly #route: EngineRoute
  readonly clock: Clock
  readonly bounds: Bounds

  /** Throws `EngineError('refused')` when `DOCKER_HOST` cannot be an address. Connects with the first call. */
  constructor({
    env,
    dockerHost,
    named,
    clock,
    bounds,
    memory,
  }: Pick<DockerEngineOptions, 'env' | 'dockerHost' | 'named' | 'clock' | 'bounds' | 'memory'>) {
    const around = surroundingsOf(dockerHost ? { ...env, DOCKER_HOST: dockerHost } : (env ?? {}), named)
    this.#route = new EngineRoute(around, clock, memory)
    this.docker = connect(this.#route)
    this.clock = clock
    this.bounds = { ...defaultBounds, ...bounds }
  }

  /** The chosen engine; null until one was found. */
  get choice(): Choice | null {
    return this.#route.choice
  }

  /** Makes one quick call. `doing` completes "Docker could not …"; the signal aborts when the time is up. */
  async call<T>(doing: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const done = new AbortController()
    const late = this.clock.sleep(this.bounds.callMs, done.signal).then(() => {
      if (done.signal.aborted) return new Promise<never>(() => {})
      throw this.#silent(doing)
    })
    try {
      return await Promise.race([work(controller.signal), late])
    } catch (error) {
      controller.abort()
      throw await this.#judged(toEngineError(error, doing, this.choice))
    } finally {
      done.abort()
    }
  }

  /**
   * Makes a call that may take long (a build, a commit). It continues as long as the daemon answers a ping every
   * `callMs`, and ends at once when `abandon` aborts.
   */
  async whileAlive<T>(doing: string, work: (signal: AbortSignal) => Promise<T>, abandon?: AbortSignal): Promise<T> {
    const controller = new AbortController()
    const done = new AbortController()
    const abandoned = rejectionOn(
      abandon,
      done.signal,
      () => new EngineError('refused', `stopped before Docker could ${doing}`),
    )
    try {
      return await Promise.race([work(controller.signal), this.#watch(done.signal), abandoned])
    } catch (error) {
      controller.abort()
      throw await this.#judged(toEngineError(error, doing, this.choice))
    } finally {
      done.abort()
    }
  }

  async ping(): Promise<void> {
    await this.call('answer a ping', (signal) => this.request({ method: 'GET', path: '/_ping', signal }))
  }

  /**
   * For requests whose dockerode methods drop the signal or part of the answer, or do not notice that it broke off
   * half-way. Resolves with the answer's JSON, or with its text if it is none.
   */
  async request(what: ApiRequest): Promise<unknown> {
    const parts: Buffer[] = []
    for await (const part of await this.stream(what)) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text
    }
  }

  /** The answer as a stream. It fails when the connection breaks, which `request` would never notice. */
  async stream(what: ApiRequest): Promise<Readable> {
    return (await this.#dial(what)) as Readable
  }

  #dial({ method, path, query = {}, body = {}, signal }: ApiRequest): Promise<unknown> {
    const request = {
      method,
      path: `${path}?`,
      options: { _query: query, _body: body },
      abortSignal: signal,
      isStream: true,
      statusCodes: { 200: true, 201: true, 204: true, 304: true },
    }
    return new Promise((resolve, reject) => {
      this.docker.modem.dial(request, (error: unknown, answer: unknown) => (error ? reject(error) : resolve(answer)))
    })
  }

  /** An engine that is restarted answers its last requests with errors of its own, and a moment later it is away. */
  async #judged(error: EngineError): Promise<EngineError> {
    if (!mayBeGoingDown(error)) return error
    await this.clock.sleep(Math.min(this.bounds.pollMs, GOING_MS))
    const isThere = await this.#answersPing()
    return isThere ? error : asUnreachable(error)
  }

  async #answersPing(): Promise<boolean> {
    const controller = new AbortController()
    const done = new AbortController()
    const ping = this.request({ method: 'GET', path: '/_ping', signal: controller.signal })
    const late = this.clock.sleep(this.bounds.callMs, done.signal).then(() => false)
    try {
      return await Promise.race([ping.then(() => true).catch(() => false), late])
    } finally {
      controller.abort()
      done.abort()
    }
  }

  async #watch(done: AbortSignal): Promise<never> {
    while (true) {
      await this.clock.sleep(this.bounds.callMs, done)
      if (done.aborted) return new Promise<never>(() => {})
      await this.ping()
    }
  }

  #silent(doing: string): EngineError {
    const seconds = Math.round(this.bounds.callMs / 1000)
    const [at, restart] = this.choice
      ? [` at ${nameOf(this.choice.address)}`, howToRestart(this.choice.address)]
      : ['', 'Restart it']
    return new EngineError(
      'timed-out',
      `Docker${at} was asked to ${doing} and has not answered for ${seconds} s: it is overloaded or stuck. ${restart}`,
    )
  }
}

/** Rejects when `signal` aborts, unless `done` came first. */
function rejectionOn(signal: AbortSignal | undefined, done: AbortSignal, error: () => Error): Promise<never> {
  return new Promise((_, reject) => {
    if (!signal) return
    if (signal.aborted) return reject(error())
    signal.addEventListener('abort', () => reject(error()), { once: true, signal: done })
  })
}
