import type { ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import { Agent } from '../../process/node-http.ts'

/**
 * Gives HTTP requests connections that `dial` makes, whatever they are made of. None is kept alive: one that was idle
 * while the engine restarted would fail the next call needlessly.
 */
export class EngineAgent extends Agent {
  readonly #dial: () => Promise<Duplex>

  constructor(dial: () => Promise<Duplex>) {
    super({ keepAlive: false })
    this.#dial = dial
  }

  override createConnection(_: ClientRequestArgs, done: (error: Error | null, stream: Duplex) => void): undefined {
    void this.#connect(done)
  }

  async #connect(done: (error: Error | null, stream: Duplex) => void): Promise<void> {
    let stream: Duplex
    try {
      stream = await this.#dial()
    } catch (error) {
      return done(error as Error, undefined as unknown as Duplex) // Node looks at the error first
    }
    done(null, stream)
  }
}
