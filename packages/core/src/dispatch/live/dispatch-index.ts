import type { ListedBead } from '../../records/bead.ts'
import { compareText } from '../../bead/ready.ts'
import type { BeadId, ExecutionId, ProjectId } from '../../records/ids.ts'
import type { ProjectRules } from '../bead-reasons.ts'
import {
  HOME,
  provingOn,
  whyLater,
  type Schedule,
  type ExtraUse,
  type PlacedExecution,
  type ProjectShare,
  type QueuedExecution,
} from '../dispatch-snapshot.ts'
import { Heap } from '../heap.ts'
import type { Reason } from '../reason.ts'
import { byHead, USUAL_WEIGHT } from '../shares.ts'
import { claiming, starting } from '../why-not.ts'
import type { Candidate } from './candidate.ts'
import { EngineLine } from './engine-line.ts'
import { LiveExecutions } from './live-executions.ts'
import { ProjectLines, type KnownBeads } from './project-lines.ts'

/** The input of a schedule apart from projects, beads and executions. `now`: milliseconds UTC. */
export type Around = {
  now: number
  slots: ReadonlyMap<string, number>
  extra: readonly ExtraUse[]
  obstacle: Reason | null
  claiming: ReadonlySet<ExecutionId>
}

/** The index keeps the turns itself: `turns` and `countStart`. */
export type IndexedSchedule = Omit<Schedule, 'reasons' | 'turns'>

/**
 * The scheduler: told of every change, it makes schedules, and says one by one why a bead does not start. The cost depends
 * only on the changes since the last schedule and on the starts. `makeSchedule` (`testing/`) has the rules in one piece. It is changed in place and belongs to one owner.
 */
