import type { ExecutionEnd } from '../records/execution.ts'
import { isRetryable, retryText, type FailureKind } from '../records/failure/failure.ts'
import { decideRetry, delayAfterOutside, isFromOutside, OUTSIDE_RETRIES, type RetryPolicy } from '../records/retry.ts'
import type { Session } from '../records/session.ts'
import { describeFailure } from './failure/describe-failure.ts'

/*
 * Whether a failed try of an execution is followed by another one, on the same work. A failure from outside is nobody's
 * fault and costs none of the policy's retries; every other retryable one is retried as often as the policy says.
 */

type FailedEnd = Extract<ExecutionEnd, { state: 'FAILED' }>
type Retryable = FailedEnd & { kind: FailureKind }

/** Retries so far: by the policy, and after failures from outside. `elapsedMs`: since the first start. */
export type TriesSoFar = { policy: RetryPolicy; retries: number; outsideRetries: number; elapsedMs: number }

/** The next try: the number of its retry among `of`, and why the one before failed. */
export type NextTry = {
  by: 'outside' | 'policy'
  retry: number
  of: number
  inMs: number
  kind: FailureKind
  why: string
}

const mayBeRetried = (end: ExecutionEnd): end is Retryable => end.state === 'FAILED' && isRetryable(end.kind)

/**
 * Null: no other try follows.
 *
 * @param ends the execution's own end first, then those of subtasks that failed together: each may be retried
 */
export function nextTry(
  ends: readonly ExecutionEnd[],
  { policy, retries, outsideRetries, elapsedMs }: TriesSoFar,
): NextTry | null {
  const causes = ends.filter(mayBeRetried)
  for (const { kind, detail: why } of causes) {
    const inMs = isFromOutside(kind) ? delayAfterOutside(kind, outsideRetries) : null
    if (inMs !== null) return { by: 'outside', retry: outsideRetries + 1, of: OUTSIDE_RETRIES, inMs, kind, why }
  }
  for (const cause of causes) {
    const decision = decideRetry(policy, retries, elapsedMs, retryText(cause.kind, withoutTitles(cause)))
    const { kind, detail: why } = cause
    if (decision.do === 'retry')
      return { by: 'policy', retry: retries + 1, of: policy.retryCount, inMs: decision.inMs, kind, why }
  }
  return null
}

/** Without the names of subtasks in the end's sentence: any word may be in a title. */
const withoutTitles = ({ failure, detail }: FailedEnd): string =>
  failure === undefined ? detail : `${describeFailure(failure.what)}${failure.more}`

/** The end when no other try follows: after retries it says how many there were. */
export const afterLastTry = (end: ExecutionEnd, retries: number): ExecutionEnd =>
  mayBeRetried(end) && retries > 0
    ? { ...end, reason: 'retries_exhausted', detail: `Failed ${retries + 1} times. Last error: ${end.detail}` }
    : end

/**
 * The last session of an agent, if it broke and its server died before the next step was decided. Subtasks may have
 * others beside them, so their phase decides.
 *
 * @param sessions those of agents, in order
 * @param answered how many of them there were when the last retry was decided
 */
export function undecidedBreak<S extends Pick<Session, 'id' | 'container' | 'outcome'>>(
  sessions: readonly S[],
  answered: number,
  subtasks: readonly Session['id'][],
): S | null {
  // A session without a container has never begun: it could not break.
  const at = sessions.findLastIndex(({ container }) => container !== null)
  const last = sessions[at]
  return last?.outcome === 'infra_error' && at >= answered && !subtasks.includes(last.id) ? last : null
}
