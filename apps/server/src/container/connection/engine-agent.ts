import type { ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import { inspect } from 'node:util'
import { Agent } from '../../process/node-http.ts'
import { SshStream } from './ssh-stream.ts'

/** Longer than the time between two looks at the engine's health, so one ssh serves all of them. */
const KEPT_MS = 10_000
const MOST_KEPT = 4

/**
 * Gives HTTP requests connections of any kind, made by `dial`. Only ssh connections are kept alive: signing in takes up
 * to a second, and they end by themselves when the engine does. Any other one that was idle while the engine restarted
 * would fail the next call needlessly.
 */
export class EngineAgent extends Agent {
  /** Node's own setting, which it reads with each request. */
  declare keepAlive: boolean
  readonly #dial: () => Promise<Duplex>

  constructor(dial: () => Promise<Duplex>) {
    super({ keepAlive: false, timeout: KEPT_MS, maxFreeSockets: MOST_KEPT })
    this.#dial = dial
  }

  /**
   * docker-modem formats every request for its log, with all objects in it, even if nobody reads the log: for an agent
   * with its sockets, that takes 3 ms of each call.
   */
  [inspect.custom](): string {
    return 'EngineAgent'
  }

  override createConnection(_: ClientRequestArgs, done: (error: Error | null, stream: Duplex) => void): undefined {
    void this.#connect(done)
  }

  async #connect(done: (error: Error | null, stream: Duplex) => void): Promise<void> {
    let stream: Duplex
    try {
      stream = await this.#dial()
    } catch (error) {
      return done(error as Error, undefined as unknown as Duplex) // Node reads the error first
    }
    this.keepAlive = stream instanceof SshStream
    done(null, stream)
  }
}
