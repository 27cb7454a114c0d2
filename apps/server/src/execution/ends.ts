import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { describeFailure } from '@beadloom/core/execution/failure/describe-failure.ts'
import { failureReasonOf } from '@beadloom/core/records/failure/failure-reason.ts'
import { modelTroubles, type Failure } from '@beadloom/core/records/failure/failure.ts'
import { MissingPromptValue } from '@beadloom/core/execution/prompt.ts'
import { agentExit } from '@beadloom/core/execution/session-order.ts'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import type { SessionCause, SessionOutcome } from '@beadloom/core/records/session.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { cutMiddle } from '@beadloom/core/text/cut-middle.ts'
import { EngineError, type EngineErrorKind } from '../ports/engine.ts'
import type { Exit } from '../ports/sandbox.ts'
import { HubError } from '../ports/hub.ts'
import { StoreError } from '../ports/store/errors.ts'
import { isDiskFull } from '../process/disk-full.ts'
import { shortOf } from '../process/start-process.ts'

/*
 * The end of an execution, from its parts' findings. The sentences are those of work; a kind of execution with other
 * words rewrites the end from its failure (`WorkflowKind.worded`).
 */

type Failed = Extract<ExecutionEnd, { state: 'FAILED' }>

/** The end for a failure: its reason and its sentence come from one table. `more` follows the sentence. */
export const failed = (failure: Exclude<Failure, { kind: 'session_timeout' }>, more = ''): Failed => ({
  state: 'FAILED',
  kind: failure.kind,
  failure: { what: failure, more },
  reason: failureReasonOf[failure.kind],
  detail: `${describeFailure(failure)}${more}`,
})

/** Thrown when an execution's end is known before its time. */
export class EndedEarly extends Error {
  override name = 'EndedEarly'
  readonly end: ExecutionEnd

  constructor(end: ExecutionEnd) {
    super(end.detail)
    this.end = end
  }
}

/** The engine and git repeat a repository's texts; every view of an execution has its end. */
const LONGEST_DETAIL = 8_000

/** The end for a thrown error; null: no part throws this on purpose, so it is a bug of ours. */
export function endOfError(error: unknown): ExecutionEnd | null {
  if (error instanceof EndedEarly) return error.end
  const detail = cutMiddle(messageOf(error), LONGEST_DETAIL)
  if (shortOf(error) !== null) return failed({ kind: 'server_short', detail })
  if (error instanceof EngineError && error.kind === 'lost') return failed({ kind: 'container_lost', why: detail })
  if (error instanceof EngineError) return failed({ kind: engineFailure[error.kind], detail })
  if (error instanceof HubError) return failed({ kind: error.kind === 'no-space' ? 'no_space' : 'repository', detail })
  if (error instanceof MissingPromptValue) return { state: 'FAILED', reason: 'infra_error', detail }
  if ((error instanceof StoreError && error.kind === 'no-space') || isDiskFull(error))
    return failed({ kind: 'no_space', detail })
  return null
}

/** The end with the agent's own reason why it cannot continue. */
export const blockedBy = (reason: string): ExecutionEnd => ({
  state: 'BLOCKED',
  blockedReason: reason,
  detail: `The agent stopped: ${withFullStop(reason)} Run the bead again with the answer as a note.`,
})

/** `exitCode`: the exit code of the agent's program, as a shell gives it; null if there was none. */
export type SessionEnd = {
  outcome: SessionOutcome | null
  detail: string
  reason: ResultReason | null
  exitCode: number | null
  cause: SessionCause | null
}

/** The end of an agent's session that did not end well. Its own words can only stop work. */
export function endOfSession(
  { limits }: ProjectSettings,
  branch: string,
  { outcome, detail, reason, exitCode, cause }: SessionEnd,
): ExecutionEnd {
  if (outcome === 'blocked') return blockedBy(detail)
  if (outcome === 'turn_limit') {
    // With fresh starts it says how many attempts there were.
    const more = /^Failed after \d+ attempts\b/.test(detail) ? ` ${withFullStop(detail)}` : ''
    return failed({ kind: 'turn_limit', steps: limits.maxSteps }, more)
  }
  if (reason === 'push_conflict') return failed({ kind: 'push_conflict', branch, detail })
  if (reason === 'disk_full') return failed({ kind: 'no_space', detail })
  const trouble = modelTroubles.find((one) => one === cause)
  if (trouble) return failed({ kind: trouble, detail })
  if (cause === 'refused' || reason !== 'agent_failed' || outcome !== 'failed')
    return failed({ kind: 'agent_failed', detail })
  return failed({ kind: kindOfAgentEnd(exitCode), detail })
}

/** A missing program is still missing the next time. */
function kindOfAgentEnd(exitCode: number | null): 'agent_failed' | 'agent_killed' | 'agent_exited' {
  if (exitCode === 126 || exitCode === 127) return 'agent_failed'
  return exitCode !== null && exitCode > 128 ? 'agent_killed' : 'agent_exited'
}

/**
 * Whether somebody else has stopped it: the engine says so, or the session's process got a signal to stop that was not
 * ours (`stopped`), or the engine itself went down.
 */
export const isStoppedOutside = (exit: Exit, reason: ResultReason | null): boolean =>
  exit.outside === true || (exit.lost ? exit.code >= 0 : reason === 'stopped' && exit.code !== 0)

/** It need not be the container that was lost. */
export const endOfLost = ({ unseen, why }: Exit): Failed =>
  failed(
    unseen === true ? { kind: 'supervisor_killed' } : { kind: 'container_lost', ...(why !== undefined && { why }) },
  )

/** The end after a container that gave no result, or none that counts. */
export function endOfExit(exit: Exit, limitBytes: number, reason: ResultReason | null = null): Failed {
  if (isStoppedOutside(exit, reason)) return failed({ kind: 'stopped_outside' })
  if (exit.lost) return endOfLost(exit)
  if (exit.oomKilled) return failed({ kind: 'out_of_memory', limitBytes })
  if (exit.killed) return failed({ kind: 'killed', exitCode: exit.code })
  if (exit.code === agentExit.noLink) return failed({ kind: 'link_lost' })
  if (exit.code === agentExit.success) return failed({ kind: 'result_lost' })
  return failed({ kind: 'agent_crashed', exitCode: exit.code })
}

/** A part of a sentence by people, as a whole sentence. */
export const withFullStop = (text: string): string => text.replace(/[.!?]?$/, (end) => end || '.')

const engineFailure = {
  unreachable: 'engine_unreachable',
  'timed-out': 'engine_timeout',
  lost: 'container_lost',
  failed: 'engine_failed',
  'image-missing': 'image_missing',
  'image-build-failed': 'image_build_failed',
  'name-taken': 'engine_refused',
  'weaker-than-asked': 'engine_refused',
  'no-space': 'no_space',
  'no-room': 'engine_refused',
  refused: 'engine_refused',
} as const satisfies Record<EngineErrorKind, Failure['kind']>
