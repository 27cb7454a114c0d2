import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { Stopped } from '../execution/stop.ts'
import type { Watchdog } from '../execution/watchdog.ts'
import type { Exit, OutputSource } from '../ports/engine.ts'
import type { Listener, Recorded } from '../ports/recorder.ts'
import { crashPoint } from '../process/crash-point.ts'
import { judgeSession, type Verdict } from './judge-session.ts'
import { modelFor } from './model-access.ts'
import type { Sandbox } from './open-sandbox.ts'
import type { Beginning, OpenSession, SessionFacts, SessionPlan } from './session-plan.ts'
import { stopSandbox } from './stop-sandbox.ts'
import { limitReached } from './token-limits.ts'

/** After the container is gone its last output may still be on the way; past this the log is closed as it is. */
const DRAIN_MS = 60_000

/** One session in a sandbox, from its order to the last byte of its output. */
export async function runSession(
  live: LiveExecution,
  sandbox: Sandbox,
  plan: SessionPlan,
  beginning: Beginning = { how: 'start' },
): Promise<SessionFacts> {
  const { hub, store } = live.deps
  const { stopper } = live
  const session: OpenSession = { plan, refused: null, unanswered: null, ended: false }
  const handlers = { git: hub.serve(plan.access), model: modelFor(live, session) }
  sandbox.link.offer(plan.order, handlers, live.watchdog.activity)
  try {
    const { exit, recorded } = await follow(live, sandbox, plan, beginning)
    session.ended = true
    const judged = () =>
      judgeSession({
        exit,
        recorded,
        stopped: plan.signal.aborted ? stopper.reason : null,
        speaks: plan.agent !== null,
        problem: session.unanswered,
      })
    const limit = limitBehind(live, session, judged())
    if (limit) stopper.stop({ stop: 'budget', limit })
    const { outcome, detail, blocked, cause } = judged()
    await store.endSession(plan.id, outcome, exit.lost ? null : exit.code, detail, cause)
    crashPoint('after-session-end')
    const { reason = null, exitCode = null } = recorded.result ?? {}
    return { id: plan.id, outcome, detail, reason, exitCode, exit, recorded, blocked, cause }
  } catch (error) {
    if (!stopper.detached)
      await store.endSession(plan.id, plan.signal.aborted ? 'cancelled' : 'infra_error', null, messageOf(error))
    throw error
  } finally {
    if (stopper.detached) sandbox.link.letGo()
    else sandbox.link.withdraw()
  }
}

/**
 * The token limit that ended it. A server before this one may have refused the call for which the agent failed; a
 * question to a person counts, whatever came after it.
 */
function limitBehind(
  live: LiveExecution,
  { plan, refused }: OpenSession,
  { outcome, blocked }: Verdict,
): UsedUp | null {
  if (plan.signal.aborted || blocked !== null) return null
  return refused ?? (plan.agent !== null && outcome === 'failed' ? limitReached(live, plan.id) : null)
}

/** Records what it prints while it runs, until its container has ended. */
async function follow(
  live: LiveExecution,
  sandbox: Sandbox,
  plan: SessionPlan,
  beginning: Beginning,
): Promise<{ exit: Exit; recorded: Recorded }> {
  const { engine, recorder, store } = live.deps
  const { letGo, abandoned } = live.stopper
  const output = await outputOf(live, sandbox, beginning)
  const record = recorder.record(plan.id, output, listener(live.watchdog, plan.onEvent), letGo)
  // Without a record nothing of it would be known: what cannot be recorded (a full disk) does not run.
  let unrecorded = false
  record.catch(() => {
    unrecorded = true
    if (!live.stopper.detached) void stopSandbox(live, sandbox)
  })
  const unhook = onAbort(plan.signal, () => letGo.aborted || void stopSandbox(live, sandbox))
  try {
    if (letGo.aborted) throw new Stopped()
    if (beginning.how === 'start') {
      crashPoint('before-start')
      await engine.start(sandbox.id)
      crashPoint('after-start')
    }
    // A stop that came before the start found nothing to stop.
    const tooEarly = plan.signal.aborted && !letGo.aborted && beginning.how !== 'adopted'
    if (unrecorded || tooEarly) void stopSandbox(live, sandbox)
    await store.sessionRunning(plan.id, sandbox.id)
    const exit = await engine.waitForExit(sandbox.id, AbortSignal.any([letGo, abandoned]))
    return { exit, recorded: await drained(live, record, () => output.close()) }
  } catch (error) {
    output.close()
    await record.catch(() => {})
    throw error
  } finally {
    unhook()
  }
}

function outputOf({ deps: { engine } }: LiveExecution, { id }: Sandbox, beginning: Beginning): Promise<OutputSource> {
  switch (beginning.how) {
    case 'start':
      return engine.attach(id)
    case 'started':
      return Promise.resolve(beginning.output)
    case 'adopted':
      return engine.resumeOutput(id)
  }
}

async function drained({ deps }: LiveExecution, record: Promise<Recorded>, close: () => void): Promise<Recorded> {
  const done = new AbortController()
  const tooLong = deps.clock.sleep(DRAIN_MS, done.signal).then(() => {
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

const listener = (watchdog: Watchdog, onEvent: SessionPlan['onEvent']): Listener => ({
  onEvent: (event: EventLine) => {
    watchdog.activity()
    onEvent?.(event)
  },
  onActivity: watchdog.activity,
  whileOurs: (wait) => watchdog.whileOursToWait(wait),
})
