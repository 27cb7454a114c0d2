import { createHash } from 'node:crypto'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { endOfSetupOutput, SILENT_SETUP } from '@beadloom/core/environment/setup-failures/end-of-setup.ts'
import { lockFiles, requirementsIn } from '@beadloom/core/files/lock-files.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { CommonDeps } from '../execution/deps.ts'
import { EndedEarly, endOfExit, failed, isStoppedOutside } from '../execution/ends.ts'
import { throwIfStopped } from '../execution/stop.ts'
import type { Engine } from '../ports/engine.ts'
import type { EnvironmentId, EnvironmentKey } from '../ports/sandbox.ts'
import { baseImageOf, ownBaseOf } from './base-image.ts'
import type { EnvironmentWish, SetUp } from './environment-wish.ts'
import type { SessionFacts } from './session-plan.ts'
import { LeftDevcontainers } from './without-devcontainer.ts'
import { orAborted } from '../process/within.ts'

/** A wish without a way to set it up. */
export type Asked = Pick<EnvironmentWish, 'project' | 'settings' | 'agent' | 'stopper' | 'onProgress'>

/** The parts of the server that environments are made with. */
export type EnvironmentDeps = Pick<CommonDeps, 'engines' | 'hub' | 'store' | 'clock'>

/**
 * The start of a project's sandboxes: its base image with the agent, and a checkout in `/workspace` after `setup` ran
 * with the network on. Executions of one project share it, and making it.
 */
export class ProjectEnvironments {
  readonly #deps: EnvironmentDeps
  readonly #making = new Map<string, Promise<EnvironmentId>>()
  readonly #latest = new Map<string, EnvironmentId>()
  /** The images that keep the environments. */
  readonly #images = new Map<EnvironmentId, string>()
  /** Environments prepared only from files of ours, which stay the same as long as this server runs. */
  readonly #bare = new Map<string, EnvironmentId>()

  readonly #left: LeftDevcontainers

  constructor(deps: EnvironmentDeps) {
    this.#deps = deps
    this.#left = new LeftDevcontainers(deps.clock)
  }

  /** The sentence for a project whose devcontainer's image is not available; null: it is, or there is none. */
  leftOut(project: ProjectId): string | null {
    return this.#left.textFor(project)
  }

  /** The last result of `ensure` for this project and agent; the next one is nearly always the same. */
  latest(wish: EnvironmentWish): EnvironmentId | null {
    return this.#latest.get(kindOf(wish, this.#engineOf(wish).name)) ?? null
  }

  /** The commit that is checked out in it; null: unknown. */
  checkedOutIn(environment: EnvironmentId): string | null {
    const image = this.#images.get(environment)
    return image === undefined ? null : this.#deps.store.checkedOutIn(image)
  }

  async ensure(wish: EnvironmentWish, commit: string): Promise<EnvironmentId> {
    const environment = await this.#ensure(wish, commit)
    this.#latest.set(kindOf(wish, this.#engineOf(wish).name), environment)
    return environment
  }

  /** The result that `ensure` would have if nothing must be set up for it; null: something must. */
  async find(wish: Asked, commit: string): Promise<EnvironmentId | null> {
    const known = await this.#known(wish, commit)
    if (known !== null) return known
    const bare = await this.#prepare(wish, commit)
    return this.#engineOf(wish).environment(await this.#key(wish, commit, bare))
  }

  async #ensure(wish: EnvironmentWish, commit: string): Promise<EnvironmentId> {
    return (await this.#known(wish, commit)) ?? this.#made(wish, commit)
  }

