import type { Bead } from '../bead/bead.ts'
import type { ExecutionKind, PhaseWait } from '../execution/execution.ts'
import type { BeadId, ExecutionId, ProjectId } from '../ids.ts'
import { mendsBase } from '../bead/mending.ts'
import { compareText, isWork } from '../bead/ready.ts'
import type { Reason } from './reason.ts'
import { sortByTurn } from './sort-by-turn.ts'
import type { Turn } from './sort-by-turn.ts'
import { indexWaiting } from '../bead/waiting.ts'
import type { Waiting } from '../bead/waiting.ts'
import {
  behindOthers,
  claiming,
  continues,
  doneAlready,
  gone,
  inPlan,
  needsNoReason,
  manual,
  phaseWaits,
  partsRun,
  planWaits,
  projectPaused,
  pushPending,
  retryLater,
  running,
  slotsInUse,
  starting,
  whyClaimed,
  whyItWaits,
  whyNotByItself,
} from './why-not.ts'

export type { Reason } from './reason.ts'

export type QueuedExecution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  /** Default: work. A review looks at what is there, whatever its bead waits for. */
  kind?: ExecutionKind
  queuedAt: number
  retryAt: number | null
  /** Autopilot has queued it: it waits while that has paused itself. */
  byAutopilot?: boolean
}
export type LiveExecution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  /** Its work is done and waits for the remote: it holds no container and no slot. */
  pendingPush?: boolean
  /** When its retry starts, while it waits for that. */
  retryAt?: number | null
  /** It waits between two phases: for a person without a slot, and then for a slot, before any that is queued. */
  phaseWait?: PhaseWait
}

export type ProjectSnapshot = {
  id: ProjectId
  autopilot: boolean
  paused: boolean
  /** Why nothing of this project can start ("no model configured: …"), or null. */
  obstacle: Reason | null
  beads: readonly Bead[]
  /** Why autopilot starts nothing more by itself, or null; a person still can. */
  brake?: Reason | null
  /** Beads that already had an execution which ended, in any way: autopilot does not start them again. */
  tried: ReadonlySet<BeadId>
  /** Beads whose plan waits for a person's approval. */
  unapproved?: ReadonlySet<BeadId>
  /** Beads that are part of the plan of a queued or running epic, each with that epic. */
  partOf?: ReadonlyMap<BeadId, BeadId>
  /** An epic is done by the plan that its children are, so autopilot starts it before them. */
  epicsFirst?: boolean
  /** Of `tried`, beads that were edited while their last execution ran. */
  outdated?: ReadonlySet<BeadId>
  /** The name of the tracker, if its claims count ("bd"); absent: they do not. */
  claimsIn?: string
}

/** Everything `planDispatch` looks at; `now` is milliseconds UTC. */
export type DispatchSnapshot = {
  now: number
  slots: number
  /** Slots that running executions have taken beside their own; less than none where they have lent theirs. */
  extraSlots?: number
  /** Slots that are kept free for those that had one before. */
  reservedSlots?: number
  /** Why nothing at all can start (Docker does not answer), or null. */
  obstacle: Reason | null
  projects: readonly ProjectSnapshot[]
  running: readonly LiveExecution[]
  queued: readonly QueuedExecution[]
  /** Of these, executions whose beads are being claimed in the tracker. */
  claiming?: ReadonlySet<ExecutionId>
}

export type DispatchPlan = {
  /** Queued executions to start now, best first; never more than there are free slots. */
  start: ExecutionId[]
  /** Ready beads of autopilot projects that have no execution yet, best first; the caller queues them. */
  enqueue: { project: ProjectId; bead: BeadId }[]
  /** For every bead that does not start now, one reason; done beads are left out. */
  reasons: Map<ProjectId, Map<BeadId, Reason>>
}

/**
 * What to start, what to queue, and why everything else waits. Pure: the same snapshot gives the same plan, in time
 * linear to the beads (and n log n in what is ready or queued).
 *
 * - QUEUED executions start first, by priority of their bead, then by how long they have waited.
 * - A queued execution does not start while its bead waits for others, is claimed in the tracker or has a live
 *   execution, or while its project is paused or it or the server cannot run anything.
 * - Autopilot queues ready beads by priority, then age, but none that it has tried, and none while nothing can run.
 */
