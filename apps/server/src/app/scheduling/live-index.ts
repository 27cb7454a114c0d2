import type { PlanHead } from '@beadloom/core/api/plans/plan-api.ts'
import { MOST_ENDINGS, type Ending } from '@beadloom/core/dispatch/brake.ts'
import type { ListedBead } from '@beadloom/core/records/bead.ts'
import { mendsBase } from '@beadloom/core/bead/mending.ts'
import { isTerminal, type Execution } from '@beadloom/core/records/execution.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { ReviewVerdict } from '@beadloom/core/review/review.ts'
import type { Refusal } from '../../ports/store/bead-edits.ts'
import type { Change } from '../../ports/store/changes.ts'
import type { Store } from '../../ports/store.ts'
import { LiveExecutions } from './live-executions.ts'

type ProjectIndex = {
  /** When it was added: another project may get the id of a removed one. */
  addedAt: number | undefined
  /** Beads filed to mend the base: every view of a project asks for them. */
  mending: Set<BeadId>
  newest: Map<BeadId, ExecutionId>
  /** The newest review of each bead that has a verdict. */
  judged: Map<BeadId, Judged>
  tried: Set<BeadId>
  /** Beads that were planned and not worked on since: when they were queued, and whether a person approves the plan. */
  planned: Map<BeadId, { queuedAt: number; asks: boolean }>
  /** Beads that an architect is planning, with the execution. */
  planning: Map<BeadId, ExecutionId>
  /** The newest plan of each bead that has one. */
  plans: Map<BeadId, PlanHead>
  /** People's changes that the tracker did not accept. */
  refused: Map<BeadId, Refusal[]>
  /** Ends of work, the newest first. */
  endings: Ending[]
  /** Beads that were changed while their last execution was running. */
  outdated: Set<BeadId>
}

/** A verdict about one commit. */
type Judged = { review: ExecutionId; commit: string; verdict: ReviewVerdict; queuedAt: number }

/** Hears of each difference that `refresh` has found, one by one. */
export type LiveReader = {
  /** Everything was read anew. */
  all(): void
  /** A project was read for the first time, or is gone. */
  project(project: ProjectId): void
  bead(project: ProjectId, bead: BeadId): void
  execution(id: ExecutionId): void
}

/** Facts about beads that are stored beside them. */
type BeadFacts = { plans: ReadonlyMap<BeadId, PlanHead>; refused: ReadonlyMap<BeadId, Refusal[]> }

/** From this many changed beads on, a project's facts are read at once and not bead by bead. */
const MANY_BEADS = 32
const CHANGES_AT_ONCE = 5_000
const EXECUTIONS_AT_ONCE = 1_000

/**
 * The facts that the scheduler and the views ask for all the time, in memory: a fold of the store's changes, written
 * from nowhere else.
 */
export class LiveIndex {
  #store: Store
  #seq: number
  #projects = new Map<ProjectId, ProjectIndex>()
  readonly #live = new LiveExecutions()
  readonly #readers: LiveReader[] = []

  constructor(store: Store) {
    this.#store = store
    this.#seq = store.seq()
    this.#load()
  }

