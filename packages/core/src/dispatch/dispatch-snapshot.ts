import type { ListedBead } from '../records/bead.ts'
import type { ExecutionKind } from '../records/execution.ts'
import type { BeadId, ExecutionId, ProjectId } from '../records/ids.ts'
import { LOCAL_ENGINE } from '../records/engine-name.ts'
import { keepsSlot, type Wait } from '../records/wait.ts'
import type { ProjectRules } from './bead-reasons.ts'
import type { Reason } from './reason.ts'
import { atLimit, shareOf, type Claimant, type Head } from './shares.ts'
import type { Turn, Turns } from './turns.ts'
import { behindOthers, projectLimit, shareUsed } from './why-not.ts'
import { continues, paused, phaseWaits, pushPending, retryLater, running, slotsInUse } from './why-not.ts'

/* The input and output of a schedule, and the reasons that both ways to make one give. */

export type QueuedExecution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  /** Default: work. A review looks at existing work, so it ignores its bead's blockers. */
  kind?: ExecutionKind
  queuedAt: number
  retryAt: number | null
  /** Autopilot has queued it: it waits while autopilot has paused itself. */
  byAutopilot?: boolean
}
export type LiveExecution = {
  id: ExecutionId
  project: ProjectId
  bead: BeadId
  /** The engine that runs it; default: its project's. */
  engine?: string
  /** Default: null, it works. */
  waits?: Wait | null
}

/** With the engine that started it. */
export type PlacedExecution = LiveExecution & { engine: string }

/** A project's share of its engine. */
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
    /** Beads with an execution that ended, in any way: autopilot does not start them again. */
    tried: ReadonlySet<BeadId>
    /** Beads whose plan waits for a person's approval. */
    unapproved?: ReadonlySet<BeadId>
    /** Beads that are part of the plan of a queued or running epic, each with that epic. */
    partOf?: ReadonlyMap<BeadId, BeadId>
    /** Beads of `tried` that were edited while their last execution ran. */
    outdated?: ReadonlySet<BeadId>
  }

/**
 * A project's slots in addition to those of its running executions: for further subtasks and proofs; negative if it has
 * lent some. `reserved`: kept free for the execution that had the slot before. `proofs`: the part of `used` that proves
 * its base.
 */
export type ExtraUse = { project: ProjectId; engine: string; used: number; reserved: number; proofs?: number }

/** Everything `makeSchedule` looks at; `now` is milliseconds UTC. */
export type DispatchSnapshot = {
  now: number
  /** The most executions at once, by the engine's name; an engine without an entry takes none. */
  slots: ReadonlyMap<string, number>
  extra?: readonly ExtraUse[]
  /** Turns that projects have had, by engine. */
  turns?: ReadonlyMap<string, Turns>
  /** Why nothing at all can start (the disk is full), or null. */
  obstacle: Reason | null
  projects: readonly ProjectSnapshot[]
  running: readonly LiveExecution[]
  queued: readonly QueuedExecution[]
  /** Queued executions whose beads are being claimed in the tracker. */
  claiming?: ReadonlySet<ExecutionId>
}

export type Schedule = {
  /** Queued executions to start now, best first; never more than there are free slots. */
  start: ExecutionId[]
  /** Ready beads of autopilot projects that have no execution yet, best first; the caller queues them. */
  enqueue: { project: ProjectId; bead: BeadId }[]
  /** For every bead that does not start now, one reason; done beads are left out. */
  reasons: Map<ProjectId, Map<BeadId, Reason>>
  /** The present turns, without the new starts; call `countStart` for each start. */
  turns: Map<string, Map<ProjectId, Turn>>
  /**
   * Slots that projects have beyond their share while others wait for theirs; a project with extra slots gives those
   * back.
   */
  over: Map<ProjectId, number>
}

/** The engine of projects that name none. */
export const HOME = LOCAL_ENGINE
/**
 * The most executions that autopilot queues ahead for a project, so that a large tracker fills neither memory nor
 * board.
 */
export const QUEUED_AHEAD = 1_000

/** An execution that a person has continued after a phase gets its slot ahead of all queued executions. */
export const usesSlot = ({ waits = null }: Pick<LiveExecution, 'waits'>): boolean =>
  waits === null || keepsSlot[waits.kind] || (waits.kind === 'phase' && waits.continued)

export function whatItDoes({ bead, waits }: LiveExecution, now: number): Reason {
  switch (waits?.kind) {
    case 'retry':
      return waits.at > now ? retryLater(waits.at, now) : running
    case 'push':
      return pushPending
    case 'phase':
      return waits.continued ? continues : phaseWaits(bead, waits.after)
    case 'pause':
      return paused(waits)
    case 'budget':
    case undefined:
      return running
  }
}

/** The result of sharing out an engine; `used`: before it. */
export type Sharing = {
  slots: number
  used: number
  free: number
  /** Beads that start. */
  first: readonly string[]
  /** The sum over all active projects. */
  weights: number
  /** Whether more than one project is active. */
  others: boolean
  /** Projects whose base is proved in slots of this engine. */
  proving: readonly string[]
}

/**
 * Projects whose base is proved on the engine. A reason names them: those slots are visible nowhere else to one who
 * waits.
 */
export const provingOn = (engine: string, extra: readonly ExtraUse[]): string[] =>
  extra.flatMap((one) => (one.engine === engine && (one.proofs ?? 0) > 0 ? [one.project] : []))

/** Why nothing more of this project starts, after the starts have been chosen. */
export function whyLater(view: Pick<Claimant<Head>, 'used' | 'limit' | 'weight'>, sharing: Sharing): Reason {
  const { slots, used, free, first, weights, others, proving } = sharing
  if (atLimit(view)) return projectLimit(view.limit ?? 0)
  if (free > 0) return behindOthers(first)
  const isShared = others && view.used > 0 && view.used >= shareOf(slots, view.weight, weights).down
  return isShared ? shareUsed(view.used, slots) : slotsInUse(Math.max(used, slots), slots, proving)
}
