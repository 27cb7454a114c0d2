import { ForgeError, type ForgeKind, type ForgeRepository, type Forges } from '../ports/forge.ts'
import type { Clock } from '../process/clock.ts'
import { limited } from '../process/within.ts'
import { howToSet } from './answer.ts'
import { forgeByHost, forgeOfRemote, type Forge, type ForgeSources } from './forge-settings.ts'
import { kindsOfForges } from './forge-kinds.ts'
import { safeSentence } from './forge-text.ts'
import { giteaPulls } from './gitea.ts'
import { githubPulls } from './github.ts'
import { gitlabPulls } from './gitlab.ts'
import { openPull, type Pulls } from './open-pull.ts'
import { remoteAddress } from './remote-address.ts'
import type { Connection } from './rest-client.ts'

/** `data`: the data folder, with the token file. `env`: the server's, for tokens of the well-known forges. */
export type ForgesDeps = ForgeSources & { clock: Clock }

const clients: Record<ForgeKind, (connection: Connection) => Pulls> = {
  github: githubPulls,
  gitlab: gitlabPulls,
  gitea: giteaPulls,
}

/** One `open` usually makes at most three requests; a long list of pull requests takes more. */
const WHOLE_MS = 180_000

export function createForges(deps: ForgesDeps): Forges {
  const turns = new Turns()
  return {
    repositoryOf: async (source) => repositoryOf(deps, source),

    compareUrl({ host, kind, path }, base, head) {
      return `${webOf(deps, host)}/${path}${kindsOfForges[kind].compare(base, head)}`
    },

    async open(repository, request, signal) {
      const { host, kind, path } = repository
      const forge = forgeByHost(deps, host)
      if (forge === null || forge.kind !== kind) throw unknown(host)
      const token = tokenOf(forge)
      const { clock } = deps
      return turns.take(`${host} ${path} ${request.base}..${request.head}`, signal, () =>
        inTime(clock, host, signal, (either) =>
          openPull(clients[kind]({ clock, forge, token, path, signal: either }), request),
        ),
      )
    },
  }
}

function repositoryOf(sources: ForgeSources, source: string): ForgeRepository | null {
  const address = remoteAddress(source)
  const forge = address && forgeOfRemote(sources, address)
  if (!address || !forge) return null
  const path = address.via === 'ssh' ? address.path : belowWeb(forge, address.path)
  const parts = path?.split('/').length ?? 0
  if (path === null || (kindsOfForges[forge.kind].twoParts ? parts !== 2 : parts < 2)) return null
  return { kind: forge.kind, host: forge.host, path, hasToken: forge.token !== null || forge.problem !== null }
}

/**
 * The part of a path below the forge's own. A forge may be below a path of its host; https remotes contain that path,
 * ssh remotes do not.
 */
function belowWeb({ web }: Forge, path: string): string | null {
  const prefix = new URL(web).pathname.slice(1)
  if (prefix === '') return path
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : null
}

/** A broken token file must not cost a link. */
function webOf(sources: ForgeSources, host: string): string {
  try {
    return forgeByHost(sources, host)?.web ?? `https://${host}`
  } catch (error) {
    if (error instanceof ForgeError) return `https://${host}`
    throw error
  }
}

function tokenOf(forge: Forge): string {
  if (forge.token !== null) return forge.token
  const why = forge.problem ?? `there is no token for ${forge.host}`
  const sentence = `${why}. Make one there (${kindsOfForges[forge.kind].permission}), and ${howToSet(forge)}.`
  throw new ForgeError('no-token', safeSentence(sentence, null))
}

const unknown = (host: string): ForgeError =>
  new ForgeError(
    'no-token',
    safeSentence(`${host} is no longer a known forge: add it again with: beadloom forge add ${host}.`, null),
  )

/** Gives `work` a signal that aborts with the caller's signal, or when it takes too long as a whole. */
function inTime<T>(
  clock: Clock,
  host: string,
  signal: AbortSignal | undefined,
  work: (either: AbortSignal) => Promise<T>,
): Promise<T> {
  const sentence = `${host} took longer than ${WHOLE_MS / 60_000} minutes: try again later; nothing is opened twice.`
  return limited({ clock, ms: WHOLE_MS, or: signal, reason: () => new ForgeError('unavailable', sentence) }, work)
}

/**
 * Lets one in at a time for each key, in order: Gitea opens two pull requests for two simultaneous requests. A caller
 * that aborts while waiting gets its signal's reason at once.
 */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = after(before, signal).then(work)
    // If this one gives up, the next one still has to wait for those before it.
    const both = Promise.allSettled([before, mine])
    this.#last.set(key, both)
    try {
      return await mine
    } finally {
      void both.then(() => {
        if (this.#last.get(key) === both) this.#last.delete(key)
      })
    }
  }
}

async function after(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise: given, resolve: giveUp } = Promise.withResolvers<void>()
  const up = () => giveUp()
  signal?.addEventListener('abort', up, { once: true })
  await Promise.race([before.catch(() => {}), given])
  signal?.removeEventListener('abort', up)
  signal?.throwIfAborted()
}
