import type { BeadStatus } from '../records/bead.ts'
import type { ExecutionState } from '../records/execution.ts'
import { ACTOR, FAILED_LABEL } from './tracker-marks.ts'

/** A bead as it was just read from its tracker. */
export type Theirs = {
  status: BeadStatus
  trackerStatus: string
  labels: readonly string[]
  assignee?: string
  failed?: boolean
}

/** The same bead as it is stored, with the tracker's values at the last reading. */
export type Stored = {
  status: BeadStatus
  trackerStatus: string
  /** Null: unknown, from an earlier version. */
  assignee: string | null
  /** Its status was set here, by a person or an execution. */
  decided: boolean
  claimedBy: string | null
  failed: boolean
  labelled: boolean
}

/** Beadloom's own part in it now. */
export type Ours = {
  /** The state of its live execution; null: it has none. */
  execution: ExecutionState | null
  /** A claim for an execution that has not started is noted. */
  claimed: boolean
  /** Its status waits to be written to the tracker, and an execution of it has started. */
  unwritten: boolean
}

export type Merged = {
  status: BeadStatus
  decided: boolean
  failed: boolean
  labelled: boolean
  claimedBy: string | null
  /** `later`: the tracker's status counts as a change again once its running execution has ended. */
  seen: 'now' | 'later'
  /** The tracker's status replaces the one that was set here, which is not written any more. */
  overruled: boolean
}

/** A description of ours that waits to be written to the tracker. `was`: the tracker's at the last reading, if known. */
export type WaitingDescription = { description: string; labels: readonly string[]; was: string | null }

/**
 * A reading may be older than what is still to be written: then our description counts, and our labels stay. Null: the
 * tracker's count, because ours has not changed, or a person has changed the description there.
 */
export function withWaiting<T extends { description: string; labels: readonly string[] }>(
  theirs: T,
  { description, labels, was }: WaitingDescription,
): (Pick<T, 'description'> & { labels: string[] }) | null {
  if (description === was) return null
  if (was !== null && theirs.description !== was && theirs.description !== description) return null
  return { description, labels: [...new Set([...theirs.labels, ...labels])] }
}

/**
 * The person who has claimed it when it is read for the first time; null: nobody. In progress without an assignee, or
 * with Beadloom as its assignee, is no claim.
 */
export const claimant = ({ trackerStatus, assignee = '' }: Pick<Theirs, 'trackerStatus' | 'assignee'>): string | null =>
  (trackerStatus === 'in_progress' || trackerStatus === 'hooked') && assignee !== '' && assignee !== ACTOR
    ? assignee
    : null

/**
 * Decides whose values count when a bead has changed in its tracker: the tracker's if its status changed or if nobody
 * here has decided, else ours. Null: nothing is adopted yet, because it was closed there while its execution runs; the
 * outcome of that must not undo the close.
 */
export function mergeTracked(old: Stored, theirs: Theirs, ours: Ours): Merged | null {
  const trackerChanged = old.trackerStatus !== theirs.trackerStatus
  if (ours.execution === 'RUNNING' && trackerChanged && theirs.status === 'done') return null
  const claimedBy = claimAfter(old, theirs)
  const merged = (status: BeadStatus, decided: boolean, failed: boolean, more: Partial<Merged> = {}): Merged => {
    const labelled = labelledAfter(old, theirs, failed)
    return { status, decided, failed, labelled, claimedBy, seen: 'now', overruled: false, ...more }
  }
  if (ours.execution === 'RUNNING') {
    const another = claimant(theirs) !== null && old.assignee !== null && old.assignee !== theirs.assignee
    const isEcho = !trackerChanged || (theirs.status === 'in_progress' && !another)
    return merged(old.status, true, false, { seen: isEcho ? 'now' : 'later' })
  }
  const isOurs = trackerChanged ? isOurClaim(old, theirs, ours) : old.decided
  // A person who has claimed it works on it, so it is in progress for them.
  if (isOurs) return merged(old.status, true, old.failed && claimedBy === null)
  return merged(theirs.status, false, theirs.failed ?? false, { overruled: trackerChanged })
}

/**
 * The person who has claimed it. If it was already assigned to somebody when Beadloom started it, that stays, and does
 * not count as a claim.
 */
function claimAfter(old: Stored, theirs: Theirs): string | null {
  const person = claimant(theirs)
  if (person === null) return null
  const isNew = old.assignee === null ? !old.decided : old.assignee !== person
  return isNew || old.trackerStatus !== theirs.trackerStatus ? person : old.claimedBy
}

/**
 * Whether its label `failed` is Beadloom's. A label that the tracker no longer has is not, unless it is still to be
 * written; one that comes together with Beadloom's other marks is another server's.
 */
function labelledAfter(old: Stored, theirs: Theirs, failed: boolean): boolean {
  if (!theirs.labels.includes(FAILED_LABEL)) return failed && old.labelled
  return (!old.failed && failed) || old.labelled
}

/**
 * Claimed for an execution that has not started, or that ended before the claim was noted. The bead's status here
 * counts, and the tracker gets it back.
 */
function isOurClaim(old: Stored, { trackerStatus, assignee }: Theirs, ours: Ours): boolean {
  if (trackerStatus !== 'in_progress') return false
  if (assignee === ACTOR) return ours.execution !== null || ours.claimed || ours.unwritten
  return ours.claimed && assignee === old.assignee
}
