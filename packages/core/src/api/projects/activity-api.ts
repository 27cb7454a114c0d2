import type { Execution, ExecutionKind, ExecutionState } from '../../records/execution.ts'

/** An execution as the history of a project shows it. Times: integer milliseconds UTC. */
export type ActivityItem = {
  execution: string
  bead: string
  /** The person who asked for it; left out if nobody did by name. */
  by?: string
  title: string
  kind: ExecutionKind
  state: ExecutionState
  /** Why it did not complete, in a sentence; '' if there is nothing to say. */
  detail: string
  startedAt: number | null
  endedAt: number | null
  /** Its work is on the work branch. Completed and not merged: nothing had to be changed. */
  isMerged: boolean
  diff: { files: number; added: number; removed: number } | null
  /** Input and output together. */
  tokens: number
  /** Millionths of the currency; null: not known. */
  costMicros: number | null
}

/** Executions since `from`, newest first; `left`: there are more than were looked at. */
export type ActivityView = { at: number; from: number; items: ActivityItem[]; left: boolean; currency: string }

/** Why executions ended other than COMPLETED and CANCELLED: each state and reason, the most frequent first. */
export type FailuresView = { at: number; from: number; items: FailureCount[]; left: boolean }

/** `reason` null: BLOCKED has none. `newest`: the last execution that ended so. */
export type FailureCount = {
  state: ExecutionState
  reason: Execution['reason']
  executions: number
  beads: number
  newest: { execution: string; bead: string; endedAt: number; detail: string }
}
