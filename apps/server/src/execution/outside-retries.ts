import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../ports/store.ts'

/** The number of retries of an execution because somebody outside had stopped its container. */
export function outsideRetries(store: Pick<Store, 'lastEvent'>, id: ExecutionId): number {
  const data = store.lastEvent(id, 'retry_outside')?.data
  const retry = typeof data === 'object' && data !== null ? (data as { retry?: unknown }).retry : 0
  return typeof retry === 'number' ? retry : 0
}
