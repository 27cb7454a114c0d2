import type { SessionId } from '@beadloom/core/ids.ts'
import { WORKSPACE } from '@beadloom/core/session-order.ts'
import { closeContainer, openContainer } from './containers.ts'
import { beginSession, checkoutOf, type RunContext } from './run-context.ts'
import { runSession } from './run-session.ts'

/** `commandMissing`: the shell did not find the test command, so that another attempt would not find it either. */
export type Verdict = { passed: boolean; commandMissing: boolean; output: string; session: SessionId }

/** As every shell says it. */
const COMMAND_NOT_FOUND = 127

/**
 * The project's test command on a clean checkout of the commit in the hub, in a container of its own: what was not
 * committed does not count, and what the agent left running cannot interfere.
 */
export async function verify(run: RunContext, image: string, commit: string, attempt: number): Promise<Verdict> {
  const { settings, execution } = run
  const session = beginSession(run, 'verify', attempt)
  const container = await openContainer(run, {
    kind: 'verify',
    serial: `verify-${attempt}`,
    image,
    network: settings.network,
  })
  try {
    const facts = await runSession(run, container, {
      id: session,
      attempt,
      order: {
        session,
        execution: execution.id,
        workspace: WORKSPACE,
        git: checkoutOf(execution.branch, commit),
        work: { kind: 'verify', command: settings.test ?? '', timeoutMs: settings.limits.testTimeoutMs },
      },
      access: { project: run.project.id, execution: execution.id, pushable: null },
      mayUseModel: false,
      signal: run.stopper.signal,
    })
    const passed = facts.outcome === 'success'
    if (passed) run.deps.store.addEvent(execution.id, session, 'verification', { passed: true, attempt, commit })
    const commandMissing = !passed && facts.recorded.result?.exitCode === COMMAND_NOT_FOUND
    return { passed, commandMissing, output: `${facts.recorded.tail}\n${facts.detail}`, session }
  } finally {
    await closeContainer(run, container)
  }
}
