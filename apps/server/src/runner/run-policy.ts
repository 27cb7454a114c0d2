import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { retryLayer } from '@beadloom/core/execution/failure.ts'
import { decideRetry, LONGEST_DELAY_MS } from '@beadloom/core/execution/retry.ts'
import { crashPoint } from '../process/crash-point.ts'
import { failed } from './failed.ts'
import type { RunContext } from './run-context.ts'

/*
 * The run policy: a run that failed for want of a container, of the engine or of an agent that ends well is made again,
 * on the same work, as often as the execution's five fields say.
 */

/** `again`: the next run is due at `retryAt`, which is stored; else the end as it is to be told. Null: it was stopped. */
export async function retried(run: RunContext, end: ExecutionEnd): Promise<'again' | ExecutionEnd | null> {
  if (run.stopper.signal.aborted) return null
  if (end.state !== 'FAILED' || end.kind === undefined || retryLayer[end.kind] !== 'infra') return end
  const { store, clock, log } = run.deps
  const { id, retry, retryAttempt } = run.execution
  const decision = decideRetry(retry, retryAttempt, run.watchdog.elapsedMs(), end.detail)
  if (decision.do === 'stop') return exhausted(end, retryAttempt)
  const retryAt = clock.now() + decision.inMs
  store.noteExecution(id, { retryAttempt: retryAttempt + 1, retryAt })
  crashPoint('after-retry-stored')
  store.addRetry(id, 'run', end.kind)
  store.addEvent(id, null, 'retry', {
    retry: retryAttempt + 1,
    of: retry.retryCount,
    inMs: decision.inMs,
    at: retryAt,
    why: end.detail,
  })
  log.info({ execution: id, retry: retryAttempt + 1, of: retry.retryCount, why: end.detail }, 'Starting retry attempt')
  run.execution = { ...run.execution, retryAttempt: retryAttempt + 1, retryAt }
  await keepContainer(run)
  return 'again'
}

const exhausted = (end: Extract<ExecutionEnd, { state: 'FAILED' }>, retries: number): ExecutionEnd =>
  retries === 0
    ? end
    : { ...end, reason: 'retries_exhausted', detail: `Failed after ${retries + 1} runs. Last error: ${end.detail}` }

/** Until `retryAt`, or until a person wants it now; a restart of the server waits for the rest of it. */
export async function waitForRetry(run: RunContext): Promise<void> {
  const { id } = run.execution
  if (run.execution.retryAt === null) return
  const { clock, store } = run.deps
  // Asked of the store: it may have been put forward while the container of the last run was stopped.
  const retryAt = store.execution(id)?.retryAt ?? run.execution.retryAt
  const left = Math.min(LONGEST_DELAY_MS, retryAt - clock.now())
  if (left > 0) await run.pause.wait(clock, left, run.stopper.signal)
  if (run.stopper.signal.aborted) return
  store.noteExecution(id, { retryAt: null })
  run.execution = { ...run.execution, retryAt: null }
}

/** The workspace is kept where it still is; a container that is gone leaves what was pushed. */
async function keepContainer(run: RunContext): Promise<void> {
  const { container } = run
  if (!container) return
  const { engine, log } = run.deps
  const now = await engine.inspect(container.id).catch((error: unknown) => {
    log.warn({ error, container: container.id }, 'a container could not be looked at; it is tried again')
    return null
  })
  if (now?.state === 'running') await engine.stop(container.id, 0).catch(() => {})
  if (now?.state !== 'gone') return
  run.container = null
  run.unsaved = false
  await container.link.close().catch((error) => log.warn({ error }, 'a link stays behind'))
}

/**
 * The last session broke, and the server died before anybody decided what follows. Each repetition is counted before it
 * starts, so that more broken sessions than repetitions mean an open decision.
 */
export function lostBefore(run: RunContext): ExecutionEnd | null {
  const { id, retryAttempt } = run.execution
  // One without a container has never begun: there was nothing to break.
  const sessions = run.deps.store.sessions(id).filter(({ kind, container }) => kind === 'work' && container !== null)
  const last = sessions.at(-1)
  if (last?.outcome !== 'infra_error') return null
  const broken = sessions.filter(({ outcome }) => outcome === 'infra_error').length
  return broken > retryAttempt ? failed({ kind: 'agent_crashed', exitCode: last.exitCode ?? -1 }) : null
}
