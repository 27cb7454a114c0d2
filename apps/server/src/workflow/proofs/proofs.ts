import { signatureFrom } from '@beadloom/core/records/identity.ts'
import { mendsBase } from '@beadloom/core/bead/mending.ts'
import { baseBroken, baseProving } from '@beadloom/core/dispatch/why-not.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { pauseBeforeProof } from '@beadloom/core/environment/base/proof.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { asSentence } from '@beadloom/core/text/sentence.ts'
import type { Engine, Making } from '../../ports/engine.ts'
import { HubError } from '../../ports/hub.ts'
import type { EnvironmentId } from '../../ports/sandbox.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Proof, ProofKey } from '../../ports/store/proofs.ts'
import { packageOf } from '../../sandbox/agent-order.ts'
import { proofSettings } from '../../verify/base/base-of.ts'
import { knownProof } from './known-checks.ts'
import { RunningProofs, type Proving, type ProofsDeps } from './running-proofs.ts'

/** `environment`: the result of `setup` on this commit. */
export type BaseImageFound = { engine: Engine; environment: EnvironmentId; commit: string }

type Current = { proof: Proof; baseCommit: string | null }

/** How long beads start without a proof after the engine or the hub failed during one. */
const WITHOUT_MS = 60_000

/** Longer than a tracker may take to answer a claim. */
const FIT_MS = 60_000

/**
 * Whether the commits that beads start from are fit to work on. A project's base is proved once before an execution
 * starts; a broken one keeps the project from starting anything until it, the settings or the lock files have changed.
 */
export class Proofs {
  readonly #deps: ProofsDeps
  readonly #running: RunningProofs
  /** The proof that counts, and the commit of the base branch at that time. */
  readonly #current = new Map<ProjectId, Current>()
  readonly #asking = new Set<ExecutionId>()
  /** Executions whose base is known to be fit, and when that was looked up, by the monotonic clock. */
  readonly #fit = new Map<ExecutionId, number>()
  /** By the monotonic clock. */
  readonly #withoutUntil = new Map<ProjectId, number>()
  /** Why the last proof had no result. */
  readonly #cameToNothing = new Map<ProjectId, string>()

