import type { ListedBead } from '../bead/bead.ts'
import type { ExecutionKind, PhaseWait } from '../execution/execution.ts'
import type { BeadId, ExecutionId, ProjectId } from '../ids.ts'
import { LOCAL_ENGINE } from '../project/engine-name.ts'
import type { ProjectRules } from './bead-reasons.ts'
import type { Reason } from './reason.ts'
import { atLimit, shareOf, type Claimant, type Head } from './shares.ts'
import type { Turn, Turns } from './turns.ts'
import { behindOthers, projectLimit, shareUsed } from './why-not.ts'
import { continues, phaseWaits, pushPending, retryLater, running, slotsInUse } from './why-not.ts'

/* What a plan is made of, and what is said about it whoever makes it. */

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
  /** Where it runs; default: its project's engine. */
  engine?: string
  /** Its work is done and waits for the remote: it holds no container and no slot. */
  pendingPush?: boolean
  /** When its retry starts, while it waits for that. */
  retryAt?: number | null
  /** It waits between two phases: for a person without a slot, and then for a slot, before any that is queued. */
  phaseWait?: PhaseWait
}

/** With where it was started. */
export type PlacedExecution = LiveExecution & { engine: string }

/** How a project shares its engine with others. */
export type ProjectShare = {
  /** Default: `HOME`. */
  engine?: string
  /** A whole number from 1; default: 1. */
  weight?: number
  /** The most slots that it may have at once; null, the default: any number. */
  limit?: number | null
}

export type ProjectSnapshot = ProjectRules &
  ProjectShare & {
    id: ProjectId
    beads: readonly ListedBead[]
    /** Beads that already had an execution which ended, in any way: autopilot does not start them again. */
    tried: ReadonlySet<BeadId>
    /** Beads whose plan waits for a person's approval. */
    unapproved?: ReadonlySet<BeadId>
    /** Beads that are part of the plan of a queued or running epic, each with that epic. */
    partOf?: ReadonlyMap<BeadId, BeadId>
    /** Of `tried`, beads that were edited while their last execution ran. */
    outdated?: ReadonlySet<BeadId>
  }

/**
 * Slots that a project has beside those of its running executions: for further subtasks and proofs; less than none where it has
 * lent some. `reserved`: kept free for one that had it before. `proofs`: those of `used` in which its base is proved.
 */
export type ExtraUse = { project: ProjectId; engine: string; used: number; reserved: number; proofs?: number }

/** Everything `planDispatch` looks at; `now` is milliseconds UTC. */
export type DispatchSnapshot = {
  now: number
  /** How many executions each engine takes at once, by its name; one that is not named takes none. */
  slots: ReadonlyMap<string, number>
  extra?: readonly ExtraUse[]
  /** Turns that projects have had, by engine. */
  turns?: ReadonlyMap<string, Turns>
  /** Why nothing at all can start (the disk is full), or null. */
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
  /** Turns as they are now, without what starts; `countStart` for each that does. */
  turns: Map<string, Map<ProjectId, Turn>>
  /** Slots that projects have beyond their share while others wait for theirs; who has further slots gives those back. */
  over: Map<ProjectId, number>
}

/** The engine of projects that name none. */
export const HOME = LOCAL_ENGINE
/** So many executions of a project are queued ahead by autopilot, so that a large tracker fills neither memory nor board. */
export const QUEUED_AHEAD = 1_000

/** One that waits for a person between two phases, or for the remote, has none. */
export const usesSlot = ({ pendingPush, phaseWait }: Pick<LiveExecution, 'pendingPush' | 'phaseWait'>): boolean =>
  pendingPush !== true && phaseWait?.continued !== false

export function whatItDoes({ bead, pendingPush, retryAt, phaseWait }: LiveExecution, now: number): Reason {
  if (pendingPush === true) return pushPending
  if (phaseWait) return phaseWait.continued ? continues : phaseWaits(bead, phaseWait.after)
  return typeof retryAt === 'number' && retryAt > now ? retryLater(retryAt, now) : running
}

/** How an engine was shared out; `used` before that. */
export type Sharing = {
  slots: number
  used: number
  free: number
  /** Beads that start. */
  first: readonly string[]
  /** Of all active projects. */
  weights: number
  /** Whether there is more than one of them. */
  others: boolean
  /** Projects whose base is proved in slots of this engine. */
  proving: readonly string[]
}

/** Nobody who waits sees what another project's base is proved in, unless it is said. */
export const provingOn = (engine: string, extra: readonly ExtraUse[]): string[] =>
  extra.flatMap((one) => (one.engine === engine && (one.proofs ?? 0) > 0 ? [one.project] : []))

/** Why nothing more of this project starts, now that what starts has been chosen. */
export function whyLater(view: Pick<Claimant<Head>, 'used' | 'limit' | 'weight'>, sharing: Sharing): Reason {
  const { slots, used, free, first, weights, others, proving } = sharing
  if (atLimit(view)) return projectLimit(view.limit ?? 0)
  if (free > 0) return behindOthers(first)
  const isShared = others && view.used > 0 && view.used >= shareOf(slots, view.weight, weights).down
  return isShared ? shareUsed(view.used, slots) : slotsInUse(Math.max(used, slots), slots, proving)
}
