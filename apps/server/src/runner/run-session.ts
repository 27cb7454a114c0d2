import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'
import type { SessionOutcome } from '@beadloom/core/execution/session.ts'
import type { Exit } from '../ports/engine.ts'
import type { HubAccess } from '../ports/hub.ts'
import type { Recorded } from '../ports/recorder.ts'
import { crashPoint } from '../process/crash-point.ts'
import { judgeSession, type Verdict } from './judge-session.ts'
import { modelFor } from './model-access.ts'
import type { RunContainer, RunContext } from './run-context.ts'
import { Stopped } from './stop.ts'
import { limitReached } from './token-limits.ts'

/** After the container is gone its last output may still be on the way; past this the log is closed as it is. */
const DRAIN_MS = 60_000
/** SIGTERM, this long, SIGKILL: enough to put the last event lines out, not enough to go on working. */
const STOP_GRACE_MS = 10_000

export type SessionFacts = {
  id: SessionId
  outcome: SessionOutcome
  /** A sentence for people. */
  detail: string
  exit: Exit
  recorded: Recorded
  /** The agent's own reason when it said BLOCKED, else null. */
  blocked: string | null
}

export type SessionPlan = {
  id: SessionId
  attempt: number
  order: SessionOrder
  access: HubAccess
  /**
   * The session is in progress in this container since before this server started: nothing is started, its record goes
   * on where it was.
   */
  adopt?: boolean
  /** Told every event of the session's record, in order. */
  onEvent?: (event: EventLine) => void
  /** Only an agent may ask a model; a test suite may not. */
  mayUseModel: boolean
  /** Stops the session; the container is stopped and the promise still resolves. */
  signal: AbortSignal
  /** The limit of tokens for which a call of it was refused. */
  refused?: UsedUp
  /** The calls of its model that came to nothing since the last one that was answered, and why the newest did. */
  unanswered?: { calls: number; problem: string }
  /** Its container's run is over. */
  ended?: true
}

/** One start of a container, from the order to the last byte of its output. */
export async function runSession(run: RunContext, container: RunContainer, plan: SessionPlan): Promise<SessionFacts> {
  const { hub, store } = run.deps
  container.link.offer(plan.order, { git: hub.serve(plan.access), model: modelFor(run, plan) }, run.watchdog.activity)
  try {
    const { exit, recorded } = await runContainer(run, container, plan)
    plan.ended = true
    const judged = () =>
      judgeSession({
        exit,
        recorded,
        stopped: plan.signal.aborted ? run.stopper.reason : null,
        speaks: plan.mayUseModel,
        problem: plan.unanswered?.problem ?? null,
      })
    const limit = limitBehind(run, plan, judged())
    if (limit) run.stopper.stop({ stop: 'budget', limit })
    const { outcome, detail, blocked } = judged()
    store.endSession(plan.id, outcome, exit.lost ? null : exit.code, detail)
    crashPoint('after-session-end')
    return { id: plan.id, outcome, detail, exit, recorded, blocked }
  } catch (error) {
    if (!run.stopper.detached) {
      store.endSession(plan.id, plan.signal.aborted ? 'cancelled' : 'infra_error', null, sentence(error))
    }
    throw error
  } finally {
    if (run.stopper.detached) container.link.letGo()
    else container.link.withdraw()
  }
}

/**
 * The limit of tokens that ended it. A server before this one may have refused the call that the agent failed for; a
 * question to a person stands, whatever came after it.
 */
function limitBehind(run: RunContext, plan: SessionPlan, { outcome, blocked }: Verdict): UsedUp | null {
  if (plan.signal.aborted || blocked !== null) return null
  return plan.refused ?? (plan.mayUseModel && outcome === 'failed' ? limitReached(run, plan.id) : null)
}

async function runContainer(
  run: RunContext,
  container: RunContainer,
  plan: SessionPlan,
): Promise<{ exit: Exit; recorded: Recorded }> {
  const { engine, recorder, store } = run.deps
  const waiting = container.waiting ?? null
  container.waiting = null
  const { letGo } = run.stopper
  const output = plan.adopt ? await engine.resumeOutput(container.id) : (waiting ?? (await engine.attach(container.id)))
  const record = recorder.record(plan.id, output, listener(run.watchdog.activity, plan.onEvent), letGo)
  // Without a record nothing of it would be known: what cannot be recorded (a full disk) does not run.
  let unrecorded = false
  record.catch(() => {
    unrecorded = true
    if (!run.stopper.detached) stop(run, container)
  })
  const unhook = onAbort(plan.signal, () => letGo.aborted || stop(run, container))
  try {
    if (letGo.aborted) throw new Stopped()
    if (!waiting && !plan.adopt) {
      crashPoint('before-start')
      await engine.start(container.id)
      crashPoint('after-start')
    }
    // A stop that came before the start found nothing to stop.
    if (unrecorded || (plan.signal.aborted && !letGo.aborted && !plan.adopt)) await engine.stop(container.id, 0)
    store.sessionRunning(plan.id, container.id)
    const exit = await engine.waitForExit(container.id, letGo)
    return { exit, recorded: await drained(run, record, () => output.close()) }
  } catch (error) {
    output.close()
    await record.catch(() => {})
    throw error
  } finally {
    unhook()
  }
}

function stop(run: RunContext, container: RunContainer): void {
  const { engine, log } = run.deps
  engine
    .stop(container.id, STOP_GRACE_MS)
    .catch((error) => log.error({ error, container: container.id }, 'a container could not be stopped'))
}

async function drained(run: RunContext, record: Promise<Recorded>, close: () => void): Promise<Recorded> {
  const done = new AbortController()
  const tooLong = run.deps.clock.sleep(DRAIN_MS, done.signal).then(() => {
    if (!done.signal.aborted) close()
  })
  try {
    return await record
  } finally {
    done.abort()
    await tooLong
  }
}

function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
  return () => signal.removeEventListener('abort', act)
}

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const listener = (activity: () => void, onEvent: SessionPlan['onEvent']) => ({
  onEvent: (event: EventLine) => {
    activity()
    onEvent?.(event)
  },
  onActivity: activity,
})