  /** Brings the index up to date; cheap when nothing has changed. */
  refresh(): void {
    while (this.#seq < this.#store.seq()) {
      const changes = this.#store.changesAfter(this.#seq, CHANGES_AT_ONCE)
      if (changes === null) {
        this.#seq = this.#store.seq()
        this.#load()
        for (const reader of this.#readers) reader.all()
        return
      }
      const last = changes.at(-1)
      if (!last) return
      const facts = this.#factsFor(changes)
      for (const change of changes) this.#apply(change, facts)
      this.#seq = last.seq
    }
  }

  projectIds(): ProjectId[] {
    return [...this.#projects.keys()]
  }

  /** The store's own map: a hundred thousand beads are in memory once. */
  beads(project: ProjectId): ReadonlyMap<BeadId, ListedBead> {
    return this.#projects.has(project) ? this.#store.beadsById(project) : new Map()
  }

  /** Beads filed to mend its base, including ended ones. */
  mending(project: ProjectId): ListedBead[] {
    const beads = this.beads(project)
    return [...(this.#projects.get(project)?.mending ?? [])].flatMap((id) => beads.get(id) ?? [])
  }

  tried(project: ProjectId): ReadonlySet<BeadId> {
    return this.#projects.get(project)?.tried ?? new Set()
  }

  planned(project: ProjectId): ReadonlyMap<BeadId, { asks: boolean }> {
    return this.#projects.get(project)?.planned ?? new Map()
  }

  /** The execution in which an architect is planning it. */
  planning(project: ProjectId, bead: BeadId): ExecutionId | null {
    return this.#projects.get(project)?.planning.get(bead) ?? null
  }

  planHead(project: ProjectId, bead: BeadId): PlanHead | null {
    return this.#projects.get(project)?.plans.get(bead) ?? null
  }

  refused(project: ProjectId, bead: BeadId): readonly Refusal[] {
    return this.#projects.get(project)?.refused.get(bead) ?? []
  }

  outdated(project: ProjectId): ReadonlySet<BeadId> {
    return this.#projects.get(project)?.outdated ?? new Set()
  }

  newestExecution(project: ProjectId, bead: BeadId): ExecutionId | null {
    return this.#projects.get(project)?.newest.get(bead) ?? null
  }

  /** The verdict of its newest review, if that is about the commit that its newest execution has verified. */
  verdict(project: ProjectId, bead: BeadId): { id: ExecutionId; verdict: ReviewVerdict } | null {
    const judged = this.#projects.get(project)?.judged.get(bead)
    const newest = this.newestExecution(project, bead)
    if (!judged || !newest || this.#store.execution(newest)?.commit !== judged.commit) return null
    return { id: judged.review, verdict: judged.verdict }
  }

  newestExecutions(project: ProjectId): Iterable<ExecutionId> {
    return this.#projects.get(project)?.newest.values() ?? []
  }

  /** The ends of work in a project, the newest first. */
  endings(project: ProjectId): readonly Ending[] {
    return this.#projects.get(project)?.endings ?? []
  }

  liveExecution(id: ExecutionId): Execution | null {
    return this.#live.get(id)
  }

  isLive(project: ProjectId, bead: BeadId): boolean {
    return this.#live.has(project, bead)
  }

  /** Adds a reader; they are told in the order of these calls. */
  tell(reader: LiveReader): void {
    this.#readers.push(reader)
  }

  live(): Execution[] {
    return this.#live.all()
  }

  #load(): void {
    this.#projects.clear()
    this.#live.clear()
    for (const { id } of this.#store.projects()) this.#loadProject(id)
  }

  #loadProject(project: ProjectId): void {
    this.#projects.set(project, {
      addedAt: this.#store.project(project)?.addedAt,
      mending: new Set([...this.#store.beadsById(project).values()].filter(mendsBase).map(({ id }) => id)),
      newest: new Map(),
      judged: new Map(),
      tried: new Set(),
      planned: new Map(),
      planning: new Map(),
      plans: this.#store.planHeads(project),
      refused: this.#store.refusedIn(project),
      endings: [],
      outdated: new Set(),
    })
    let before: number | undefined
    for (;;) {
      const page = this.#store.executions({
        project,
        limit: EXECUTIONS_AT_ONCE,
        ...(before === undefined ? {} : { before }),
      })
      for (const execution of page) this.#note(execution)
      const oldest = page.at(-1)
      if (!oldest || page.length < EXECUTIONS_AT_ONCE) return
      before = oldest.queuedAt
    }
  }

  /** The facts of the projects in which many beads have changed. */
  #factsFor(changes: readonly Change[]): ReadonlyMap<ProjectId, BeadFacts> {
    const counts = new Map<ProjectId, number>()
    for (const { kind, project } of changes)
      if (kind === 'bead' && project !== null) counts.set(project, (counts.get(project) ?? 0) + 1)
    const many = [...counts].flatMap(([project, count]) => (count >= MANY_BEADS ? [project] : []))
    return new Map(many.map((project) => [project, this.#factsOf(project)]))
  }

  #factsOf(project: ProjectId, id?: BeadId): BeadFacts {
    return { plans: this.#store.planHeads(project, id), refused: this.#store.refusedIn(project, id) }
  }

  #apply(change: Change, facts: ReadonlyMap<ProjectId, BeadFacts>): void {
    if (change.kind === 'execution') return this.#applyExecution(change.id as ExecutionId)
    if (change.project === null) return
    if (change.kind === 'project') return this.#applyProject(change.project)
    if (change.kind !== 'bead') return
    const id = change.id as BeadId
    this.#applyBead(change.project, id, facts.get(change.project) ?? this.#factsOf(change.project, id))
  }

  #applyProject(project: ProjectId): void {
    const row = this.#store.project(project)
    if (row === null) this.#projects.delete(project)
    else if (this.#projects.get(project)?.addedAt !== row.addedAt) this.#loadProject(project)
    else return
    for (const reader of this.#readers) reader.project(project)
  }

  #applyBead(project: ProjectId, id: BeadId, facts: BeadFacts): void {
    const index = this.#projects.get(project)
    if (!index) return
    const bead = this.#store.listedBead(project, id)
    if (bead && mendsBase(bead)) index.mending.add(id)
    else index.mending.delete(id)
    const plan = facts.plans.get(id)
    if (plan) index.plans.set(id, plan)
    else index.plans.delete(id)
    const refused = facts.refused.get(id)
    if (refused) index.refused.set(id, refused)
    else index.refused.delete(id)
    for (const reader of this.#readers) reader.bead(project, id)
  }

  #applyExecution(id: ExecutionId): void {
    const execution = this.#store.execution(id)
    if (execution) this.#note(execution)
    else this.#live.set(id, null)
    for (const reader of this.#readers) {
      reader.execution(id)
      if (execution) reader.bead(execution.project, execution.bead) // its facts: tried, or planned
    }
  }

  #note(execution: Execution): void {
    this.#live.set(execution.id, isTerminal(execution.state) ? null : execution)
    const index = this.#projects.get(execution.project)
    // A review does not change the bead: its card, and whether it was tried, come from its work.
    if (!index) return
    if (execution.kind === 'review') return this.#noteReview(index, execution)
    if (execution.kind === 'plan') return this.#notePlanning(index, execution)
    if ((index.planned.get(execution.bead)?.queuedAt ?? Infinity) < execution.queuedAt)
      index.planned.delete(execution.bead)
    const newest = index.newest.get(execution.bead)
    const newestAt = newest ? (this.#store.execution(newest)?.queuedAt ?? 0) : 0
    if (!newest || execution.queuedAt >= newestAt) {
      index.newest.set(execution.bead, execution.id)
      if (execution.flags.some(({ kind }) => kind === 'outdated')) index.outdated.add(execution.bead)
      else index.outdated.delete(execution.bead)
    }
    if (!isTerminal(execution.state)) return
    index.tried.add(execution.bead)
    noteEnding(index, execution)
  }

  /** A planning that came to a plan is followed by work; any other end is for a person, as with work. */
  #notePlanning(index: ProjectIndex, { id, bead, state, queuedAt, chosen }: Execution): void {
    if (!isTerminal(state)) return void index.planning.set(bead, id)
    if (index.planning.get(bead) === id) index.planning.delete(bead)
    if (state !== 'COMPLETED') return void index.tried.add(bead)
    const newest = index.newest.get(bead)
    if (newest && (this.#store.execution(newest)?.queuedAt ?? 0) > queuedAt) return
    if ((index.planned.get(bead)?.queuedAt ?? -1) < queuedAt)
      index.planned.set(bead, { queuedAt, asks: chosen?.planning?.approve === 'ask' })
  }

  #noteReview(index: ProjectIndex, { id, bead, state, queuedAt }: Execution): void {
    if (state !== 'COMPLETED' || (index.judged.get(bead)?.queuedAt ?? -1) > queuedAt) return
    const row = this.#store.review(id)
    if (row && row.verdict !== null)
      index.judged.set(bead, { review: id, commit: row.to, verdict: row.verdict, queuedAt })
  }
}

/** Changes of an ended execution come again: each is noted once. */
function noteEnding(index: ProjectIndex, { bead, state, reason, failureKind, endedAt }: Execution): void {
  if (endedAt === null || !isTerminal(state)) return
  const ending: Ending = { bead, state, reason, ...(failureKind && { failureKind }), endedAt }
  const others = index.endings.filter((one) => one.bead !== bead || one.endedAt !== endedAt)
  index.endings = [...others, ending].sort((a, b) => b.endedAt - a.endedAt).slice(0, MOST_ENDINGS)
}
