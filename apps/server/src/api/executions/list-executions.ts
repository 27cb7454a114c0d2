import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { badCursor } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'
import type { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'

type Deps = { store: Pick<Store, 'executions'>; views: Pick<ServerViews, 'execution'> }
type Filter = {
  project?: ProjectId | undefined
  bead?: BeadId | undefined
  state?: ExecutionState | undefined
  limit: number
  cursor?: string | undefined
}

/** Newest first. */
export function listExecutions({ store, views }: Deps, filter: Filter): Page<ExecutionView> | Problem {
  const { cursor, ...rest } = filter
  const before = cursor === undefined ? undefined : Number(cursor)
  if (before !== undefined && !Number.isSafeInteger(before)) return badCursor()
  const rows = store.executions(before === undefined ? rest : { ...rest, before })
  const items = rows.flatMap((row) => views.execution(row.id) ?? [])
  const last = rows.at(-1)
  return last && rows.length === filter.limit ? { items, next: String(last.queuedAt) } : { items }
}
