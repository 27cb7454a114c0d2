import type { TestsOf } from '@beadloom/core/execution/session-order.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { beginSession, checkoutOf, orderOf } from '../sandbox/begin-session.ts'
import { closeSandbox, openSandbox } from '../sandbox/open-sandbox.ts'
import { besideServices } from '../sandbox/services/beside-services.ts'
import { runSession } from '../sandbox/session.ts'
import { StepReader, type StepEnd } from './step-reader.ts'

/**
 * Some checks on a commit, beside its verification. `serial` names the container, `attempt` lists the session. `all`: also
 * those after a build that fails.
 */
export type BesideRun = {
  attempt: number
  serial: string
  commit: string
  steps: readonly VerifyStep[]
  tests?: TestsOf
  all?: true
}

/** `detail`: the session's end, if no step ended. */
export type BesideEnd = { ended: StepEnd[]; detail: string }

/**
 * Runs these checks in a clean container of their own, as a verification does. They decide nothing by themselves, and
 * their results are not stored.
 *
 * @param begun gets the session before anything runs in it
 */
export async function runBeside(
  live: LiveExecution,
  environment: string,
  { attempt, serial, commit, steps: wanted, tests, all }: BesideRun,
  begun: (session: SessionId) => void | Promise<void> = () => {},
): Promise<BesideEnd> {
  const { settings, id: execution } = live
  const session = await beginSession(live, 'verify', attempt)
  await begun(session)
  const sandbox = await openSandbox(live, { kind: 'verify', serial, environment, network: settings.network })
  const steps = [...wanted]
  const reader = new StepReader(live.deps.aside, steps)
  try {
    const work = { kind: 'verify' as const, steps, ...(tests && { tests }), ...(all && { all }) }
    const { result } = await besideServices(live, sandbox, { id: session, attempt }, () =>
      runSession(live, sandbox, {
        id: session,
        attempt,
        order: orderOf(live, session, checkoutOf(storedOf(live).branch, commit), work),
        access: { project: live.project.id, execution, pushable: null },
        agent: null,
        signal: live.stopper.signal,
        onEvent: reader.take,
        room: reader.room,
      }),
    )
    throwIfStopped(live.stopper)
    return { ended: await reader.ended(), detail: result.detail }
  } finally {
    reader.close()
    await closeSandbox(live, sandbox)
  }
}
