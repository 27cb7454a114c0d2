import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { warn, type LiveExecution } from '../execution/live-execution.ts'
import { Stopped } from '../execution/stop.ts'
import { Turn } from '../execution/turns.ts'
import type { Watchdog } from '../execution/watchdog.ts'
import type { Exit, Running, Sandbox, SessionHandlers } from '../ports/sandbox.ts'
import type { Listener, Recorded } from '../ports/recorder.ts'
import { crashPoint } from '../process/crash-point.ts'
import { judgeSession, type Verdict } from './judge-session.ts'
import { modelFor } from './model-access.ts'
import type { Beginning, OpenSession, SessionFacts, SessionPlan } from './session-plan.ts'
import { withModules } from './modules-for.ts'
import { stopSandbox } from './stop-sandbox.ts'
import { limitReached } from '../budget/spender.ts'
import { sessionOver } from '../holds/limit-hold.ts'
import { readerOf } from './spoken-messages.ts'
import { tellsWait } from './wait-for-place.ts'
import { wayOut } from './ways-out.ts'

/** After the end, the last output may still be on the way; after this time the log is closed as it is. */
const DRAIN_MS = 60_000
/** The same after the engine has given up a container: its output does not end on a node that is half cut off. */
const LOST_DRAIN_MS = 10_000

/** One session in a sandbox, from its order to the last byte of its output. */
export async function runSession(
  live: LiveExecution,
  sandbox: Sandbox,
  plan: SessionPlan,
  beginning: Beginning = 'run',
): Promise<SessionFacts> {
  const { store } = live.deps
  const { stopper } = live
  const { id: owner, project, settings, deps } = live
  const answeredAt = store.session(plan.id)?.answeredAt ?? null
  const turn = new Turn(deps.clock, (youngerMs) => sandbox.interrupt(youngerMs), answeredAt)
  const session: OpenSession = {
    plan,
    refused: null,
    unanswered: null,
    ended: false,
    turn,
    container: sandbox.id,
  }
  const out = wayOut(deps.egress, plan.order, { project: project.id, owner, allow: settings.allow })
  // Its own access: the next session of this execution starts from this one's last push, so nothing may come after it.
  const git = deps.hub.serve(plan.access)
  let running: Running | null = null
  if (plan.agent !== null) live.turns.open(plan.id, turn)
  try {
    running = await begin(live, sandbox, session, { ...plan, git: git.answer }, out, beginning)
    if (beginning === 'adopt' && isToStop(live, plan.id)) void turn.stop(() => {}).catch(() => {}) // its person may ask again
    const { exit, recorded } = await follow(live, sandbox, plan, running)
    await Promise.all([git.revoke(), out.egress?.close()])
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
    sessionOver(live, plan.id)
    await store.endSession(plan.id, outcome, exit.lost ? null : exit.code, detail, cause)
    crashPoint('after-session-end')
    const { reason = null, exitCode = null } = recorded.result ?? {}
    return { id: plan.id, outcome, detail, reason, exitCode, exit, recorded, blocked, cause }
  } catch (error) {
    if (!stopper.detached)
      await store.endSession(plan.id, plan.signal.aborted ? 'cancelled' : 'infra_error', null, messageOf(error))
    throw error
  } finally {
    live.turns.close(plan.id)
    if (stopper.detached) sandbox.letGo()
    else {
      running?.close()
      await git.revoke()
    }
    await out.egress?.close()
  }
}

/** Whether somebody wanted its current step to end, of a server that may not have done that. */
function isToStop({ deps: { store }, id }: LiveExecution, session: SessionId): boolean {
  const paused = store.execution(id)?.paused
  if (paused?.stop === true && !paused.held) return true
  const working = store.messageReaders(id)
  return store.waitingMessages(id).some((one) => one.when === 'now' && readerOf(one, working) === session)
}