export function planDispatch(snapshot: DispatchSnapshot): DispatchPlan {
  const views = viewsOf(snapshot)
  const own = snapshot.running.filter(
    ({ pendingPush, phaseWait }) => pendingPush !== true && phaseWait?.continued !== false,
  ).length
  const used = own + (snapshot.extraSlots ?? 0)
  const free = Math.max(0, snapshot.slots - used - (snapshot.reservedSlots ?? 0))

  const startable: Candidate[] = []
  for (const execution of [...snapshot.queued].sort((a, b) => a.queuedAt - b.queuedAt || compareText(a.id, b.id))) {
    const view = views.get(execution.project)
    if (view === undefined || view.live.has(execution.bead)) continue
    view.live.add(execution.bead)
    const at = view.waiting.positionOf(execution.bead)
    const bead = view.project.beads[at]
    const reason = bead === undefined ? gone : whyQueued(execution, bead, at, view, snapshot)
    if (reason !== null || bead === undefined) view.reasons.set(execution.bead, reason ?? gone)
    else startable.push({ view, bead, since: execution.queuedAt, execution: execution.id })
  }

  const fresh: Candidate[] = []
  for (const view of views.values()) {
    const closed = whyNothingStarts(view.project, snapshot)
    for (const [at, bead] of view.project.beads.entries()) {
      if (needsNoReason(bead) || view.live.has(bead.id)) continue
      const own = mendsBase(bead) ? whyNothingStarts(view.project, snapshot, bead) : closed
      const reason = whyNotQueued(bead, at, view, own, snapshot.now)
      if (reason !== null) view.reasons.set(bead.id, reason)
      else fresh.push({ view, bead, since: bead.createdAt, execution: null })
    }
  }

  // `since` alone is not enough: two projects, or two beads of one import, share a moment.
  const enqueue = sortByTurn(fresh, byTurn)
  const line = [...sortByTurn(startable, byTurn), ...enqueue]
  const first = line.slice(0, free)
  const later = free === 0 ? slotsInUse(Math.max(used, snapshot.slots), snapshot.slots) : behindOthers(idsOf(first))
  for (const [at, { view, bead, execution }] of line.entries()) {
    if (at >= free) view.reasons.set(bead.id, later)
    else if (execution === null) view.reasons.set(bead.id, starting)
    else if (snapshot.claiming?.has(execution)) view.reasons.set(bead.id, claiming)
  }
  return {
    start: first.flatMap(({ execution }) => (execution === null ? [] : [execution])),
    enqueue: enqueue.map(({ view, bead }) => ({ project: view.project.id, bead: bead.id })),
    reasons: new Map([...views].map(([id, view]) => [id, view.reasons])),
  }
}

type View = {
  project: ProjectSnapshot
  waiting: Waiting
  /** Beads that have a running or queued execution, which need no further decision. */
  live: Set<BeadId>
  running: Set<BeadId>
  reasons: Map<BeadId, Reason>
}

/** `execution` null: a ready bead that is to be queued. `since` is what its age counts from, milliseconds UTC. */
type Candidate = { view: View; bead: Bead; since: number; execution: ExecutionId | null }

function viewsOf({ projects, running: live, now }: DispatchSnapshot): Map<ProjectId, View> {
  const views = new Map<ProjectId, View>()
  for (const project of projects) {
    const waiting = indexWaiting(project.beads)
    views.set(project.id, { project, waiting, live: new Set(), running: new Set(), reasons: new Map() })
  }
  for (const execution of live) {
    const view = views.get(execution.project)
    view?.live.add(execution.bead)
    view?.running.add(execution.bead)
    view?.reasons.set(execution.bead, whatItDoes(execution, now))
  }
  return views
}

