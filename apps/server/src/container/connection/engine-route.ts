import type { Duplex } from 'node:stream'
import type { Clock } from '../../process/clock.ts'
import { DEFAULT_SOCKET, type EngineAddress, parseAddress, pemFiles, type Tls } from './address.ts'
import { askedFor, type Asked, type Choice, firstThatAnswers, isChoice, settingOf } from './choose-engine.ts'
import { configFolder, type ContextEndpoint, currentContext, DEFAULT_CONTEXT, readContext } from './docker-context.ts'
import { dial } from './dial.ts'
import { engineBefore, type EngineMemory, withEngineBefore } from './engine-memory.ts'
import { lookAround } from './look-around.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * The way to the engine: looked for with the first connection, and then kept, even while that engine is away: its
 * containers are nowhere else. Until one is found, each new connection looks again. For containers that an earlier
 * server has left on another engine, see `engine-memory.ts`.
 */
export class EngineRoute {
  readonly #around: Surroundings
  readonly #clock: Clock
  readonly #host: EngineAddress | null
  readonly #lookAround: typeof lookAround
  readonly #memory: EngineMemory | null
  #choice: Choice | null = null
  #looking: Promise<Choice> | null = null

  /** Throws `EngineError('refused')` when `DOCKER_HOST` cannot be an address. */
  constructor(around: Surroundings, clock: Clock, memory: EngineMemory | null = null, look = lookAround) {
    this.#lookAround = look
    this.#memory = memory
    this.#around = around
    this.#clock = clock
    this.#host = hostOf(around)
  }

  /** Null: not looked for yet, or nothing was found. */
  get choice(): Choice | null {
    return this.#choice
  }

  /** Rejects with an `EngineError` that lists the places searched. */
  async dial(): Promise<Duplex> {
    const { address } = this.#choice ?? (await this.#look())
    return dial(address, this.#around.env)
  }

  /** Connections at the same time share one look. */
  #look(): Promise<Choice> {
    this.#looking ??= this.#find().finally(() => (this.#looking = null))
    return this.#looking
  }

  async #find(): Promise<Choice> {
    const asked = await this.#asked()
    const isAsked = asked.host !== null || asked.context !== null
    const seen = isAsked ? [] : await this.#lookAround(this.#around, this.#clock)
    const choose = () => askedFor(asked) ?? firstThatAnswers(seen, asked.problems)
    const before = this.#memory && engineBefore(this.#memory)
    return (this.#choice = before ? withEngineBefore(before, asked, choose) : choose())
  }

  async #asked(): Promise<Asked> {
    const { named } = this.#around
    if (named !== undefined) return { host: this.#host, named, context: null, problems: [] }
    const folder = configFolder(this.#around)
    const wanted = this.#around.env['DOCKER_CONTEXT']?.trim() || null
    const none = { name: null, problem: null }
    const current = this.#host !== null || wanted !== null || folder === null ? none : await currentContext(folder)
    const from = wanted === null ? 'config' : 'DOCKER_CONTEXT'
    const name = wanted ?? current.name
    const problems = current.problem === null ? [] : [current.problem]
    if (!isChoice(name, from)) return { host: this.#host, context: null, problems }
    return { host: this.#host, context: { name, from, endpoint: await endpointOf(folder, name) }, problems }
  }
}

async function endpointOf(folder: string | null, name: string): Promise<ContextEndpoint> {
  if (name === DEFAULT_CONTEXT) return { address: { kind: 'unix', path: DEFAULT_SOCKET } }
  if (folder === null) return { problem: 'docker contexts cannot be found: neither HOME nor DOCKER_CONFIG is set' }
  return readContext(folder, name)
}

/** Throws `EngineError('refused')` for an address that cannot be used. */
function hostOf(around: Surroundings): EngineAddress | null {
  const host = around.env['DOCKER_HOST']?.trim()
  const source = around.named === undefined ? 'DOCKER_HOST' : settingOf(around.named)
  return host ? parseAddress(host, source, tlsOf(around)) : null
}

/** TLS for `tcp://` by the variables of the docker command; the engine's certificate is always checked. */
function tlsOf(around: Surroundings): Tls | null {
  const { DOCKER_CERT_PATH: path, DOCKER_TLS_VERIFY: verify } = around.env
  if (!path && !verify) return null
  return { folder: path || configFolder(around), needed: pemFiles, verify: true }
}
