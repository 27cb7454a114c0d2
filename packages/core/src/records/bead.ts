import { assertNever } from '../text/assert-never.ts'
import type { BeadId, ProjectId } from './ids.ts'

/** Beadloom's own words for a bead's status; `trackerStatus` has the tracker's (`deferred`, `hooked`, …). */
export const beadStatuses = ['open', 'in_progress', 'blocked', 'timeout', 'done'] as const
export type BeadStatus = (typeof beadStatuses)[number]
/** Filters of lists of beads: a status, or beads in progress whose last execution failed. */
export const beadFilters = [...beadStatuses, 'failed'] as const
export type BeadFilterWord = (typeof beadFilters)[number]

/** `met`: the capability of another project exists. Set by Beadloom, never by the tracker. */
export type BeadDependency = { dependsOn: string; type: string; metadata?: string; met?: true }

/** A bead as Beadloom keeps it. Times are integer milliseconds UTC. */
export type Bead = {
  project: ProjectId
  id: BeadId
  title: string
  description: string
  status: BeadStatus
  /** The status in the database if this version does not know it; `status` is then "blocked". */
  oddStatus?: string
  /** The status in the tracker that this bead was read from; together with `status` it decides readiness. */
  trackerStatus: string
  /** 0 (critical) to 4 (backlog). */
  priority: number
  type: string
  labels: string[]
  dependencies: BeadDependency[]
  createdAt: number
  updatedAt: number
  deferUntil: number | null
  pinned: boolean
  ephemeral: boolean
  template: boolean
  /** Its assignee in the tracker, '' for nobody; absent if unknown. */
  assignee?: string
  /** The owner of a claim in the tracker that is not Beadloom's. Never copied from a tracker as it is. */
  claimedBy?: string
  /**
   * For a follow-up: the branch of the failed work, where its own execution starts. Set by Beadloom, never by the
   * tracker.
   */
  baseBranch?: string
  /** In progress because its last execution failed: nobody works on it. Absent: it did not, or somebody does. */
  failed?: true
  /**
   * The label `failed` in its tracker is Beadloom's own, which removes it later; a person's label stays. Never copied
   * from a tracker.
   */
  labelled?: true
  /**
   * For a reminder: the bead whose question it repeats; it is no work of its own. Set by Beadloom, never by the
   * tracker.
   */
  reminds?: BeadId
  /**
   * For a follow-up: the bead that it follows up, and inside which it is shown. Set by Beadloom, never by the tracker.
   */
  filedFor?: BeadId
}

/** A bead in a list of its project. A hundred thousand may be in memory, so the description stays in the store. */
export type ListedBead = Omit<Bead, 'description'>

/**
 * The events that change a bead's status. People and their tracker close and reopen beads; the rest comes from
 * executions.
 */
export type BeadEvent =
  | { type: 'started' }
  | { type: 'completed' }
  /** Completed, but the bead was edited meanwhile: a person decides whether the edit is done, too. */
  | { type: 'outdated' }
  | { type: 'failed' }
  /** Nothing was tried, because an engine, an image or the setup failed: the bead is open again. */
  | { type: 'unstarted' }
  | { type: 'blocked' }
  | { type: 'timed-out' }
  /** `failed`: before, it was in progress because an earlier execution had failed. */
  | { type: 'cancelled'; former: BeadStatus; failed?: boolean }
  | { type: 'closed' }
  | { type: 'reopened' }

export const allowedFrom = {
  started: ['open', 'in_progress', 'blocked', 'timeout'],
  completed: ['in_progress'],
  outdated: ['in_progress', 'done'],
  failed: ['in_progress'],
  unstarted: ['in_progress'],
  blocked: ['in_progress'],
  'timed-out': ['in_progress'],
  cancelled: ['in_progress'],
  closed: ['open', 'in_progress', 'blocked', 'timeout'],
  reopened: ['in_progress', 'blocked', 'timeout', 'done'],
} satisfies Record<BeadEvent['type'], BeadStatus[]>

export type Refused = { refused: string }

/**
 * The only place that changes a bead's status. A failed bead stays in progress, so that autopilot leaves it to a
 * person; `isFailure` tells it from a bead that somebody works on.
 */
export function transitionBead(status: BeadStatus, event: BeadEvent): BeadStatus | Refused {
  const from: readonly BeadStatus[] = allowedFrom[event.type]
  if (!from.includes(status)) return { refused: `a bead that is ${status} cannot be ${event.type}` }
  switch (event.type) {
    case 'started':
    case 'failed':
    case 'outdated':
      return 'in_progress'
    case 'completed':
    case 'closed':
      return 'done'
    case 'blocked':
      return 'blocked'
    case 'timed-out':
      return 'timeout'
    case 'cancelled':
      return event.former
    case 'reopened':
    case 'unstarted':
      return 'open'
    default:
      return assertNever(event)
  }
}

/** Whether the bead counts as failed after this event: in progress, but nobody works on it. */
export const isFailure = (event: BeadEvent): boolean =>
  event.type === 'failed' || (event.type === 'cancelled' && event.former === 'in_progress' && event.failed === true)
