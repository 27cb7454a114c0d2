import type { Execution, ExecutionEnd, TimeoutReason } from '@beadloom/core/execution/execution.ts'
import { askAgain, describeFailure, failureReasonOf, type Failure } from '@beadloom/core/execution/failure.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { BeadId } from '@beadloom/core/ids.ts'
import { MissingPromptValue } from '@beadloom/core/execution/prompt.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import type { SessionOutcome } from '@beadloom/core/execution/session.ts'
import { agentExit } from '@beadloom/core/execution/session-order.ts'
import { EngineError, type EngineErrorKind, type Exit } from '../ports/engine.ts'
import { HubError } from '../ports/hub.ts'
import { StoreError } from '../ports/store/errors.ts'

type Failed = Extract<ExecutionEnd, { state: 'FAILED' }>

/** The end that a failure is: its reason and its sentence come from one table. `more` follows the sentence. */
export const failed = (failure: Exclude<Failure, { kind: 'session_timeout' }>, more = ''): Failed => ({
  state: 'FAILED',
  kind: failure.kind,
  failure: { what: failure, more },
  reason: failureReasonOf[failure.kind],
  detail: `${describeFailure(failure)}${more}`,
})

/** Thrown where an execution's end is known before its time. */
export class EndedEarly extends Error {
  override name = 'EndedEarly'
  readonly end: ExecutionEnd

  constructor(end: ExecutionEnd) {
    super(end.detail)
    this.end = end
  }
}

/** What a part that the runner uses has thrown; anything that no part throws on purpose is a bug of ours. */
export function endOfError(error: unknown): ExecutionEnd | null {
  if (error instanceof EndedEarly) return error.end
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof EngineError) return failed({ kind: engineFailure[error.kind], detail })
  if (error instanceof HubError) return failed({ kind: 'repository', detail })
  if (error instanceof MissingPromptValue) return { state: 'FAILED', reason: 'infra_error', detail }
  if ((error instanceof StoreError && error.kind === 'no-space') || isDiskFull(error))
    return failed({ kind: 'no_space', detail })
  return null
}

/** The agent's own words for why it cannot go on. */
export const blockedBy = (reason: string): ExecutionEnd => ({
  state: 'BLOCKED',
  blockedReason: reason,
  detail: `The agent stopped: ${ended(reason)} Answer it, and run the bead again with the answer as a note.`,
})

/** How an agent's session ended that did not end well. Its own words can only stop work. */
export function endOfSession(
  { limits }: ProjectSettings,
  execution: Execution,
  { outcome, detail }: { outcome: SessionOutcome | null; detail: string },
): ExecutionEnd {
  if (outcome === 'blocked') return blockedBy(detail)
  if (outcome === 'turn_limit') return failed({ kind: 'turn_limit', steps: limits.maxSteps })
  // The agent process says so when its one rebase did not help.
  const conflict = /^push conflict: ?([\s\S]*)$/.exec(detail)?.[1]
  if (conflict !== undefined) return failed({ kind: 'push_conflict', branch: execution.branch, detail: conflict })
  return agentFailed(`The session failed: ${ended(detail)} ${next(execution)}`)
}

/** Its model answered nothing, and the agent did not stop asking. */
export const unanswered = (execution: Execution, problem: string, more: string): ExecutionEnd =>
  agentFailed(
    `The model answered none of very many calls in a row, so the agent was stopped: ${ended(problem)} ${next(execution)}${more}`,
  )

const agentFailed = (detail: string): ExecutionEnd => ({ state: 'FAILED', reason: 'agent_failed', detail })

const next = ({ kind, bead }: Execution): string =>
  `Read its log; when the cause is gone, ${kind === 'review' ? askAgain(reviewCommand(bead)) : 'run the bead again'}.`

/** The end of a review, in words that speak of a review: nothing of it was work, and no bead is run again for it. */
export function wordedFor({ kind, bead }: Execution, end: ExecutionEnd): ExecutionEnd {
  if (kind !== 'review') return end
  const again = askAgain(reviewCommand(bead))
  switch (end.state) {
    case 'FAILED':
      if (!end.failure) return end
      return { ...end, detail: `${describeFailure(end.failure.what, reviewCommand(bead))}${end.failure.more}` }
    case 'BLOCKED':
      return {
        ...end,
        detail: `The reviewer stopped: ${ended(end.blockedReason)} When that is settled, ${again}.`,
      }
    case 'TIMEOUT':
      return { ...end, detail: `${ended(end.detail)} Raise ${limitOf[end.reason]} in beadloom.json, or ${again}.` }
    default:
      return end
  }
}

const limitOf: Record<TimeoutReason, string> = {
  wall_clock: '"limits.executionTimeoutSeconds"',
  silence: '"limits.inactivityTimeoutSeconds"',
}

/** Asks for another review of the same. */
const reviewCommand = (bead: BeadId): string =>
  bead === WORK_BRANCH_BEAD ? 'beadloom review' : `beadloom review ${bead}`

const ended = (text: string): string => text.replace(/[.!?]?$/, (end) => end || '.')

/** How a container ended that gave no result. */
export function endOfExit(exit: Exit, limitBytes: number): Failed {
  if (exit.lost) return failed({ kind: 'container_lost' })
  if (exit.oomKilled) return failed({ kind: 'out_of_memory', limitBytes })
  if (exit.killed) return failed({ kind: 'killed', exitCode: exit.code })
  if (exit.code === agentExit.noLink) return failed({ kind: 'link_lost' })
  return failed({ kind: 'agent_crashed', exitCode: exit.code })
}

const engineFailure = {
  unreachable: 'engine_unreachable',
  'timed-out': 'engine_unreachable',
  'image-missing': 'image_missing',
  'image-build-failed': 'image_build_failed',
  'name-taken': 'engine_refused',
  'weaker-than-asked': 'engine_refused',
  'no-space': 'no_space',
  refused: 'engine_refused',
} as const satisfies Record<EngineErrorKind, Failure['kind']>

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