  constructor(deps: ProofsDeps) {
    this.#deps = deps
    const { store } = deps
    this.#running = new RunningProofs(deps, {
      proved: (row, proof) => {
        this.#note(row, proof)
        this.#withoutUntil.delete(row.id)
      },
      cameToNothing: (project, why) => {
        this.#withoutUntil.set(project, deps.clock.monotonic() + WITHOUT_MS)
        this.#cameToNothing.set(project, why)
      },
    })
    for (const { id } of store.unendedProofs()) void this.#running.drop(id)
    for (const { id } of store.projects()) {
      const last = store.lastProof(id)
      if (last) this.#current.set(id, { proof: last, baseCommit: last.baseCommit })
    }
  }

  /** The proof of a project that runs now. */
  proving(project: ProjectId): Proving | null {
    return this.#running.of(project)
  }

  /** The proof that counts now; null: not known whether the base is fit. */
  proof(row: ProjectRow, settings: ProjectSettings): Proof | null {
    const current = this.#current.get(row.id)
    const counts = current?.baseCommit === row.baseCommit && current.proof.settings === proofSettings(settings)
    return counts ? current.proof : null
  }

  /** Why the base keeps the project from starting anything, or null. */
  obstacle(row: ProjectRow): Reason | null {
    const settings = this.#deps.projects.settings(row)
    const proving = this.#running.of(row.id)
    if (proving) return baseProving(settings?.workBranch ?? 'the base', proving.doing)
    const proof = settings && this.proof(row, settings)
    if (!proof || !isInTheWay(proof)) return null
    const until = againAt(proof)
    return until !== null && until <= this.#deps.clock.now() ? null : baseBroken(proof.text, proof.fix, until)
  }

  /** False: it is not known yet whether its base is fit. */
  mayStart(id: ExecutionId): boolean {
    // Kept until it starts: its bead may need a claim first, which a round without a start would give back.
    const since = this.#fit.get(id)
    if (since !== undefined && this.#deps.clock.monotonic() - since < FIT_MS) return true
    const execution = this.#deps.store.execution(id)
    if (execution && !this.#running.of(execution.project)) void this.ask(id)
    return false
  }

  /** Finds out whether the base of an execution is fit, or begins to. Never rejects. */
  async ask(id: ExecutionId): Promise<void> {
    const { store, log, changed } = this.#deps
    const execution = store.execution(id)
    const row = execution && store.project(execution.project)
    if (!row || this.#asking.has(id) || this.#running.detached) return
    this.#asking.add(id)
    try {
      const bead = store.bead(row.id, execution.bead)
      if ((bead && mendsBase(bead)) || (await this.#isFit(row))) this.#noteFit(id)
    } catch (error) {
      // The execution meets the same error, and has words for it.
      if (!(error instanceof HubError)) log.error({ error, project: row.id }, 'a base could not be looked at')
      this.#noteFit(id)
    } finally {
      this.#asking.delete(id)
      changed()
    }
  }

  /** After a round of the scheduler: forgets executions that will never start. */
  forgetStarted(): void {
    for (const id of this.#fit.keys()) if (this.#deps.store.execution(id)?.state !== 'QUEUED') this.#fit.delete(id)
  }

  /** A project was read, or one of its executions has ended: its base may have been fixed. Never rejects. */
  async look(project: ProjectId): Promise<void> {
    const { store, log, changed } = this.#deps
    const row = store.project(project)
    const current = this.#current.get(project)
    const settings = row && this.#deps.projects.settings(row)
    if (!current || !settings || !isInTheWay(current.proof)) return
    try {
      const key = await this.#keyOf(row, settings)
      if ((await knownProof(this.#deps, key))?.id === current.proof.id) return
      this.#current.delete(project)
      await store.touch('project', project, [project])
      changed()
    } catch (error) {
      log.info({ error, project }, 'it is not known whether a base has been fixed')
    }
  }

  /** For a person: proves it now, whatever is known. False: nothing is known of the project yet. */
  async prove(project: ProjectId): Promise<boolean> {
    const row = this.#deps.store.project(project)
    const settings = row && this.#deps.projects.settings(row)
    if (!settings) return false
    if (!this.#running.of(project)) await this.#running.begin(row, settings, await this.#keyOf(row, settings), true)
    return true
  }

  /**
   * The image that beads start from on the base, made first if missing. `why`: it cannot be made. Rejects with the
   * errors of the engine and the hub, and when `signal` aborts.
   */
  async image(row: ProjectRow, { onProgress, signal }: Making): Promise<BaseImageFound | { why: string }> {
    const settings = this.#deps.projects.settings(row)
    if (settings === null) return { why: row.problem?.text ?? 'the project has not been read yet' }
    await this.#running.over(row.id)
    const key = await this.#keyOf(row, settings)
    const { commit } = key
    const find = async (): Promise<BaseImageFound | null> => {
      const used = await this.#running.settingsAt(row, settings, commit)
      const engine = this.#deps.engines.of(this.#deps.engines.nameOf(used.engine))
      const wish = { project: row.id, settings: used, agent: packageOf(used), stopper: { signal }, onProgress }
      const environment = await this.#deps.environments.find(wish, commit)
      return environment === null ? null : { engine, environment, commit }
    }
    const found = await find()
    signal.throwIfAborted()
    if (found !== null) return found
    onProgress('making the image: setup and checks run on the base')
    this.#cameToNothing.delete(row.id)
    await this.#running.begin(row, settings, key, false)
    await this.#running.over(row.id)
    signal.throwIfAborted()
    const made = await find()
    if (made !== null) return made
    const failed = this.#cameToNothing.get(row.id)
    if (failed !== undefined) return { why: asSentence(failed) }
    const why = this.proof(row, settings)?.text || 'the base could not be proved'
    return { why: `${asSentence(why)} "beadloom environment ${row.id}" says more` }
  }

  /** Proves a base again that is broken by a missing secret or a failed setup: the missing part may be there now. */
  async lookAgain(project: ProjectId): Promise<void> {
    const by = this.#current.get(project)?.proof.by
    if (by === 'secret' || by === 'setup') await this.prove(project)
  }

  /** Stops the proof for a person; resolves when it has ended. False: none is running. */
  stop(project: ProjectId): Promise<boolean> {
    return this.#running.stop(project)
  }

  /** Forgets a removed project: another may get its id. */
  forget(project: ProjectId): void {
    this.#running.forget(project)
    this.#current.delete(project)
    this.#withoutUntil.delete(project)
    this.#cameToNothing.delete(project)
  }

  /** Ends all running proofs: the next server begins them again. */
  detach(): Promise<void> {
    return this.#running.detach()
  }

  #noteFit(id: ExecutionId): void {
    this.#fit.set(id, this.#deps.clock.monotonic())
  }

  async #isFit(row: ProjectRow): Promise<boolean> {
    const { clock } = this.#deps
    const settings = this.#deps.projects.settings(row)
    if (settings === null) return true
    const key = await this.#keyOf(row, settings)
    const proof = await knownProof(this.#deps, key)
    if (proof && (againAt(proof) ?? Infinity) > clock.now()) {
      this.#note(row, proof)
      return !isInTheWay(proof)
    }
    if ((this.#withoutUntil.get(row.id) ?? -Infinity) > clock.monotonic()) return true
    await this.#running.begin(row, settings, key, false)
    return false
  }

  /** The proof counts for the base branch as it was when its tip was looked up. */
  #note({ id, baseCommit }: ProjectRow, proof: Proof): void {
    this.#current.set(id, { proof, baseCommit })
  }

  /** The key of the next bead's start. */
  async #keyOf(row: ProjectRow, settings: ProjectSettings): Promise<ProofKey> {
    const { commit } = await this.#deps.hub.workTip(
      this.#deps.projects.hub(row),
      settings.workBranch,
      settings.baseBranch,
      signatureFrom(settings, await this.#deps.hub.person()),
    )
    return { project: row.id, commit, settings: proofSettings(settings) }
  }
}

const isInTheWay = ({ state }: Proof): boolean => state === 'broken' || state === 'stopped'

/** When to prove again: a package or an image may appear later without any change in the project. Milliseconds UTC. */
export const againAt = ({ by, tries, endedAt }: Pick<Proof, 'by' | 'tries' | 'endedAt'>): number | null =>
  endedAt !== null && (by === 'setup' || by === 'image' || by === 'service') ? endedAt + pauseBeforeProof(tries) : null
