import type { ProjectId } from '@beadloom/core/records/ids.ts'
import {
  HubError,
  type FetchingModules,
  type HubProject,
  type Modules as Found,
  type WatchTransfer,
} from '../../ports/hub.ts'
import type { Clock } from '../../process/clock.ts'
import { limited } from '../../process/within.ts'
import type { Clones } from '../clones/clones.ts'
import { MODULES } from '../clones/names.ts'
import type { Git } from '../git/git.ts'
import { Refs } from '../git/refs.ts'
import { ProjectQueue } from '../project-queue.ts'
import { currentProject } from '../remote/fetch.ts'
import { withoutCredentials } from '../remote/remote.ts'
import { fetchModule } from './fetch-module.ts'
import type { Place } from './module-address.ts'
import { walkModules, type Missing, type Wanted } from './walk-modules.ts'

type Deps = { git: Git; clones: Clones; clock: Clock; env: Readonly<Record<string, string | undefined>> }

const LIMIT_MS = 15 * 60_000
/** How long a submodule that failed is not asked for again. */
const AGAIN_MS = 5 * 60_000
const MOST_REMEMBERED = 200
const MOST_KEPT = 200
const MOST_BYTES = 4 * 1024 ** 3
const MOST_FAILURES = 10

type Failure = Pick<Missing, 'why' | 'fix'> & { at: number }

/** The addresses and commits that one commit of the base branch names. */
type Named = { commit: string; addresses: ReadonlySet<string>; pointed: ReadonlySet<string>; found: Found }

/** One walk that asks. `allowed`: addresses that may be asked; null: this is the base branch, which names them. */
type Asking = {
  gitDir: string
  project: HubProject
  allowed: ReadonlySet<string> | null
  signal: AbortSignal
  watch: WatchTransfer
  /** For everything together: a commit may point to very much, and to very much that does not exist. */
  left: { bytes: number; failures: number }
}

