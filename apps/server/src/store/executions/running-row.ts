import type { Statement } from 'better-sqlite3'
import type { Refused } from '@beadloom/core/records/bead.ts'
import type { ExecutionRow } from './execution-rows.ts'

/** The row of an execution that runs and is not being stopped; else why a person cannot steer it. */
export function runningRow(select: Statement<[string], ExecutionRow>, id: string): ExecutionRow | Refused {
  const row = select.get(id)
  if (!row) return { refused: `there is no execution ${id}` }
  if (row.ended_at !== null) return { refused: `the execution ${id} has already ended (${row.state})` }
  if (row.state !== 'RUNNING') return { refused: `the execution ${id} has not started yet: cancel it, or wait` }
  if (row.cancel_requested_at !== null) return { refused: `the execution ${id} is already being stopped` }
  return row
}
