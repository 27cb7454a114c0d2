import type { ListedBead } from '../records/bead.ts'
import { mendsBase } from '../bead/mending.ts'
import { compareText } from '../bead/ready.ts'
import { indexWaiting } from '../bead/waiting.ts'
import type { BeadId, ExecutionId, ProjectId } from '../records/ids.ts'
import { whyClosed, whyNotQueued, whyNotStarted, type Origin, type ProjectFacts } from '../dispatch/bead-reasons.ts'
import { HOME, provingOn, QUEUED_AHEAD, usesSlot, whatItDoes, whyLater } from '../dispatch/dispatch-snapshot.ts'
import type { Schedule, DispatchSnapshot, ProjectSnapshot, QueuedExecution } from '../dispatch/dispatch-snapshot.ts'
import type { Reason } from '../dispatch/reason.ts'
import {
  beyondShare,
  byHead,
  isActive,
  shareOut,
  USUAL_WEIGHT,
  weightsOf,
  type Claimant,
  type Head,
} from '../dispatch/shares.ts'
import { sortByTurn, type Turn as SortTurn } from '../bead/sort-by-turn.ts'
import { lookAgain, type Turn } from '../dispatch/turns.ts'
import { claiming, gone, needsNoReason, starting } from '../dispatch/why-not.ts'

/**
 * The rules of the scheduler in one piece, computed from everything: tests and benchmarks hold `dispatch/live` against it, which
 * keeps the same schedule up to date by changes.
 *
 * Returns the starts, the beads to queue, and a reason for everything that waits. Pure: the same snapshot gives the same schedule,
 * in time linear in the beads (and n log n in the ready or queued ones).
 *
 * - Free slots of an engine go to projects by the rule of `shares.ts`, and within a project by the bead's priority,
 *   then by its waiting time.
 * - A queued execution does not start while its bead waits for others, is claimed in the tracker or has a live
 *   execution, or while its project is paused or it or the server cannot run anything.
 * - Autopilot queues ready beads by priority, then age, but none that it has tried, and none while nothing can run;
 *   from each project the starts, and others up to `QUEUED_AHEAD`.
 */
export function makeSchedule(snapshot: DispatchSnapshot): Schedule {
  const views = viewsOf(snapshot)
  addQueued(views, snapshot)
  for (const view of views.values()) {
    addFresh(view, snapshot)
    const [queued, fresh] = [view.line.filter((one) => !one.fresh), view.line.filter((one) => one.fresh)]
    view.line = merged(sortByTurn(queued, byTurn), sortByTurn(fresh, byTurn))
  }
  const turns = new Map<string, Map<ProjectId, Turn>>()
  const start: ExecutionId[] = []
  const over = new Map<ProjectId, number>()
  for (const [engine, at] of byEngine(views)) {
    const slots = snapshot.slots.get(engine) ?? 0
    const used = usedOn(engine, views, snapshot)
    const active = at.filter(isActive)
    const now = lookAgain(
      snapshot.turns?.get(engine) ?? new Map<ProjectId, Turn>(),
      active.map(({ project }) => project),
    )
    turns.set(engine, now)
    for (const view of active) view.turns = now.get(view.project)?.turns ?? 0
    const free = Math.max(0, slots - used)
    const first = shareOut(slots, free, active)
    for (const one of first) {
      if (one.execution === null) one.view.reasons.set(one.id, starting)
      else if (snapshot.claiming?.has(one.execution)) one.view.reasons.set(one.id, claiming)
    }
    for (const [project, count] of beyondShare(slots, active)) over.set(project, count)
    start.push(...first.flatMap(({ execution }) => execution ?? []))
    const others = active.length > 1
    const weights = weightsOf(active)
    const proving = provingOn(engine, snapshot.extra ?? [])
    for (const view of active) {
      const ids = first.map(({ id }) => id)
      const later = whyLater(view, { slots, used, free, first: ids, weights, others, proving })
      for (const { id } of view.line.slice(view.taken)) view.reasons.set(id, later)
    }
  }
  return {
    start,
    enqueue: enqueueOf(views, snapshot.queued),
    reasons: new Map([...views].map(([id, view]) => [id, view.reasons])),
    turns,
    over,
  }
}

/** `execution` null: a ready bead to queue. */
type Candidate = Head & { view: View; id: BeadId; execution: ExecutionId | null }

type View = Claimant<Candidate> & {
  rules: ProjectSnapshot
  facts: ProjectFacts
  engine: string
  /** Beads that have a running or queued execution, which need no further decision. */
  live: Set<BeadId>
  running: Set<BeadId>
  reasons: Map<BeadId, Reason>
  line: Candidate[]
  taken: number
}

const byTurn: SortTurn<Candidate> = {
  priority: ({ priority }) => priority,
  time: ({ since }) => since,
  tie: (a, b) => compareText(a.bead, b.bead),
}

function viewsOf({ projects, running: live, extra = [], now }: DispatchSnapshot): Map<ProjectId, View> {
  const views = new Map<ProjectId, View>()
  for (const project of projects) views.set(project.id, viewOf(project))
  for (const execution of live) {
    const view = views.get(execution.project)
    if (view === undefined) continue
    view.live.add(execution.bead)
    view.running.add(execution.bead)
    view.reasons.set(execution.bead, whatItDoes(execution, now))
    if (usesSlot(execution) && (execution.engine ?? view.engine) === view.engine) view.used += 1
  }
  for (const { project, engine, used, reserved } of extra) {
    const view = views.get(project)
    if (view?.engine === engine) view.used += used + reserved
  }
  return views
}