  /** Finds an existing one without checking the images below it, which it holds. */
  async #known(wish: Asked, commit: string): Promise<EnvironmentId | null> {
    const bare = this.#bare.get(ownKeyOf(wish, this.#engineOf(wish).name) ?? '')
    return bare === undefined ? null : this.#find(this.#engineOf(wish), await this.#key(wish, commit, bare))
  }

  async #find(engine: Engine, key: EnvironmentKey): Promise<EnvironmentId | null> {
    const environment = await engine.environment(key)
    if (environment !== null) this.#images.set(environment, engine.imageName(key))
    return environment
  }

  async #made(wish: EnvironmentWish, commit: string): Promise<EnvironmentId> {
    const bare = await this.#prepare(wish, commit)
    const own = ownKeyOf(wish, this.#engineOf(wish).name)
    if (own !== null) this.#bare.set(own, bare)
    throwIfStopped(wish.stopper)
    const key = await this.#key(wish, commit, bare)
    const { store } = this.#deps
    const engine = this.#engineOf(wish)
    // Before the search: from now on it does not count as unneeded.
    void store.noteImages([{ name: engine.imageName(key), project: wish.project }])
    const made = await this.#find(engine, key)
    if (made) return made
    const tag = nameOf(key)
    const inFlight = this.#making.get(tag)
    if (inFlight) {
      await wish.onWait(tag)
      // If the other's setup fails, this one tries for itself: the reason may have been the other's (a cancel).
      const shared = await orAborted(
        wish.stopper.signal,
        inFlight.catch(() => null),
      )
      throwIfStopped(wish.stopper)
      return shared ?? this.#ensure(wish, commit)
    }
    const making = setUp(wish, { tag, environment: bare, commit }, key).then((environment) => {
      const name = engine.imageName(key)
      this.#images.set(environment, name)
      void store.noteImages([{ name, project: wish.project, checkedOut: commit }])
      return environment
    })
    this.#making.set(tag, making)
    try {
      return await making
    } finally {
      this.#making.delete(tag)
    }
  }

  async #prepare(wish: Asked, commit: string): Promise<EnvironmentId> {
    const { hub } = this.#deps
    const { project, settings, agent, stopper, onProgress } = wish
    const engine = this.#engineOf(wish)
    const prepare = async (used: ProjectSettings) => {
      const base = await baseImageOf({ hub, project, commit }, used)
      return engine.prepare(base, agent, { onProgress, signal: stopper.signal })
    }
    return this.#left.prepared(project, settings, prepare, onProgress)
  }

  #engineOf({ settings }: Asked): Engine {
    const { engines } = this.#deps
    return engines.of(engines.nameOf(settings.engine))
  }

  async #key({ project, settings }: Asked, commit: string, bare: EnvironmentId): Promise<EnvironmentKey> {
    const files = lockFiles(await this.#deps.hub.rootFiles(project, commit))
    for (const folder of settings.folders) {
      const names = lockFiles(await this.#deps.hub.filesIn(project, commit, folder))
      files.push(...names.map((name) => `${folder}/${name}`))
    }
    for (const file of requirementsIn(settings.setup))
      files.push(file, ...settings.folders.map((folder) => `${folder}/${file}`))
    // A submodule's commit counts like a lock file: setup may install its contents.
    const { here } = await this.#deps.hub.modules(project, commit)
    files.push(...here.map(({ path }) => path))
    const locks = await this.#deps.hub.hashFiles(project, commit, files)
    const digest = createHash('sha256')
      .update(JSON.stringify([bare, settings.setup, locks, ...ownVariables(settings)]))
      .digest('hex')
      .slice(0, 20)
    return { project, digest }
  }
}

/** Empty if there are none, so the key of an environment made without them stays the same. */
export const ownVariables = ({ env, secrets }: Pick<ProjectSettings, 'env' | 'secrets'>): unknown[] =>
  Object.keys(env).length === 0 && secrets.length === 0 ? [] : [env, secrets]

const setUp = (wish: EnvironmentWish, where: SetUp, key: EnvironmentKey): Promise<EnvironmentId> =>
  wish.setUp(where, async (facts, sandbox) => {
    throwIfStopped(wish.stopper)
    if (facts.outcome !== 'success') throw new EndedEarly(endOfSetup(facts, wish.settings))
    return sandbox.keepAs(key, (line) => wish.onProgress(line))
  })

/** The name in events. */
const nameOf = ({ project, digest }: EnvironmentKey): string => `${project}:${digest}`

const kindOf = ({ project, agent }: EnvironmentWish, engine: string): string => JSON.stringify([project, agent, engine])

/** Null: its contents are not only ours. */
const ownKeyOf = ({ settings, agent }: Asked, engine: string): string | null => {
  const own = ownBaseOf(settings)
  return own && JSON.stringify([own, agent, engine])
}

/** A `setup` that fails is the project's own problem, so its last output is included. */
function endOfSetup({ exit, recorded, detail }: SessionFacts, { setup, limits }: ProjectSettings): ExecutionEnd {
  const { result } = recorded
  const reason = result?.reason ?? null
  if (!result || isStoppedOutside(exit, reason)) return endOfExit(exit, limits.memoryBytes, reason)
  if (setup === null || result.exitCode === null)
    return { state: 'FAILED', reason: 'infra_error', detail: `The image could not be prepared: ${detail}.` }
  const last = endOfSetupOutput(recorded.tail) || SILENT_SETUP
  const more = `\n${[last, detail].filter(Boolean).join('\n')}`
  return failed({ kind: 'setup_failed', command: setup, exitCode: result.exitCode }, more)
}
