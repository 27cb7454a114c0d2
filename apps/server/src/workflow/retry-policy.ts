import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { afterLastTry, nextTry, undecidedBreak, type NextTry } from '@beadloom/core/execution/next-try.ts'
import { LONGEST_DELAY_MS } from '@beadloom/core/records/retry.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { outsideRetries } from '../execution/outside-retries.ts'
import { crashPoint } from '../process/crash-point.ts'
import { endOfBroken } from '../sandbox/ended-session.ts'
import { endsOfSubtasks } from './phases/phase-ends.ts'

/*
 * Retries failures of a container, the engine, an agent that broke or a model that did not answer, on the same work, as
 * often as the execution's five fields say.
 */

/** `again`: when the retry is due is stored; else the end as it is to be told. Null: it was stopped. */
export async function retried(live: LiveExecution, end: ExecutionEnd): Promise<'again' | ExecutionEnd | null> {
  if (live.stopper.signal.aborted) return null
  if (end.state !== 'FAILED') return end
  const { retry: policy, retryAttempt: retries } = storedOf(live)
  const tries = {
    policy,
    retries,
    outsideRetries: outsideRetries(live.deps.store, live.id),
    elapsedMs: live.watchdog.elapsedMs(),
  }
  const { ends, final } = endsOfSubtasks(live)
  const next = nextTry([end, ...ends], tries)
  if (next === null) return afterLastTry(end, retries)
  if (final !== null) return final()
  await noteRetry(live, next)
  return 'again'
}

/** Counted before it is due, so that a server that dies in between starts it once. */
async function noteRetry(live: LiveExecution, { by, retry, of, inMs, kind, why }: NextTry): Promise<void> {
  const { store, clock, log } = live.deps
  const { id } = live
  const at = clock.now() + inMs
  const due = { retryAt: at, answeredSessions: agentSessions(live).length }
  if (by === 'outside') {
    await store.addEvent(id, null, 'retry_outside', { retry, of, inMs, at, why })
    await store.noteExecution(id, due)
  } else {
    await store.noteExecution(id, { retryAttempt: retry, ...due })
    crashPoint('after-retry-stored')
    await store.addRetry(id, 'run', kind)
    await store.addEvent(id, null, 'retry', { retry, of, inMs, at, why })
  }
  log.info({ execution: id, retry, of, why }, 'Starting retry attempt')
}

/** The pause between checks whether Docker is back. */
const DOCKER_LOOK_MS = 1_000

/** Resolves when Docker answers: nothing can be tried again before, and running containers have to be stopped first. */
export async function untilDockerAnswers({ deps: { engine, clock }, stopper }: LiveExecution): Promise<void> {
  while (!stopper.signal.aborted && !(await engine.health()).ok) await clock.sleep(DOCKER_LOOK_MS, stopper.signal)
}

/** Waits until the retry is due, or until a person wants it now; after a restart of the server the wait continues. */
export async function waitForRetry(live: LiveExecution): Promise<void> {
  const { clock, store } = live.deps
  const retry = waitOfKind(storedOf(live).waits, 'retry')
  if (retry === null) return
  const left = Math.min(LONGEST_DELAY_MS, retry.at - clock.now())
  if (left > 0) await live.retryWait.wait(clock, left, live.stopper.signal)
  if (!live.stopper.signal.aborted) await store.noteExecution(live.id, { retryAt: null })
}

/** The end if the last session broke and the server died before the next step was decided. */
export function lostBefore(live: LiveExecution): ExecutionEnd | null {
  const { store } = live.deps
  const subtasks = store.phaseSessions(live.id).flatMap(({ id, role }) => (role === 'subtask' ? [id] : []))
  const broken = undecidedBreak(agentSessions(live), store.answeredSessions(live.id), subtasks)
  return broken && endOfBroken(broken, live.settings.limits.memoryBytes)
}

const agentSessions = ({ deps: { store }, id }: LiveExecution) =>
  store.sessions(id).filter(({ kind }) => kind === 'work')
