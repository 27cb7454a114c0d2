import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { RunnerDeps } from './deps.ts'

/** No session outlives its execution. */
export function endSessions(store: RunnerDeps['store'], execution: ExecutionId, why: string): void {
  for (const session of store.sessions(execution))
    if (session.state !== 'ended') store.endSession(session.id, 'infra_error', null, why)
}