async function begin(
  live: LiveExecution,
  sandbox: Sandbox,
  session: OpenSession,
  { order, git, signal }: SessionPlan & Pick<SessionHandlers, 'git'>,
  out: Pick<SessionHandlers, 'egress'>,
  beginning: Beginning,
): Promise<Running> {
  if (live.stopper.letGo.aborted) throw new Stopped()
  const handlers = { git, model: modelFor(live, session), ...out }
  const call = { order, handlers, onRequest: live.watchdog.activity }
  if (beginning === 'adopt') return sandbox.adopt(call)
  const { deps, settings } = live
  const whole = await live.watchdog.whileOursToWait(() => withModules(deps.hub, live, order, signal))
  // A submodule that the base lacks, too, is reported with the project.
  for (const { path, why } of whole.missing.filter((one) => !settings.absent.some((text) => text.includes(one.path))))
    await warn(live, `the submodule ${path} is not there, and its folder is empty: ${why}`)
  crashPoint('before-start')
  const onWait = tellsWait(live, session.plan.id, session.plan.agent !== null)
  const running = await live.watchdog.whileOursToWait(() =>
    sandbox.run({ ...call, order: whole.order, onWait, signal }),
  )
  crashPoint('after-start')
  return running
}

/**
 * The limit that ended it. An earlier server may have refused the call for which the agent failed; a question to a
 * person counts, whatever came after it. If people are asked at a limit, an agent that ends while it waits has failed
 * for another reason, and another session waits in its place.
 */
function limitBehind(
  live: LiveExecution,
  { plan, refused }: OpenSession,
  { outcome, blocked }: Verdict,
): UsedUp | null {
  if (plan.signal.aborted || blocked !== null) return null
  if (refused !== null || live.settings.onLimit === 'ask') return refused
  return plan.agent !== null && outcome === 'failed' ? limitReached(live, plan.id) : null
}

/** Records its output while it runs, until it has ended. */
async function follow(
  live: LiveExecution,
  sandbox: Sandbox,
  plan: SessionPlan,
  running: Running,
): Promise<{ exit: Exit; recorded: Recorded }> {
  const { recorder, store } = live.deps
  const { letGo, abandoned } = live.stopper
  const { output } = running
  const record = recorder.record(plan.id, output, listener(live.watchdog, plan), letGo)
  // Without a record nothing would be known about it: a session that cannot be recorded (a full disk) does not run.
  record.catch(() => live.stopper.detached || void stopSandbox(live, sandbox))
  // Also when the stop came before the session began, and found nothing to stop.
  const unhook = onAbort(plan.signal, () => letGo.aborted || void stopSandbox(live, sandbox))
  try {
    await store.sessionRunning(plan.id, sandbox.id)
    await notePlace(live, sandbox, plan.id)
    const exit = await running.ended(AbortSignal.any([letGo, abandoned]))
    const ms = exit.lost ? LOST_DRAIN_MS : DRAIN_MS
    return { exit, recorded: await drained(live, record, () => output.close(), ms) }
  } catch (error) {
    output.close()
    await record.catch(() => {})
    throw error
  } finally {
    unhook()
  }
}

async function drained(
  { deps }: LiveExecution,
  record: Promise<Recorded>,
  close: () => void,
  ms: number,
): Promise<Recorded> {
  const done = new AbortController()
  const tooLong = deps.clock.sleep(ms, done.signal).then(() => {
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

const listener = (watchdog: Watchdog, { onEvent, room }: SessionPlan): Listener => ({
  onEvent: (event) => {
    watchdog.activity()
    onEvent?.(event)
  },
  onActivity: watchdog.activity,
  whileOurs: (wait) => watchdog.whileOursToWait(wait),
  ...(room && { room }),
})

/** Notes the place of a session, unless it is this machine. */
async function notePlace({ id, deps }: LiveExecution, sandbox: Sandbox, session: SessionPlan['id']): Promise<void> {
  const { engine, store } = deps
  if (engine.name === LOCAL_ENGINE) return
  await store.addEvent(id, session, 'placed', { engine: engine.name, node: await sandbox.node() })
}
