import { mendsBase } from '@beadloom/core/bead/mending.ts'
import { baseBroken, baseProving } from '@beadloom/core/dispatch/why-not.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { pauseBeforeProof, stoppedProof } from '@beadloom/core/environment/proof.ts'
import { newExecutionId, type ExecutionId, type ProjectId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ExtraSlots } from '../../execution/extra-slots.ts'
import { HubError, type HubProject } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Proof, ProofKey } from '../../ports/store/proofs.ts'
import { proofSettings } from '../../verify/base/base-of.ts'
import { proveBase, type ProveDeps } from '../../verify/base/prove-base.ts'
import { checksAt } from '../work/found-checks.ts'
import { knownChecks, knownProof } from './known-checks.ts'

export type ProofsDeps = ProveDeps & {
  /** As their repositories say. */
  projects: { settings(row: ProjectRow): ProjectSettings | null; hub(row: ProjectRow): HubProject }
  /** Removes what a proof's sessions have printed. */
  removeLogs: (id: ExecutionId) => Promise<void>
  /** In [0, 1). */
  random: () => number
  extraSlots: Pick<ExtraSlots, 'hold' | 'giveBack'>
  /** Called when something may start that could not before. */
  changed: () => void
  /** Called when a proof of the project is over, for which its executions have waited. */
  over: (project: ProjectId) => void
}

/** Why a proof was given up: `stopped` by a person, or the server goes down. */
type GivenUp = 'stopped' | 'detach' | 'gone'

/** A proof that runs. `doing` is what it does now. */
export type Proving = { id: ExecutionId; key: ProofKey; since: number; doing: string }

type Current = { proof: Proof; baseCommit: string | null }
type Held = Proving & { cancel: AbortController; ended: Promise<void> }

/** After a proof that came to nothing, because the engine or the hub failed, beads start without one for so long. */
const WITHOUT_MS = 60_000

/** Longer than a tracker may take to answer a claim. */
const FIT_MS = 60_000

/** What it does stands within sentences; programs end their words with dots. */
const TRAILING = /[\s.…]+$/

/** A server that stops does not wait longer; what is left then, the next one removes. */
const CLOSE_MS = 3_000

/**
 * Whether the commits that beads start from are fit to work on. Before an execution starts, its project's base is proved once,
 * and one that is broken keeps the project from starting anything until it, the settings or the lock files have changed.
 */
export class Proofs {
  readonly #deps: ProofsDeps
  readonly #proving = new Map<ProjectId, Held>()
  /** The proof that counts, and the commit of the base branch for which it was found to. */
  readonly #current = new Map<ProjectId, Current>()
  readonly #asking = new Set<ExecutionId>()
  /** Executions whose base is known to be fit, and when that was looked up, by the monotonic clock. */
  readonly #fit = new Map<ExecutionId, number>()
  /** By the monotonic clock. */
  readonly #withoutUntil = new Map<ProjectId, number>()
  #detached = false

  constructor(deps: ProofsDeps) {
    this.#deps = deps
    const { store } = deps
    for (const { id } of store.unendedProofs()) void this.#drop(id)
    for (const { id } of store.projects()) {
      const last = store.lastProof(id)
      if (last) this.#current.set(id, { proof: last, baseCommit: last.baseCommit })
    }
  }

  /** The proof of a project that runs now. */
  proving(project: ProjectId): Proving | null {
    return this.#proving.get(project) ?? null
  }

  /** The proof that counts now; null: nobody knows whether the base is fit. */
  proof(row: ProjectRow, settings: ProjectSettings): Proof | null {
    const current = this.#current.get(row.id)
    const counts = current?.baseCommit === row.baseCommit && current.proof.settings === proofSettings(settings)
    return counts ? current.proof : null
  }

