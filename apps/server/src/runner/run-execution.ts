import { assertNever } from '@beadloom/core/assert-never.ts'
import { durationText } from '@beadloom/core/text/duration.ts'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { closeContainer } from './containers.ts'
import { endOfError, failed, unanswered, wordedFor } from './failed.ts'
import { Preparation } from './preparation.ts'
import type { ProjectImages } from './project-image.ts'
import { reviewUntilJudged } from './review.ts'
import { lostBefore, retried, waitForRetry } from './run-policy.ts'
import type { RunContainer, RunContext } from './run-context.ts'
import { sentence } from './run-session.ts'
import { saveWork } from './save-work.ts'
import { throwIfStopped, type StopReason } from './stop.ts'
import { workUntilPublished } from './work-attempts.ts'

/**
 * From RUNNING to its end, in as many runs as its policy allows. Never rejects: whatever goes wrong is an end with a
 * reason and a sentence.
 */
export async function runExecution(run: RunContext, images: ProjectImages): Promise<ExecutionEnd> {
  const done = new AbortController()
  const watching = run.watchdog.watch(run.stopper, done.signal)
  try {
    return await runs(run, images)
  } finally {
    done.abort()
    await watching
  }
}

async function runs(run: RunContext, images: ProjectImages): Promise<ExecutionEnd> {
  for (;;) {
    const result = await oneRun(run, images).then(
      (end) => ({ end }),
      (error: unknown) => ({ error }),
    )
    const known = 'end' in result ? result.end : endOfError(result.error)
    const end = known && wordedFor(run.execution, known)
    const decided = end && (await retried(run, end))
    if (decided === 'again') continue
    await leave(run)
    if (decided) return withKept(run, decided)
    return wordedFor(run.execution, 'error' in result ? endOf(run, result.error) : result.end)
  }
}

/** Goes on where the store says it is. */
async function oneRun(run: RunContext, images: ProjectImages): Promise<ExecutionEnd> {
  if (!run.resumed) throwIfStopped(run.stopper)
  const undecided = run.resumed && !run.stopper.signal.aborted ? lostBefore(run) : null
  run.resumed = false
  if (undecided) return undecided
  await run.watchdog.whileOursToWait(() => waitForRetry(run))
  if (run.execution.kind === 'review') return reviewUntilJudged(run, images)
  return workUntilPublished(run, new Preparation(run, images))
}

/** What the agent may have left is on a ref before its container goes. */
async function leave(run: RunContext): Promise<void> {
  const { container, stopper } = run
  if (!container || stopper.detached) return
  // A session that ended by itself has put its leftovers on a ref; one that was stopped or lost has not.
  const saved = run.unsaved ? await saveWork(run, container) : null
  run.container = null
  if (saved === 'not now') return keep(run, container)
  run.savedRef = saved
  await closeContainer(run, container)
}

/** What it holds could not be saved: it stays, stopped, and is tried again (`kept-containers.ts`). */
async function keep({ deps, execution }: RunContext, container: RunContainer): Promise<void> {
  container.link.letGo()
  await deps.engine.stop(container.id, 0).catch(() => {})
  const text = `What the agent left could not be saved now. Its container ${container.id.slice(0, 12)} is kept for a day, and saving it is tried again.`
  try {
    deps.store.addEvent(execution.id, null, 'warning', { text })
  } catch (error) {
    deps.log.error({ error, execution: execution.id }, text)
  }
}

const withKept = (run: RunContext, end: ExecutionEnd): ExecutionEnd =>
  end.state === 'FAILED' && run.savedRef ? { ...end, detail: `${end.detail}${keptText(run)}` } : end

function endOf(run: RunContext, error: unknown): ExecutionEnd {
  const stopped = run.stopper.reason
  if (stopped) return endOfStop(run, stopped)
  const known = endOfError(error)
  if (known) return known
  run.deps.log.error({ error, execution: run.execution.id }, 'an execution failed in a way nobody foresaw')
  return { state: 'FAILED', reason: 'infra_error', detail: `internal error: ${sentence(error)}` }
}

function keptText({ merged, savedRef, settings }: RunContext): string {
  if (merged)
    return ` Its work was verified and is in ${settings.workBranch} in the hub already: it is published with the next bead, or when this one runs again.`
  return savedRef ? ` What it left is saved on ${savedRef}.` : ''
}

function endOfStop(run: RunContext, stopped: StopReason): ExecutionEnd {
  const { limits } = run.settings
  const kept = keptText(run)
  switch (stopped.stop) {
    case 'cancelled':
      return { state: 'CANCELLED', detail: `Cancelled by a person.${kept}` }
    case 'budget':
      return failed({ kind: 'budget_exhausted', limit: stopped.limit }, kept)
    case 'unanswered':
      return unanswered(run.execution, stopped.problem, kept)
    case 'detach':
      return failed({ kind: 'server_restarted' }, kept)
    case 'timeout': {
      const { reason } = stopped
      const limit = durationText(reason === 'silence' ? limits.inactivityTimeoutMs : limits.executionTimeoutMs)
      const what = reason === 'silence' ? `Nothing came from it for ${limit}` : `It ran for ${limit}, the limit`
      return {
        state: 'TIMEOUT',
        reason,
        detail: `${what} (attempt ${run.execution.attempt} of ${run.execution.maxAttempts}).${kept}`,
      }
    }
    default:
      return assertNever(stopped)
  }
}