export class DispatchIndex {
  readonly #projects = new Map<ProjectId, ProjectLines>()
  readonly #engines = new Map<string, EngineLine>()
  readonly #executions = new LiveExecutions()
  /** Projects that are looked at before the next schedule. */
  readonly #marked = new Set<ProjectLines>()
  readonly #timers = new Heap<{ time: number; project: ProjectLines; bead: BeadId }>((a, b) => a.time - b.time)
  /** Projects with beads for autopilot to queue, and room for them. */
  readonly #wanting = new Set<ProjectLines>()
  #extra = new Map<ProjectLines, number>()
  #around: Around | null = null
  #first: ReadonlySet<Candidate> = new Set()
  readonly #watch = {
    now: (project: ProjectLines) => void this.#marked.add(project),
    at: (time: number, project: ProjectLines, bead: BeadId) => this.#timers.push({ time, project, bead }),
  }

  /** A project that is not known yet has no beads. */
  setProject(id: ProjectId, rules: ProjectRules, share: ProjectShare, known: KnownBeads): void {
    const project = this.#projects.get(id) ?? this.#begin(id, known)
    project.setRules(rules)
    project.weight = share.weight ?? USUAL_WEIGHT
    project.limit = share.limit ?? null
    const engine = share.engine ?? HOME
    if (project.engine === engine) return
    this.#engines.get(project.engine)?.remove(project)
    project.engine = engine
    this.#engineOf(engine).add(project)
  }

  /** Drops a project with its beads; its executions stay. */
  dropProject(id: ProjectId): void {
    const project = this.#projects.get(id)
    if (project === undefined) return
    this.#projects.delete(id)
    this.#engines.get(project.engine)?.remove(project)
    this.#marked.delete(project)
    this.#wanting.delete(project)
    this.#extra.delete(project)
  }

  setBead(project: ProjectId, bead: ListedBead): void {
    this.#projects.get(project)?.waiting.set(bead)
  }

  removeBead(project: ProjectId, id: BeadId): void {
    this.#projects.get(project)?.removeBead(id)
  }

  /** Facts about the bead outside of it have changed. */
  touch(project: ProjectId, id: BeadId): void {
    this.#projects.get(project)?.touch(id)
  }

  /** Beads that are part of the plan of a queued or running epic, each with its epic. */
  setParts(project: ProjectId, epics: ReadonlyMap<BeadId, BeadId>): void {
    this.#projects.get(project)?.setParts(epics)
  }

  setRunning(execution: PlacedExecution): void {
    this.#executions.set({ state: 'running', ...execution }, (project) => this.#projects.get(project))
  }

  setQueued(execution: QueuedExecution): void {
    this.#executions.set({ state: 'queued', ...execution }, (project) => this.#projects.get(project))
  }

  dropExecution(id: ExecutionId): void {
    this.#executions.drop(id, (project) => this.#projects.get(project))
  }

  /** An execution of the project has started on its engine. */
  countStart(id: ProjectId): void {
    const project = this.#projects.get(id)
    if (project !== undefined) this.#engines.get(project.engine)?.countStart(project)
  }

  /** The turns of `makeSchedule`, by engine. */
  turns(): Schedule['turns'] {
    return new Map([...this.#engines].map(([engine, line]) => [engine, line.turns]))
  }

  schedule(around: Around): IndexedSchedule {
    this.#look(around)
    const schedule: IndexedSchedule = { start: [], enqueue: [], over: new Map() }
    const first = new Set<Candidate>()
    for (const line of this.#engines.values()) line.forgetTaken()
    const engines = [...this.#engines].sort(([a], [b]) => compareText(a, b))
    for (const [engine, line] of engines) {
      // As in `makeSchedule`, which has no turns for engines without projects.
      if (line.size === 0) this.#engines.delete(engine)
      else for (const one of this.#share(engine, line, around, schedule)) first.add(one)
    }
    for (const one of [...this.#first, ...first]) this.#projects.get(one.project)?.noteStart(one.id)
    this.#first = first
    schedule.enqueue = this.#enqueueOf([...first].filter(({ fresh }) => fresh))
    return schedule
  }

  /** Why a bead does not start, by the last schedule; null: it starts, or needs no reason. */
  why(id: ProjectId, bead: BeadId): Reason | null {
    const [project, around] = [this.#projects.get(id), this.#around]
    if (project === undefined || around === null) return null
    const { reason, candidate } = project.reasonOf(bead, around.now, around.obstacle)
    if (candidate === null) return reason
    if (this.#first.has(candidate)) {
      if (candidate.execution === null) return starting
      return around.claiming.has(candidate.execution) ? claiming : null
    }
    return this.#whyLater(project)
  }

  /** Beads with a possible change since the last call, without those of dropped projects. */
  takeChanged(): Map<ProjectId, Set<BeadId>> {
    const changed = new Map<ProjectId, Set<BeadId>>()
    for (const project of this.#projects.values()) {
      const beads = project.takeChanged(this.#whyLater(project))
      if (beads.size > 0) changed.set(project.project, beads)
    }
    return changed
  }

  #whyLater({ engine, usedThen: used, limit, weight }: ProjectLines): Reason | null {
    const sharing = this.#engines.get(engine)?.sharing
    return sharing ? whyLater({ used, limit, weight }, sharing) : null
  }

  /** Updates everything except the engines' slots. After a clock was set back, everything is looked at again. */
  #look(around: Around): void {
    const former = this.#around
    this.#around = around
    if (former !== null && around.now < former.now) for (const project of this.#projects.values()) project.touchAll()
    if ((former?.obstacle ?? null) === null ? around.obstacle !== null : around.obstacle === null)
      for (const project of this.#projects.values()) this.#marked.add(project)
    for (let due = this.#timers.peek(); due !== undefined && due.time <= around.now; due = this.#timers.peek()) {
      this.#timers.pop()
      due.project.isDue(due.bead)
    }
    this.#countExtra(around.extra)
    for (const project of this.#marked) {
      if (this.#projects.get(project.project) !== project) continue // the project was dropped
      project.look(around.now, around.obstacle)
      if (project.room > 0) this.#wanting.add(project)
      else this.#wanting.delete(project)
      this.#engines.get(project.engine)?.mark(project)
    }
    this.#marked.clear()
  }

  #countExtra(extra: readonly ExtraUse[]): void {
    const former = this.#extra
    this.#extra = new Map()
    for (const { project: id, engine, used, reserved } of extra) {
      const project = this.#projects.get(id)
      if (project?.engine === engine) this.#extra.set(project, (this.#extra.get(project) ?? 0) + used + reserved)
    }
    for (const project of new Set([...former.keys(), ...this.#extra.keys()])) {
      const now = this.#extra.get(project) ?? 0
      if (project.extra === now) continue
      project.extra = now
      this.#marked.add(project)
    }
  }

  #share(engine: string, line: EngineLine, { slots, extra }: Around, schedule: IndexedSchedule): Candidate[] {
    const beside = extra.reduce((sum, one) => (one.engine === engine ? sum + one.used + one.reserved : sum), 0)
    const first = line.share(
      slots.get(engine) ?? 0,
      this.#executions.usedOn(engine) + beside,
      schedule.over,
      provingOn(engine, extra),
    )
    for (const { execution } of first) if (execution !== null) schedule.start.push(execution)
    return first
  }

  /** The beads that autopilot queues: the starts, and others as far as there is room. */
  #enqueueOf(starting: readonly Candidate[]): Schedule['enqueue'] {
    const chosen = new Set(starting)
    for (const project of this.#wanting) for (const one of project.bestFresh(project.room)) chosen.add(one)
    return [...chosen]
      .sort((a, b) => byHead(a, b) || compareText(a.project, b.project))
      .map(({ project, id }) => ({ project, bead: id }))
  }

  #begin(id: ProjectId, known: KnownBeads): ProjectLines {
    const project = new ProjectLines(id, known, this.#watch)
    this.#projects.set(id, project)
    this.#executions.tell(project)
    return project
  }

  #engineOf(name: string): EngineLine {
    const known = this.#engines.get(name)
    if (known !== undefined) return known
    const line = new EngineLine()
    this.#engines.set(name, line)
    return line
  }
}
