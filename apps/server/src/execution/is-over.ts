import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../ports/store.ts'

/** Whether an execution has ended, or is no longer known. */
export const isOver =
  (store: Pick<Store, 'execution'>) =>
  (id: ExecutionId): boolean => {
    const execution = store.execution(id)
    return execution === null || isTerminal(execution.state)
  }