function viewOf(project: ProjectSnapshot): View {
  const running = new Set<BeadId>()
  const parts = new Map<BeadId, BeadId[]>()
  for (const [part, epic] of project.partOf ?? []) parts.set(epic, [...(parts.get(epic) ?? []), part])
  return {
    project: project.id,
    rules: project,
    facts: {
      rules: project,
      waiting: indexWaiting(project.beads),
      isTried: (id) => project.tried.has(id),
      isOutdated: (id) => project.outdated?.has(id) === true,
      isUnapproved: (id) => project.unapproved?.has(id) === true,
      epicOf: (id) => project.partOf?.get(id),
      runningParts: (id) => (parts.get(id) ?? []).filter((part) => running.has(part)),
    },
    engine: project.engine ?? HOME,
    weight: project.weight ?? USUAL_WEIGHT,
    limit: project.limit ?? null,
    used: 0,
    turns: 0,
    live: new Set(),
    running,
    reasons: new Map(),
    line: [],
    taken: 0,
    peek() {
      return this.line[this.taken]
    },
    take() {
      this.taken += 1
    },
  }
}

function addQueued(views: Map<ProjectId, View>, snapshot: DispatchSnapshot): void {
  const { queued, obstacle, now } = snapshot
  for (const execution of [...queued].sort((a, b) => a.queuedAt - b.queuedAt || compareText(a.id, b.id))) {
    const view = views.get(execution.project)
    if (view === undefined || view.live.has(execution.bead)) continue
    view.live.add(execution.bead)
    const at = view.facts.waiting.positionOf(execution.bead)
    const bead = view.rules.beads[at]
    if (bead === undefined) {
      view.reasons.set(execution.bead, gone)
      continue
    }
    const { before, after } = whyNotStarted(execution, bead, at, view.facts, now)
    const origin: Origin = execution.byAutopilot === true ? 'autopilot' : 'person'
    const reason = before ?? whyClosed(view.rules, obstacle, origin, mendsBase(bead)) ?? after
    if (reason !== null) view.reasons.set(bead.id, reason)
    else view.line.push(candidate(view, bead, execution.queuedAt, execution.id))
  }
}

function addFresh(view: View, { obstacle, now }: DispatchSnapshot): void {
  const { rules, facts } = view
  for (const [at, bead] of rules.beads.entries()) {
    if (needsNoReason(bead) || view.live.has(bead.id)) continue
    const reason = whyNotQueued(bead, at, facts, now) ?? whyClosed(rules, obstacle, 'fresh', mendsBase(bead))
    if (reason !== null) view.reasons.set(bead.id, reason)
    else view.line.push(candidate(view, bead, bead.createdAt, null))
  }
}

function merged(queued: Candidate[], fresh: readonly Candidate[]): Candidate[] {
  if (queued.length === 0) return [...fresh]
  const line: Candidate[] = []
  let at = 0
  for (const one of fresh) {
    for (let next = queued[at]; next !== undefined && next.priority <= one.priority; next = queued[at])
      line.push(queued[at++] as Candidate)
    line.push(one)
  }
  return [...line, ...queued.slice(at)]
}

const candidate = (
  view: View,
  { id, priority }: ListedBead,
  since: number,
  execution: ExecutionId | null,
): Candidate => ({
  view,
  id,
  bead: id,
  priority,
  fresh: execution === null,
  since,
  execution,
})

/** By engine, in an order independent of the projects' order. */
function byEngine(views: ReadonlyMap<ProjectId, View>): [string, View[]][] {
  const engines = new Map<string, View[]>()
  for (const view of views.values()) engines.set(view.engine, [...(engines.get(view.engine) ?? []), view])
  return [...engines].sort(([a], [b]) => compareText(a, b))
}

/** All used slots, also of executions whose project has another engine by now, or is gone. */
function usedOn(engine: string, views: ReadonlyMap<ProjectId, View>, { running: live, extra = [] }: DispatchSnapshot) {
  const own = live.filter((one) => usesSlot(one) && (one.engine ?? views.get(one.project)?.engine ?? HOME) === engine)
  const beside = extra.filter((one) => one.engine === engine)
  return beside.reduce((sum, { used, reserved }) => sum + used + reserved, own.length)
}

function enqueueOf(views: ReadonlyMap<ProjectId, View>, queued: readonly QueuedExecution[]): Schedule['enqueue'] {
  const ahead = new Map<ProjectId, number>()
  for (const { project, byAutopilot } of queued)
    if (byAutopilot === true) ahead.set(project, (ahead.get(project) ?? 0) + 1)
  const chosen = [...views.values()].flatMap(({ project, line, taken }) => {
    let room = QUEUED_AHEAD - (ahead.get(project) ?? 0)
    return line.filter(({ execution }, at) => execution === null && (room-- > 0 || at < taken))
  })
  return chosen.sort((a, b) => byHead(a, b) || compareText(a.view.project, b.view.project)).map(toEnqueue)
}

const toEnqueue = ({ view, id }: Candidate): Schedule['enqueue'][number] => ({ project: view.project, bead: id })
