import type { EventView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Problem } from '../../ports/problem.ts'
import { pipelineOrder } from '../../ports/store/executions.ts'
import type { Store } from '../../ports/store.ts'
import { noExecution } from '../../app/stored/refusals.ts'

/** The limit for the events in one answer: a thousand of them may be 64 MiB. */
const CHARACTERS = 4 * 1024 ** 2

export type EventReads = Pick<Store, 'execution' | 'eventPart' | 'pipelineSteps'>

/** Fewer than `limit` if they are long: the reader asks again until `ended`. */
export function eventsOf(
  store: EventReads,
  id: ExecutionId,
  after: number,
  limit: number,
): { items: EventView[]; ended: boolean } | Problem {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  const { rows, next } = store.eventPart(id, after, { most: limit, characters: CHARACTERS })
  const items = rows.map(({ seq, at, session, type, line, data }) => ({ seq, at, session, type, line, data }))
  const finished = isTerminal(execution.state) && store.pipelineSteps(id).length === pipelineOrder.length
  return { items, ended: finished && next === null }
}