/** The submodules of all projects. */
export class Modules {
  readonly #deps: Deps
  /** Not the queue of the project's fetches: a host that hangs here must delay nothing else. */
  readonly #queue = new ProjectQueue()
  readonly #failures = new Map<string, Failure>()
  readonly #named = new Map<ProjectId, Named>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The submodules of a commit that are here. Asks nobody. */
  async known(project: ProjectId, commit: string): Promise<Found> {
    return (await this.#look(project, commit)).found
  }

  /** Fetches the missing ones, for one commit of a project after the other. */
  async fetch(
    project: HubProject,
    commit: string,
    { signal, watch = () => {}, anew = false }: FetchingModules = {},
  ): Promise<Found> {
    if (anew) this.forget(project.id)
    const { found, due } = await this.#look(project.id, commit)
    if (due.length === 0) return found
    const limit = { clock: this.#deps.clock, ms: LIMIT_MS, ...(signal && { or: signal }) }
    try {
      const run = () => limited(limit, (either) => this.#fetchAll(project, commit, either, watch))
      return await this.#queue.run(project.id, run, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof HubError) && (error as Error).name !== 'AbortError') throw error
      const why = error instanceof HubError ? error.message : 'fetching all of them took longer than 15 minutes'
      for (const one of due) this.#note(project.id, one, { path: one.path, why, fix: null })
      return this.known(project.id, commit)
    }
  }

  /** `due`: submodules that may be asked for, as nobody has in the last minutes. */
  async #look(project: ProjectId, commit: string): Promise<{ found: Found; due: Wanted[] }> {
    const { git, clones, clock } = this.#deps
    const gitDir = await clones.known(project)
    if (gitDir === null) return { found: { here: [], missing: [] }, due: [] }
    const due: Wanted[] = []
    const come = async (wanted: Wanted): Promise<Missing> => {
      const failure = this.#failures.get(keyOf(project, wanted))
      if (failure === undefined || clock.monotonic() - failure.at >= AGAIN_MS) due.push(wanted)
      const { why, fix } = failure ?? { why: 'nobody has asked for it yet', fix: null }
      return { path: wanted.path, why, fix }
    }
    return { found: await walkModules({ git, gitDir, commit, source: null, come }), due }
  }

  /** A person asks, or the project is gone: failed submodules may be asked for again. */
  forget(project: ProjectId): void {
    this.#named.delete(project)
    for (const key of this.#failures.keys()) if (key.startsWith(`${project} `)) this.#failures.delete(key)
  }

  async #fetchAll(project: HubProject, commit: string, signal: AbortSignal, watch: WatchTransfer): Promise<Found> {
    const gitDir = await this.#deps.clones.existing(project.id)
    const base = await currentProject(this.#deps, project)
    const left = { bytes: MOST_BYTES, failures: MOST_FAILURES }
    const asking = { gitDir, project, allowed: null, signal, watch, left }
    // The base branch's submodules come first for any commit: only they may be asked for at all.
    const isBase = base === null || base.commit === commit
    const known = this.#named.get(project.id)
    const named = !isBase && known?.commit === base.commit ? known : await this.#collect(asking, base?.commit ?? commit)
    if (isBase) return named.found
    const pointed = new Set(named.pointed)
    const allowed = named.addresses
    const found = await this.#walk({ ...asking, allowed }, commit, (wanted) => pointed.add(wanted.commit))
    await dropOld(new Refs(this.#deps.git, gitDir), pointed)
    return found
  }

  /** Walks the base branch, which decides what may be asked for later. */
  async #collect(asking: Asking, commit: string): Promise<Named> {
    const addresses = new Set<string>()
    const pointed = new Set<string>()
    const found = await this.#walk(asking, commit, (wanted) => {
      pointed.add(wanted.commit)
      for (const one of placesOf(wanted)) addresses.add(nameOf(one))
    })
    const named = { commit, addresses, pointed, found }
    this.#named.set(asking.project.id, named)
    return named
  }

  #walk(asking: Asking, commit: string, seen: (wanted: Wanted) => void = () => {}): Promise<Found> {
    const { gitDir, project } = asking
    const come = async (wanted: Wanted) => {
      const come = await this.#ask(asking, wanted)
      if (typeof come === 'string') this.#failures.delete(keyOf(project.id, wanted))
      else this.#note(project.id, wanted, come)
      return come
    }
    return walkModules({ git: this.#deps.git, gitDir, commit, source: project.source, come, seen })
  }

  async #ask({ gitDir, project, allowed, signal, watch, left }: Asking, wanted: Wanted): Promise<string | Missing> {
    const { path, commit } = wanted
    const { git, env } = this.#deps
    const places = placesOf(wanted)
    const may = places.filter((one) => allowed === null || allowed.has(nameOf(one)))
    if (places.length > 0 && may.length === 0)
      return { path, why: 'the base branch does not name its address', fix: null }
    if (left.failures <= 0) return { path, why: 'too many before it could not be had', fix: null }
    let { why } = wanted
    for (const place of may) {
      let bytes = 0
      const told: WatchTransfer = (seen) => {
        bytes = Math.max(bytes, seen.bytes ?? 0)
        watch({ ...seen, doing: `submodule ${path}: ${seen.doing}` })
      }
      try {
        const how = { signal, watch: told, mostBytes: left.bytes }
        return await fetchModule({ git, gitDir, env }, place, commit, how)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof HubError)) throw error
        left.failures -= 1
        why = withoutCredentials(error.message).replace(/[.\s]+$/, '')
        if (place.asAnybody)
          why = `it is in another folder of the host than the project, so it is fetched without your rights: ${why}`
      } finally {
        left.bytes -= bytes
      }
    }
    const isHere = project.source.startsWith('/')
    return {
      path,
      why,
      fix: isHere
        ? `Run \`git submodule update --init --recursive\` in ${project.source}, and sync the project.`
        : null,
    }
  }

  #note(project: ProjectId, wanted: Wanted, { why, fix }: Missing): void {
    this.#failures.set(keyOf(project, wanted), { why, fix, at: this.#deps.clock.monotonic() })
    for (const old of this.#failures.keys()) if (this.#failures.size > MOST_REMEMBERED) this.#failures.delete(old)
  }
}

/** Agents may point to ever new ones. A dropped one can be fetched again; a session that has it keeps it. */
async function dropOld(refs: Refs, pointed: ReadonlySet<string>): Promise<void> {
  const kept = await refs.under(MODULES)
  if (kept.length <= MOST_KEPT) return
  await refs.remove(kept.filter((commit) => !pointed.has(commit)).map((commit) => MODULES + commit))
}

const placesOf = ({ local, remote }: Wanted): Place[] => [
  ...(local === null ? [] : [{ address: local, asAnybody: false }]),
  ...(remote === null ? [] : [remote]),
]

/** A place that is asked anonymously has another name than the same place asked with the person's rights. */
const nameOf = ({ address, asAnybody }: Place): string => `${asAnybody ? 'public ' : ''}${address}`

const keyOf = (project: ProjectId, { path, commit }: Pick<Wanted, 'path' | 'commit'>): string =>
  `${project} ${commit} ${path}`
