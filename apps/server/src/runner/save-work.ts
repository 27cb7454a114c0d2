import { WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { beginSession, checkoutOf, type RunContainer, type RunContext } from './run-context.ts'
import { runSession } from './run-session.ts'

/** Saving is a commit and a push; a container that takes longer is broken or hostile. */
const SAVE_LIMIT_MS = 120_000

/**
 * Starts a stopped container once more, only to put what its workspace holds on a ref of the hub. Returns the ref, or
 * null when there was nothing to save or it cannot be saved; then the reason is in the session's log. `not now`: what
 * stood in the way has nothing to do with the workspace, and another time it may work.
 */
export async function saveWork(run: RunContext, container: RunContainer): Promise<string | null | 'not now'> {
  const { hub, engine, clock, store, log } = run.deps
  const ref = `refs/beadloom/${run.execution.id}/left`
  const limit = new AbortController()
  const done = new AbortController()
  const timer = clock.sleep(SAVE_LIMIT_MS, done.signal).then(() => done.signal.aborted || limit.abort())
  try {
    if ((await engine.inspect(container.id).catch(() => null))?.state === 'created') return null // it never ran
    await engine.stop(container.id, 0)
    container.waiting?.close() // started early and stopped before its first session
    container.waiting = null
    const session = beginSession(run, 'save', run.execution.attempt)
    const { exit } = await runSession(run, container, {
      id: session,
      attempt: run.execution.attempt,
      order: {
        session,
        execution: run.execution.id,
        workspace: WORKSPACE,
        git: checkoutOf(run.execution.branch, run.execution.baseCommit ?? ''),
        work: { kind: 'save', ref },
      },
      access: { project: run.project.id, execution: run.execution.id, pushable: { branch: run.execution.branch } },
      mayUseModel: false,
      signal: limit.signal,
    })
    if (exit.lost && (await isThere(run, container))) return 'not now'
    const saved = await hub.tip(run.project.id, ref)
    if (saved) store.addEvent(run.execution.id, session, 'saved', { ref, commit: saved })
    return saved ? ref : null
  } catch (error) {
    log.warn({ error, execution: run.execution.id }, 'what a container left could not be saved')
    return (await isThere(run, container)) ? 'not now' : null
  } finally {
    done.abort()
    await timer
  }
}

/** An engine that does not answer may still have it. */
async function isThere({ deps: { engine } }: RunContext, container: RunContainer): Promise<boolean> {
  const now = await engine.inspect(container.id).catch(() => null)
  return now?.state !== 'gone'
}
