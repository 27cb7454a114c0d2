import type { SessionId } from '@beadloom/core/ids.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { beginSession, checkoutOf, orderOf } from '../sandbox/begin-session.ts'
import { closeSandbox, openSandbox } from '../sandbox/open-sandbox.ts'
import { besideServices } from '../sandbox/services/beside-services.ts'
import { runSession } from '../sandbox/session.ts'
import { StepReader } from './step-reader.ts'
import type { Checks } from './verify.ts'

/**
 * What the tests of a commit find wrong, as findings of their digests. They run in a clean container of their own and decide
 * nothing by themselves; nothing of it is stored.
 *
 * @param attempt under which the session is listed
 */
export async function findingsAt(
  live: LiveExecution,
  environment: string,
  commit: string,
  { steps }: Pick<Checks, 'steps'>,
  attempt: number,
): Promise<string[]> {
  const { settings, id: execution } = live
  const session: SessionId = await beginSession(live, 'verify', attempt)
  const needed = steps.filter(({ type }) => type === 'build' || type === 'test')
  const reader = new StepReader(live.deps.aside, needed)
  const serial = `before-${attempt}`
  const sandbox = await openSandbox(live, { kind: 'verify', serial, environment, network: settings.network })
  try {
    await besideServices(live, sandbox, { id: session, attempt }, () =>
      runSession(live, sandbox, {
        id: session,
        attempt,
        order: orderOf(live, session, checkoutOf(storedOf(live).branch, commit), {
          kind: 'verify',
          steps: needed,
          all: true,
        }),
        access: { project: live.project.id, execution, pushable: null },
        agent: null,
        signal: live.stopper.signal,
        onEvent: reader.take,
        room: reader.room,
      }),
    )
    throwIfStopped(live.stopper)
    return (await reader.ended()).flatMap(({ step, exitCode, digest }) =>
      step.type === 'test' && exitCode !== 0 ? digest.findings : [],
    )
  } finally {
    reader.close()
    await closeSandbox(live, sandbox)
  }
}
