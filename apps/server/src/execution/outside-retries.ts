import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { Store } from '../ports/store.ts'

/** How often an execution was retried because somebody outside had stopped its container. */
export const outsideRetries = (store: Pick<Store, 'lastEvent'>, id: ExecutionId): number => numberOf(store, id, 'retry')

/**
 * How many agent sessions there were when the last retry was decided, by the policy or after a stop from outside: a
 * failure of one of these is answered. It is stored with the decision, so that a server that dies in between knows.
 */
export const answeredSessions = (store: Pick<Store, 'lastEvent' | 'answeredSessions'>, id: ExecutionId): number =>
  Math.max(store.answeredSessions(id), numberOf(store, id, 'sessions'))

function numberOf(store: Pick<Store, 'lastEvent'>, id: ExecutionId, field: 'retry' | 'sessions'): number {
  const data = store.lastEvent(id, 'retry_outside')?.data
  const value = typeof data === 'object' && data !== null ? (data as { [field]?: unknown })[field] : 0
  return typeof value === 'number' ? value : 0
}
