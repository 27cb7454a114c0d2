import { EngineError } from '../../ports/engine.ts'
import { type EngineAddress, isPrivate, nameOf } from './address.ts'
import { DEFAULT_CONTEXT, type ContextEndpoint } from './docker-context.ts'
import { howToStart } from './products.ts'

/** The engine that was chosen. The texts are parts of sentences. */
export type Choice = {
  address: EngineAddress
  /** "DOCKER_HOST is set" */
  why: string
  /** Other engines, and why they were not taken: "also found: …", "… does not answer". */
  others: string[]
  /** The way to choose another engine: "set DOCKER_HOST to where it listens". */
  change: string
  /** Weaknesses of the connection to it. */
  weaker: string[]
}

/** Somebody's own choice. `host`: the address of `DOCKER_HOST`, or the one that `config.json` has for `named`. */
export type Asked = {
  host: EngineAddress | null
  named?: string | undefined
  context: { name: string; from: 'DOCKER_CONTEXT' | 'config'; endpoint: ContextEndpoint } | null
  /** Settings that could not be used: a broken config.json. */
  problems: string[]
}

/** A usual socket that is there. `sameAs`: one before it in the list leads to the same place. */
export type SocketSeen = { path: string; sameAs: string | null; answer: Answer }
export type Answer = 'answers' | 'no permission' | 'does not answer' | 'is no container engine'

/**
 * Somebody's choice, in the order of the docker command: `DOCKER_HOST`, `DOCKER_CONTEXT`, `docker context use`. Null:
 * there is none. A choice is never replaced by another engine: if it cannot be used, this throws.
 */
export function askedFor({ host, named, context, problems }: Asked): Choice | null {
  if (host !== null && named !== undefined)
    return choice(host, `config.json calls it "${named}"`, `correct ${settingOf(named)}`, [])
  if (host !== null) {
    const ignored = context?.from === 'DOCKER_CONTEXT' ? ['DOCKER_CONTEXT is ignored'] : []
    return choice(host, 'DOCKER_HOST is set', 'correct or unset DOCKER_HOST', [...ignored, ...problems])
  }
  if (context === null) return null
  const { name, from, endpoint } = context
  const isSet = from === 'DOCKER_CONTEXT'
  const change = isSet ? 'correct or unset DOCKER_CONTEXT' : 'choose another one with docker context use'
  if ('problem' in endpoint) {
    const whose = isSet ? 'DOCKER_CONTEXT is set' : 'it is the current one'
    throw new EngineError('refused', `${endpoint.problem}, and ${whose}: ${change} (docker context ls lists them)`)
  }
  const why = isSet ? `DOCKER_CONTEXT is ${name}` : `the current docker context is ${name}`
  return choice(endpoint.address, why, change, problems)
}

/** The setting with the address of a named engine, for people. */
export const settingOf = (named: string): string => `"engines.${named}.docker" in config.json`

/** Chooses the first usual socket that answers. Throws if none does, and says what there is. */
export function firstThatAnswers(seen: readonly SocketSeen[], problems: readonly string[]): Choice {
  const different = seen.filter(({ sameAs }) => sameAs === null)
  const taken = different.find(({ answer }) => answer === 'answers')
  if (!taken) throw new EngineError('unreachable', nothingAnswers(different, problems))
  const also = different.filter((one) => one !== taken && one.answer === 'answers').map(({ path }) => path)
  return choice(
    { kind: 'unix', path: taken.path },
    'the first of the usual sockets that answers',
    'set DOCKER_HOST to where it listens',
    [...(also.length > 0 ? [`also found: ${also.join(', ')}`] : []), ...passedOver(different), ...problems],
  )
}

/**
 * Whether a context is a choice: Docker's "default" in its file is none, in `DOCKER_CONTEXT` it is its usual socket.
 */
export const isChoice = (name: string | null, from: 'DOCKER_CONTEXT' | 'config'): name is string =>
  name !== null && (from === 'DOCKER_CONTEXT' || name !== DEFAULT_CONTEXT)

function choice(address: EngineAddress, why: string, change: string, others: string[]): Choice {
  const weaker = [
    ...(isPrivate(address)
      ? []
      : [
          `${nameOf(address)} has no TLS, so anybody who can read or change what is sent to it is root there; use TLS or ssh:// (https://docs.docker.com/engine/security/protect-access/)`,
        ]),
    ...(address.kind === 'tcp' && address.tls?.verify === false
      ? [`the certificate of ${nameOf(address)} is not checked: the docker context says so (skip-tls-verify)`]
      : []),
  ]
  return { address, why, change, others, weaker }
}

const passedOver = (seen: readonly SocketSeen[]): string[] =>
  seen.filter(({ answer }) => answer !== 'answers').map(({ path, answer }) => sentence(path, answer))

const sentence = (path: string, answer: Answer): string =>
  answer === 'no permission' ? `${path} may not be used by this user` : `${path} ${answer}`

function nothingAnswers(seen: readonly SocketSeen[], problems: readonly string[]): string {
  const [first] = seen
  const forbidden = seen.find(({ answer }) => answer === 'no permission')
  const found = [...passedOver(seen), ...problems]
  const said = found.length > 0 ? `: ${found.join('; ')}` : ': none of the usual sockets is there'
  const start = howToStart({ kind: 'unix', path: first?.path ?? '' }).replace('start it', 'start Docker')
  const allow =
    'add your user to the group that owns it (sudo usermod -aG docker "$USER", then sign in again), or start Beadloom as root'
  const todo = `${forbidden ? allow : start}, or set DOCKER_HOST to where an engine listens`
  return `no container engine answers${said}. ${todo[0]?.toUpperCase()}${todo.slice(1)}`
}

/** The engine's address and the reason for the choice, for people. */
export const describeChoice = ({ address, why, others }: Choice): string =>
  [`${nameOf(address)}: ${why}`, ...others].join('; ')
