import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseBeadId, parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { createGateway } from '@beadloom/server/src/gateway/create-gateway.ts'
import type { GatewayCaller } from '@beadloom/server/src/ports/gateway.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'

/** A model's endpoint outside of every server: it speaks all three APIs, plays one bead's script, and can be slow. */
export class ScriptedEndpoint {
  readonly url: string
  /** Keys that callers sent, in any API. */
  readonly keys = new Set<string>()
  /** The requests of agents' own steps, oldest first. */
  readonly requests: string[] = []
  #server: Server
  #called = Promise.withResolvers<void>()
  #silent = false

  private constructor(server: Server, scenariosFolder: string, scenario: string, bead: string) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const log = () => {}
    const gateway = createGateway({
      upstream: null,
      scenariosFolder,
      clock: systemClock,
      random: () => 0,
      log: { info: log, warn: log, error: log },
    })
    const caller = callerFor(scenario, bead, (body) => void this.requests.push(body))
    server.on('request', (request, response) => {
      const key = request.headers['x-api-key'] ?? request.headers.authorization?.replace(/^Bearer /, '')
      if (key) this.keys.add(String(key))
      this.#called.resolve()
      if (!this.#silent) return gateway.handle(caller, request, response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': thinking\n\n')
    })
  }

  static async start(scenariosFolder: string, scenario: string, bead: string): Promise<ScriptedEndpoint> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ScriptedEndpoint(server, scenariosFolder, scenario, bead)
  }

  /** Resolves at the next call. */
  called(): Promise<void> {
    this.#called = Promise.withResolvers()
    return this.#called.promise
  }

  /** `true`: answers begin and never continue. */
  silent(silent: boolean): void {
    this.#silent = silent
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

function callerFor(scenario: string, bead: string, seen: (body: string) => void): GatewayCaller {
  const execution = parseExecutionId('ex-0123456789')
  return {
    execution,
    session: sessionIdOf(execution, 1),
    bead: parseBeadId(bead),
    attempt: 1,
    model: 'scripted',
    scenario,
    hosted: [],
    usedUp: () => null,
    isHeld: () => false,
    whileHeld: async () => null,
    whileWaiting: (wait) => wait(),
    tell: () => {},
    messages: {
      toAdd: (body) => {
        seen(body())
        return []
      },
      delivered: () => {},
    },
  }
}
