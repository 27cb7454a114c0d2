import type { ActivityItem } from '../api/activity-api.ts'

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
    if (item.state === 'FAILED') sum.failed++
    if (item.state === 'BLOCKED') sum.blocked++
    if (item.state === 'TIMEOUT') sum.timedOut++
    if (item.state === 'RUNNING') sum.running++
  }
  return { ...sum, merged: merged.size, isPartlyPriced: sum.isPartlyPriced && sum.costMicros !== null }
}
