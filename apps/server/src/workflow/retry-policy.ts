import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { describeFailure } from '@beadloom/core/execution/failure/describe-failure.ts'
import { isRetryable, retryText, type FailureKind } from '@beadloom/core/records/failure/failure.ts'
import {
  decideRetry,
  delayAfterOutside,
  isFromOutside,
  LONGEST_DELAY_MS,
  OUTSIDE_RETRIES,
} from '@beadloom/core/records/retry.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { outsideRetries } from '../execution/outside-retries.ts'
import { crashPoint } from '../process/crash-point.ts'
import { endOfBroken } from '../sandbox/ended-session.ts'
import { endsOfSubtasks } from './phases/phase-ends.ts'

/*
 * Retries failures of a container, the engine, an agent that broke or a model that did not answer, on the same work, as
 * often as the execution's five fields say.
 */

type FailedEnd = Extract<ExecutionEnd, { state: 'FAILED' }>
type Retryable = FailedEnd & { kind: FailureKind }

const mayBeRetried = (end: ExecutionEnd): end is Retryable => end.state === 'FAILED' && isRetryable(end.kind)

/** `again`: the retry is due at `retryAt`, which is stored; else the end as it is to be told. Null: it was stopped. */
export async function retried(live: LiveExecution, end: ExecutionEnd): Promise<'again' | ExecutionEnd | null> {
  if (live.stopper.signal.aborted) return null
  if (end.state !== 'FAILED') return end
  // Subtasks that failed together have one end; each one's own failure may be retried.
  const causes = [end, ...endsOfSubtasks(live)].filter(mayBeRetried)
  for (const cause of causes)
    if (isFromOutside(cause.kind) && (await retriedOutside(live, cause.kind, cause.detail))) return 'again'
  for (const cause of causes) if (await retriedByPolicy(live, cause)) return 'again'
  return mayBeRetried(end) ? exhausted(end, storedOf(live).retryAttempt) : end
}

async function retriedByPolicy(live: LiveExecution, end: Retryable): Promise<boolean> {
  const { store, clock, log } = live.deps
  const { id } = live
  const { retry, retryAttempt } = storedOf(live)
  const decision = decideRetry(retry, retryAttempt, live.watchdog.elapsedMs(), retryText(end.kind, whatWentWrong(end)))
  if (decision.do === 'stop') return false
  const retryAt = clock.now() + decision.inMs
  await store.noteExecution(id, {
    retryAttempt: retryAttempt + 1,
    retryAt,
    answeredSessions: agentSessions(live).length,
  })
  crashPoint('after-retry-stored')
  await store.addRetry(id, 'run', end.kind)
  await store.addEvent(id, null, 'retry', {
    retry: retryAttempt + 1,
    of: retry.retryCount,
    inMs: decision.inMs,
    at: retryAt,
    why: end.detail,
  })
  log.info({ execution: id, retry: retryAttempt + 1, of: retry.retryCount, why: end.detail }, 'Starting retry attempt')
  return true
}

/** Without the names of subtasks in the end's sentence: any word may be in a title. */
const whatWentWrong = ({ failure, detail }: FailedEnd): string =>
  failure === undefined ? detail : `${describeFailure(failure.what)}${failure.more}`

/** Counted before it is due, so that a server that dies in between starts it once. */
async function retriedOutside(live: LiveExecution, kind: FailureKind, why: string): Promise<boolean> {
  const { id, deps } = live
  const { store, clock, log } = deps
  const retries = outsideRetries(store, id)
  const inMs = delayAfterOutside(kind, retries)
  if (inMs === null) return false
  const at = clock.now() + inMs
  await store.addEvent(id, null, 'retry_outside', { retry: retries + 1, of: OUTSIDE_RETRIES, inMs, at, why })
  await store.noteExecution(id, { retryAt: at, answeredSessions: agentSessions(live).length })
  log.info({ execution: id, retry: retries + 1, of: OUTSIDE_RETRIES, why }, 'Starting retry attempt')
  return true
}

const exhausted = (end: FailedEnd, retries: number): ExecutionEnd =>
  retries === 0
    ? end
    : { ...end, reason: 'retries_exhausted', detail: `Failed ${retries + 1} times. Last error: ${end.detail}` }

/** The pause between checks whether Docker is back. */
const DOCKER_LOOK_MS = 1_000

/** Resolves when Docker answers: nothing can be tried again before, and running containers have to be stopped first. */
export async function untilDockerAnswers({ deps: { engine, clock }, stopper }: LiveExecution): Promise<void> {
  while (!stopper.signal.aborted && !(await engine.health()).ok) await clock.sleep(DOCKER_LOOK_MS, stopper.signal)
}

/** Waits until `retryAt`, or until a person wants it now; after a restart of the server the wait continues. */
export async function waitForRetry(live: LiveExecution): Promise<void> {
  const { clock, store } = live.deps
  const { retryAt } = storedOf(live)
  if (retryAt === null) return
  const left = Math.min(LONGEST_DELAY_MS, retryAt - clock.now())
  if (left > 0) await live.pause.wait(clock, left, live.stopper.signal)
  if (!live.stopper.signal.aborted) await store.noteExecution(live.id, { retryAt: null })
}

/**
 * The end if the last session broke and the server died before the next step was decided. Subtasks may have others
 * beside them, so their phase decides.
 */
export function lostBefore(live: LiveExecution): ExecutionEnd | null {
  const { store } = live.deps
  const sessions = agentSessions(live)
  // A session without a container has never begun: it could not break.
  const at = sessions.findLastIndex(({ container }) => container !== null)
  const last = sessions[at]
  if (last?.outcome !== 'infra_error' || at < store.answeredSessions(live.id)) return null
  const isSubtask = store.phaseSessions(live.id).some(({ id, role }) => id === last.id && role === 'subtask')
  return isSubtask ? null : endOfBroken(last, live.settings.limits.memoryBytes)
}

const agentSessions = ({ deps: { store }, id }: LiveExecution) =>
  store.sessions(id).filter(({ kind }) => kind === 'work')
