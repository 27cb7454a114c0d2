import { transitionBead, type Bead, type BeadEvent } from '../records/bead.ts'
import { movesBead, type Execution, type TerminalState } from '../records/execution.ts'
import { isUnstarted } from '../records/failure/failure.ts'

/** `outdated`: a person edited it while its work was done, and decides whether the edit is done, too. */
export type AfterEnd = { do: 'nothing' } | { do: 'outdated' } | { do: 'move'; event: BeadEvent }

/** A person who closes a bead while it runs has decided about it: the execution's end has no follow-up. */
export const isClosed = ({ status, trackerStatus }: Pick<Bead, 'status' | 'trackerStatus'>): boolean =>
  status === 'done' || trackerStatus === 'tombstone'

/**
 * The change of a bead by the end of its execution.
 *
 * @param executions the bead's, the newest first: if a newer one has started, it has the bead now
 * @param isEdited a person has edited the bead while it ran
 */
export function afterEnd(
  execution: Execution,
  bead: Pick<Bead, 'status' | 'trackerStatus'>,
  executions: readonly Pick<Execution, 'id' | 'kind' | 'startedAt'>[],
  isEdited: boolean,
): AfterEnd {
  const newest = executions.find(({ kind }) => movesBead[kind])
  if (newest && newest.id !== execution.id && newest.startedAt !== null) return { do: 'nothing' }
  if (execution.state === 'COMPLETED' && isEdited && !isClosed(bead)) return { do: 'outdated' }
  const event = beadEventOf(execution)
  const after = transitionBead('in_progress', event)
  // Done before a crash, or by a person already. A bead in progress may still have a claim to give back.
  return bead.status === after && after !== 'in_progress' ? { do: 'nothing' } : { do: 'move', event }
}

function beadEventOf(execution: Execution): BeadEvent {
  const { state, formerBeadStatus: former, formerFailed } = execution
  const events: Record<TerminalState, BeadEvent> = {
    COMPLETED: { type: 'completed' },
    FAILED: { type: isUnstarted(execution) ? 'unstarted' : 'failed' },
    BLOCKED: { type: 'blocked' },
    TIMEOUT: { type: 'timed-out' },
    CANCELLED: { type: 'cancelled', former, failed: formerFailed === true },
  }
  if (state === 'QUEUED' || state === 'RUNNING') throw new Error(`an execution that is ${state} has not ended`)
  return events[state]
}
