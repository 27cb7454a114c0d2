import { stoppedProof } from '@beadloom/core/environment/base/proof.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { newExecutionId, type ExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ExtraSlots } from '../../execution/extra-slots.ts'
import type { Engines } from '../../ports/engines.ts'
import type { HubProject, Transfer } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Proof, ProofKey } from '../../ports/store/proofs.ts'
import { proveBase, type ProveDeps } from '../../verify/base/prove-base.ts'
import { checksAt } from '../work/found-checks.ts'
import { knownChecks } from './known-checks.ts'

export type ProofsDeps = Omit<ProveDeps, 'engine'> & {
  engines: Engines
  /** The repositories' settings. */
  projects: { settings(row: ProjectRow): ProjectSettings | null; hub(row: ProjectRow): HubProject }
  /** Removes the logs of a proof's sessions. */
  removeLogs: (id: ExecutionId) => Promise<void>
  /** In [0, 1). */
  random: () => number
  extraSlots: Pick<ExtraSlots, 'of'>
  /** Called when something may be able to start. */
  changed: () => void
  /** Called when a project's proof is over: its executions have waited for it. */
  over: (project: ProjectId) => void
}

/** Why a proof was given up: `stopped` by a person, `detach` when the server stops. */
type GivenUp = 'stopped' | 'detach' | 'gone'

/** A running proof. `doing`: its current step. */
export type Proving = { id: ExecutionId; key: ProofKey; since: number; doing: string }

type Held = Proving & { cancel: AbortController; ended: Promise<void> }

type Tell = {
  /** Called with the proof that counts from now on. */
  proved: (row: ProjectRow, proof: Proof) => void
  /** Called when the engine or the hub failed, so that nothing is known. */
  cameToNothing: (project: ProjectId, why: string) => void
}

/** Its step is shown within sentences, while programs end their words with dots. */
const TRAILING = /[\s.…]+$/

/** A stopping server does not wait longer; the next one removes the rest. */
const CLOSE_MS = 3_000

/** The running proofs: at most one of each project. */
export class RunningProofs {
  readonly #deps: ProofsDeps
  readonly #tell: Tell
  readonly #held = new Map<ProjectId, Held>()
  /** The server is stopping. */
  detached = false

  constructor(deps: ProofsDeps, tell: Tell) {
    this.#deps = deps
    this.#tell = tell
  }

  of(project: ProjectId): Proving | null {
    return this.#held.get(project) ?? null
  }

  /** Resolves when the project's running proof has ended; at once if none runs. */
  async over(project: ProjectId): Promise<void> {
    await this.#held.get(project)?.ended
  }

  /** Resolves when it has ended. False: none is running. */
  async stop(project: ProjectId): Promise<boolean> {
    const held = this.#held.get(project)
    held?.cancel.abort('stopped' satisfies GivenUp)
    await held?.ended
    return held !== undefined
  }

  forget(project: ProjectId): void {
    this.#held.get(project)?.cancel.abort('gone' satisfies GivenUp)
  }

  async detach(): Promise<void> {
    this.detached = true
    const held = [...this.#held.values()]
    for (const { cancel } of held) cancel.abort('detach' satisfies GivenUp)
    const done = new AbortController()
    const ended = Promise.all(held.map((one) => one.ended)).then(() => done.abort())
    await Promise.race([ended, this.#deps.clock.sleep(CLOSE_MS, done.signal)])
  }

  /** Resolves when it has begun; does nothing while one of the project runs. */
  async begin(row: ProjectRow, settings: ProjectSettings, key: ProofKey, anew: boolean): Promise<void> {
    if (this.#held.has(row.id) || this.detached) return
    const { store, clock, random } = this.#deps
    const id = newExecutionId(random)
    const held: Held = {
      id,
      key,
      since: clock.now(),
      doing: 'preparing',
      cancel: new AbortController(),
      ended: Promise.resolve(),
    }
    this.#held.set(row.id, held) // before the first await, so that there is only one
    const giveBack = this.#deps.extraSlots.of(row.id).prove()
    held.ended = this.#toTheEnd(row, settings, held, anew).finally(giveBack)
    await store.touch('project', row.id, [row.id])
  }

  /** Never rejects. */
  async #toTheEnd(row: ProjectRow, settings: ProjectSettings, held: Held, anew: boolean): Promise<void> {
    const { store, log, clock, changed } = this.#deps
    const { id, key, cancel } = held
    const project = row.id
    const onProgress = (doing: string) => {
      held.doing = doing.replace(TRAILING, '')
      void store.touch('project', project, [project])
    }
    try {
      const before = store.proofs(project)
      await store.beginProof({ id, ...key, baseCommit: row.baseCommit })
      await this.#tidy(project, before)
      const used = await this.settingsAt(row, settings, key.commit)
      const watch = ({ doing }: Transfer) => onProgress(doing)
      await this.#deps.hub.fetchModules(this.#deps.projects.hub(row), key.commit, {
        signal: cancel.signal,
        watch,
        anew,
      })
      const known = anew ? null : await knownChecks(this.#deps, key, used)
      const base = { id, project, settings: used, commit: key.commit, known, onProgress }
      const { engines } = this.#deps
      const deps = { ...this.#deps, engine: engines.of(engines.nameOf(used.engine)) }
      const { end, checks } = await proveBase(deps, base, cancel.signal)
      await store.endProof(id, end, checks)
    } catch (error) {
      await this.#gaveUp(held, project, error).catch((bug: unknown) => log.error({ error: bug }, 'a proof stays open'))
    } finally {
      this.#held.delete(project)
      const proof = this.detached ? null : store.proof(key)
      if (proof) {
        this.#tell.proved(row, proof)
        log.info({ project, state: proof.state, ms: clock.now() - held.since }, 'the base was proved')
      }
      this.#deps.over(project)
      if (!this.detached && store.project(project)) await store.touch('project', project, [project])
      changed()
    }
  }

  /** If a project names no checks, those found on the commit count: an earlier bead may have made them. */
  async settingsAt(row: ProjectRow, settings: ProjectSettings, commit: string): Promise<ProjectSettings> {
    const { hub, aside, projects } = this.#deps
    const found = await checksAt({ deps: { hub, aside }, project: projects.hub(row), settings }, commit, commit)
    const { steps, setup, untested } = found
    return { ...settings, setup, untested, verify: [...steps] }
  }

  async #gaveUp({ id, cancel }: Held, project: ProjectId, error: unknown): Promise<void> {
    const { store, log } = this.#deps
    const why = cancel.signal.aborted ? (cancel.signal.reason as GivenUp) : null
    if (why === 'detach') return
    if (why === 'stopped') return store.endProof(id, stoppedProof, [])
    await this.drop(id)
    if (why === 'gone') return
    this.#tell.cameToNothing(project, messageOf(error))
    log.warn({ error, project }, 'the base could not be proved; beads start without that')
  }

  /** Removes every trace of it. */
  async drop(id: ExecutionId): Promise<void> {
    await this.#deps.store.dropProof(id)
    await this.#deps.removeLogs(id)
  }

  /** Removes the logs of proofs that are no longer known. */
  async #tidy(project: ProjectId, before: readonly Pick<Proof, 'id'>[]): Promise<void> {
    const known = new Set(this.#deps.store.proofs(project).map(({ id }) => id))
    for (const { id } of before) if (!known.has(id)) await this.#deps.removeLogs(id)
  }
}