  /** Why the base keeps the project from starting anything, or null. */
  obstacle(row: ProjectRow): Reason | null {
    const settings = this.#deps.projects.settings(row)
    const proving = this.#proving.get(row.id)
    if (proving) return baseProving(settings?.workBranch ?? 'the base', proving.doing)
    const proof = settings && this.proof(row, settings)
    if (!proof || !isInTheWay(proof)) return null
    const until = againAt(proof)
    return until !== null && until <= this.#deps.clock.now() ? null : baseBroken(proof.text, proof.fix, until)
  }

  /** False: whether its base is fit is not known yet. */
  mayStart(id: ExecutionId): boolean {
    // Kept until it starts: its bead may have to be claimed first, which would be taken back after a round without a start.
    const since = this.#fit.get(id)
    if (since !== undefined && this.#deps.clock.monotonic() - since < FIT_MS) return true
    const execution = this.#deps.store.execution(id)
    if (execution && !this.#proving.has(execution.project)) void this.ask(id)
    return false
  }

  /** Finds out whether the base of an execution is fit, or begins to. Never rejects. */
  async ask(id: ExecutionId): Promise<void> {
    const { store, log, changed } = this.#deps
    const execution = store.execution(id)
    const row = execution && store.project(execution.project)
    if (!row || this.#asking.has(id) || this.#detached) return
    this.#asking.add(id)
    try {
      const bead = store.bead(row.id, execution.bead)
      if ((bead && mendsBase(bead)) || (await this.#isFit(row))) this.#noteFit(id)
    } catch (error) {
      // It meets the same, and has words for it.
      if (!(error instanceof HubError)) log.error({ error, project: row.id }, 'a base could not be looked at')
      this.#noteFit(id)
    } finally {
      this.#asking.delete(id)
      changed()
    }
  }

  /** After a round of the scheduler: what will never start is forgotten. */
  forgetStarted(): void {
    for (const id of this.#fit.keys()) if (this.#deps.store.execution(id)?.state !== 'QUEUED') this.#fit.delete(id)
  }

  /** A project was read, or one of its executions has ended: its base may have been mended. Never rejects. */
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
      log.info({ error, project }, 'whether a base has been mended is not known')
    }
  }

  /** For a person: proves it now, whatever is known. False: nothing is known of the project yet. */
  async prove(project: ProjectId): Promise<boolean> {
    const row = this.#deps.store.project(project)
    const settings = row && this.#deps.projects.settings(row)
    if (!settings) return false
    if (!this.#proving.has(project)) await this.#begin(row, settings, await this.#keyOf(row, settings), true)
    return true
  }

  /** What it lacked may be there now: one that is broken for want of a secret, or in its setup, is proved again. */
  async lookAgain(project: ProjectId): Promise<void> {
    const by = this.#current.get(project)?.proof.by
    if (by === 'secret' || by === 'setup') await this.prove(project)
  }

  /** For a person; resolves when it has ended. False: none is running. */
  async stop(project: ProjectId): Promise<boolean> {
    const held = this.#proving.get(project)
    held?.cancel.abort('stopped' satisfies GivenUp)
    await held?.ended
    return held !== undefined
  }

  /** For a project that was removed: another may get its id. */
  forget(project: ProjectId): void {
    this.#proving.get(project)?.cancel.abort('gone' satisfies GivenUp)
    this.#current.delete(project)
    this.#withoutUntil.delete(project)
  }

  /** Ends all that run: the next server begins them again. */
  async detach(): Promise<void> {
    this.#detached = true
    const held = [...this.#proving.values()]
    for (const { cancel } of held) cancel.abort('detach' satisfies GivenUp)
    const done = new AbortController()
    const ended = Promise.all(held.map((one) => one.ended)).then(() => done.abort())
    await Promise.race([ended, this.#deps.clock.sleep(CLOSE_MS, done.signal)])
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
    await this.#begin(row, settings, key, false)
    return false
  }

  async #begin(row: ProjectRow, settings: ProjectSettings, key: ProofKey, anew: boolean): Promise<void> {
    if (this.#proving.has(row.id) || this.#detached) return
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
    this.#proving.set(row.id, held) // before anything is waited for, so that there is one
    this.#deps.extraSlots.hold(1)
    held.ended = this.#toTheEnd(row, settings, held, anew)
    await store.touch('project', row.id, [row.id])
  }

  /** Never rejects. */
  async #toTheEnd(row: ProjectRow, settings: ProjectSettings, held: Held, anew: boolean): Promise<void> {
    const { store, log, clock, changed, extraSlots } = this.#deps
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
      const used = await this.#settingsAt(row, settings, key.commit)
      const known = anew ? null : await knownChecks(this.#deps, key, used)
      const base = { id, project, settings: used, commit: key.commit, known, onProgress }
      const { end, checks } = await proveBase(this.#deps, base, cancel.signal)
      await store.endProof(id, end, checks)
    } catch (error) {
      await this.#gaveUp(held, project, error).catch((bug: unknown) => log.error({ error: bug }, 'a proof stays open'))
    } finally {
      this.#proving.delete(project)
      extraSlots.giveBack(1)
      const proof = this.#detached ? null : store.proof(key)
      if (proof) {
        this.#note(row, proof)
        this.#withoutUntil.delete(project)
        log.info({ project, state: proof.state, ms: clock.now() - held.since }, 'the base was proved')
      }
      this.#deps.over(project)
      if (!this.#detached && store.project(project)) await store.touch('project', project, [project])
      changed()
    }
  }

  /** Where a project names no checks, those count that are found on the commit: an earlier bead may have made them. */
  async #settingsAt(row: ProjectRow, settings: ProjectSettings, commit: string): Promise<ProjectSettings> {
    const { hub, projects } = this.#deps
    const { steps, setup } = await checksAt({ deps: { hub }, project: projects.hub(row), settings }, commit, commit)
    return { ...settings, setup, verify: [...steps] }
  }

  async #gaveUp({ id, cancel }: Held, project: ProjectId, error: unknown): Promise<void> {
    const { store, log, clock } = this.#deps
    const why = cancel.signal.aborted ? (cancel.signal.reason as GivenUp) : null
    if (why === 'detach') return
    if (why === 'stopped') return store.endProof(id, stoppedProof, [])
    await this.#drop(id)
    if (why === 'gone') return
    this.#withoutUntil.set(project, clock.monotonic() + WITHOUT_MS)
    log.warn({ error, project }, 'the base could not be proved; beads start without that')
  }

  async #drop(id: ExecutionId): Promise<void> {
    await this.#deps.store.dropProof(id)
    await this.#deps.removeLogs(id)
  }

  /** What was printed in proofs that nobody knows any more. */
  async #tidy(project: ProjectId, before: readonly Proof[]): Promise<void> {
    const known = new Set(this.#deps.store.proofs(project).map(({ id }) => id))
    for (const { id } of before) if (!known.has(id)) await this.#deps.removeLogs(id)
  }

  /** It counts for the base branch as it was when the tip was looked at. */
  #note({ id, baseCommit }: ProjectRow, proof: Proof): void {
    this.#current.set(id, { proof, baseCommit })
  }

  /** What the next bead starts from. */
  async #keyOf(row: ProjectRow, settings: ProjectSettings): Promise<ProofKey> {
    const { commit } = await this.#deps.hub.workTip(
      this.#deps.projects.hub(row),
      settings.workBranch,
      settings.baseBranch,
    )
    return { project: row.id, commit, settings: proofSettings(settings) }
  }
}

const isInTheWay = ({ state }: Proof): boolean => state === 'broken' || state === 'stopped'

/** What came from elsewhere (a package, an image) may be there later without any change in the project. Milliseconds UTC. */
export const againAt = ({ by, tries, endedAt }: Pick<Proof, 'by' | 'tries' | 'endedAt'>): number | null =>
  endedAt !== null && (by === 'setup' || by === 'image' || by === 'service') ? endedAt + pauseBeforeProof(tries) : null
