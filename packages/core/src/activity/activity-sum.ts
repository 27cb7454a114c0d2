import type { ActivityItem } from '../api/projects/activity-api.ts'
import type { ExecutionState } from '../records/execution.ts'

export type ActivitySum = {
  /** Beads whose work is on the work branch; one that was done twice counts once. */
  merged: number
  failed: number
  /** Beads whose last execution ended with a question. */
  blocked: number
  timedOut: number
  running: number
  tokens: number
  /** Millionths; null: nothing has a price. */
  costMicros: number | null
  /** Tokens of a call without a price are in `tokens` only. */
  isPartlyPriced: boolean
}

/** The figure in which a state counts, if it has one of its own. Merged work is counted by bead. */
const figureOf = {
  QUEUED: null,
  RUNNING: 'running',
  COMPLETED: null,
  FAILED: 'failed',
  BLOCKED: 'blocked',
  TIMEOUT: 'timedOut',
  CANCELLED: null,
} as const satisfies Record<ExecutionState, keyof ActivitySum | null>

/**
 * Each bead counts by the state of its newest execution; tokens and cost count for all executions. `items`: newest
 * first.
 */
export function sumActivity(items: readonly ActivityItem[]): ActivitySum {
  const sum: ActivitySum = {
    merged: 0,
    failed: 0,
    blocked: 0,
    timedOut: 0,
    running: 0,
    tokens: 0,
    costMicros: null,
    isPartlyPriced: false,
  }
  const seen = new Set<string>()
  const merged = new Set<string>()
  for (const item of items) {
    sum.tokens += item.tokens
    if (item.costMicros !== null) sum.costMicros = (sum.costMicros ?? 0) + item.costMicros
    else if (item.tokens > 0) sum.isPartlyPriced = true
    if (item.kind !== 'work') continue
    if (item.isMerged) merged.add(item.bead)
    if (seen.has(item.bead)) continue
    seen.add(item.bead)
    const figure = figureOf[item.state]
    if (figure !== null) sum[figure]++
  }
  return { ...sum, merged: merged.size, isPartlyPriced: sum.isPartlyPriced && sum.costMicros !== null }
}
