import type { SessionId } from '@beadloom/core/ids.ts'
import { EndedEarly, failed } from './failed.ts'
import type { RunContainer, RunContext } from './run-context.ts'

/** The container of a session that began before this server did. Where it is gone the run ends, and its policy decides. */
export function adopt(
  { deps: { store }, container, execution }: RunContext,
  session: SessionId,
  attempt: number,
): RunContainer {
  if (!container) {
    store.endSession(session, 'infra_error', null, 'its container was gone when the server came back')
    throw new EndedEarly(failed({ kind: 'server_restarted' }))
  }
  const text = `the server was restarted during attempt ${attempt}; its container went on`
  store.flagExecution(execution.id, { kind: 'adopted', text })
  return container
}
