import { WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { beginSession, checkoutOf } from './begin-session.ts'
import type { Sandbox } from './open-sandbox.ts'
import { runSession } from './session.ts'

/** Saving is a commit and a push; a container that takes longer is broken or hostile. */
const SAVE_LIMIT_MS = 120_000

/**
 * Starts a stopped container once more, only to put what its workspace holds on a ref of the hub. Returns the ref, or
 * null when there was nothing to save or it cannot be saved; then the reason is in the session's log. `not now`: what
 * stood in the way has nothing to do with the workspace, and another time it may work.
 */
export async function saveWork(live: LiveExecution, sandbox: Sandbox): Promise<string | null | 'not now'> {
  const { hub, engine, clock, store, log } = live.deps
  const ref = `refs/beadloom/${live.id}/left`
  const limit = new AbortController()
  const done = new AbortController()
  const timer = clock.sleep(SAVE_LIMIT_MS, done.signal).then(() => done.signal.aborted || limit.abort())
  try {
    if ((await engine.inspect(sandbox.id).catch(() => null))?.state === 'created') return null // it never ran
    await engine.stop(sandbox.id, 0)
    const { attempt, branch, baseCommit } = storedOf(live)
    const session = await beginSession(live, 'save', attempt)
    const { exit } = await runSession(live, sandbox, {
      id: session,
      attempt,
      order: {
        session,
        execution: live.id,
        workspace: WORKSPACE,
        git: checkoutOf(branch, baseCommit ?? ''),
        work: { kind: 'save', ref },
      },
      access: { project: live.project.id, execution: live.id, pushable: { branch } },
      agent: null,
      signal: limit.signal,
    })
    if (exit.lost && (await isThere(live, sandbox))) return 'not now'
    const saved = await hub.tip(live.project.id, ref)
    if (saved) await store.addEvent(live.id, session, 'saved', { ref, commit: saved })
    return saved ? ref : null
  } catch (error) {
    log.warn({ error, execution: live.id }, 'what a container left could not be saved')
    return (await isThere(live, sandbox)) ? 'not now' : null
  } finally {
    done.abort()
    await timer
  }
}

/** An engine that does not answer may still have it. */
async function isThere({ deps: { engine } }: LiveExecution, sandbox: Sandbox): Promise<boolean> {
  const now = await engine.inspect(sandbox.id).catch(() => null)
  return now?.state !== 'gone'
}
