import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { Store } from '../ports/store.ts'

/** How often an execution was retried because somebody outside had stopped its container. */
export function outsideRetries(store: Pick<Store, 'lastEvent'>, id: ExecutionId): number {
  const data = store.lastEvent(id, 'retry_outside')?.data
  const retry = typeof data === 'object' && data !== null ? (data as { retry?: unknown }).retry : 0
  return typeof retry === 'number' ? retry : 0
}

/** All retries of an execution that were decided on. */
export const allRetries = (store: Pick<Store, 'lastEvent'>, id: ExecutionId, retryAttempt: number): number =>
  retryAttempt + outsideRetries(store, id)

/** What tells the refs of an execution's retries apart; the first start has none. */
export function retrySuffix(store: Pick<Store, 'lastEvent'>, id: ExecutionId, retryAttempt: number): string {
  const retries = allRetries(store, id, retryAttempt)
  return retries > 0 ? `-run-${retries + 1}` : ''
}