function whatItDoes({ bead, pendingPush, retryAt, phaseWait }: LiveExecution, now: number): Reason {
  if (pendingPush === true) return pushPending
  if (phaseWait) return phaseWait.continued ? continues : phaseWaits(bead, phaseWait.after)
  return typeof retryAt === 'number' && retryAt > now ? retryLater(retryAt, now) : running
}

const byTurn: Turn<Candidate> = {
  priority: ({ bead }) => bead.priority,
  time: ({ since }) => since,
  tie: (a, b) => compareText(a.bead.id, b.bead.id) || compareText(a.view.project.id, b.view.project.id),
}

/** What the bead itself lacks comes first: it stays true when the server's own trouble is over. */
function whyQueued(
  execution: QueuedExecution,
  bead: Bead,
  at: number,
  view: View,
  snapshot: DispatchSnapshot,
): Reason | null {
  // A review looks at what is there, whatever its bead waits for; planning begins nothing.
  const review = execution.kind === 'review'
  if (!review && needsNoReason(bead)) return doneAlready
  const claim = review ? null : whyClaimed(bead, view.project.claimsIn)
  if (claim !== null) return claim
  const closed =
    (review ? null : (whyPart(bead, view) ?? whyItWaits(at, view.waiting))) ??
    whyNothingStarts(view.project, snapshot, bead)
  if (closed !== null) return closed
  if (execution.byAutopilot && view.project.autopilot && view.project.brake) return view.project.brake
  return execution.retryAt !== null && execution.retryAt > snapshot.now
    ? retryLater(execution.retryAt, snapshot.now)
    : null
}

function whyNotQueued(bead: Bead, at: number, view: View, closed: Reason | null, now: number): Reason | null {
  const { project, waiting } = view
  // Without autopilot a person starts every bead, so an open one may have been tried any number of times.
  const tried = project.tried.has(bead.id) && (project.autopilot || bead.status !== 'open')
  const outdated = tried && bead.status === 'in_progress' && project.outdated?.has(bead.id) === true
  const claim = isWork(bead) ? whyClaimed(bead, project.claimsIn) : null
  const own = claim ?? whyNotByItself(bead, at, waiting, now, outdated ? 'outdated' : tried)
  const unapproved = project.unapproved?.has(bead.id) === true ? planWaits(bead.id) : null
  const part = whyPart(bead, view) ?? (project.autopilot && project.epicsFirst ? whyAfterEpic(bead, view, now) : null)
  return part ?? own ?? unapproved ?? closed ?? (project.autopilot ? (project.brake ?? null) : manual)
}

/** Why a bead does not run because of a plan: it is part of one, or parts of its own plan are running. */
function whyPart({ id }: Bead, { project, running }: View): Reason | null {
  const epic = project.partOf?.get(id)
  if (epic !== undefined) return inPlan(epic)
  const parts = [...(project.partOf ?? [])].filter(([part, of]) => of === id && running.has(part))
  return parts.length === 0 ? null : partsRun(parts.map(([part]) => part))
}

/** An epic that autopilot could start itself has its children as its plan. */
function whyAfterEpic(bead: Bead, { project, waiting }: View, now: number): Reason | null {
  for (const edge of bead.dependencies) {
    if (edge.type !== 'parent-child') continue
    const epic = waiting.target(edge)
    if (epic === undefined || epic.type !== 'epic' || epic.status !== 'open' || project.tried.has(epic.id)) continue
    if (whyNotByItself(epic, waiting.positionOf(epic.id), waiting, now, false) === null) return inPlan(epic.id)
  }
  return null
}

/** Why nothing of this project can start; a base that is broken keeps no bead from mending it. */
function whyNothingStarts(
  project: ProjectSnapshot,
  { obstacle }: DispatchSnapshot,
  bead: Bead | null = null,
): Reason | null {
  const mends = bead !== null && project.obstacle?.code === 'base_broken' && mendsBase(bead)
  if (project.obstacle !== null && !mends) return project.obstacle
  if (obstacle !== null) return obstacle
  return project.paused ? projectPaused : null
}

const idsOf = (candidates: readonly Candidate[]): string[] => candidates.map(({ bead }) => bead.id)
