import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { Store } from '../ports/store.ts'

/** No session outlives its execution. */
export function endSessions(store: Store, execution: ExecutionId, why: string): void {
  for (const session of store.sessions(execution))
    if (session.state !== 'ended') store.endSession(session.id, 'infra_error', null, why)
}
