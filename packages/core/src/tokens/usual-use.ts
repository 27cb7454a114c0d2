import type { Forecast, QueueForecast, Spread, UsualUse } from '../api/project-budget-api.ts'
import type { UseAmounts } from '../api/token-use-api.ts'
import { tokensOf } from './sum-use.ts'

/** All that a completed bead has used, in all of its executions. `at`: when it was completed, in milliseconds UTC. */
export type BeadUse = { bead: string; type: string; at: number; use: UseAmounts }

/** Executions that wait for a slot. */
export type Waiting = { kind: string; type: string; count: number }

const MOST_TYPES = 20

/** The 90th percentile is one that occurred (the nearest rank): between few of them nothing is made up. */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? 0
  const middle = (sorted.length - 1) / 2
  return {
    median: Math.round((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2),
    p90: at(Math.ceil(sorted.length * 0.9) - 1),
    of: sorted.length,
  }
}

/** Of beads, or reviews, whose use is known. */
export function usualUse(done: readonly Pick<BeadUse, 'use'>[]): UsualUse {
  const priced = done.flatMap(({ use: { costMicros, unpriced } }) =>
    costMicros === null || unpriced > 0 ? [] : [costMicros],
  )
  return { tokens: spreadOf(done.map(({ use }) => tokensOf(use))), costMicros: spreadOf(priced) }
}

/**
 * What waits will probably cost: a bead what completed beads of the same type have cost, with their plans and reviews, and
 * a review what reviews have cost. A bead that waits to be planned has its work still before it, so it is a bead like others.
 */
export function queueForecast(
  waiting: readonly Waiting[],
  done: readonly BeadUse[],
  reviewed: readonly UseAmounts[],
): QueueForecast {
  const counts = new Map<string, number>()
  const reviews = { count: 0, usual: usualUse(reviewed.map((use) => ({ use }))) }
  for (const { kind, type, count } of waiting)
    if (kind === 'review') reviews.count += count
    else counts.set(type, (counts.get(type) ?? 0) + count)
  const types = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([type, beads]) => ({ type, beads, usual: usualUse(done.filter((one) => one.type === type)) }))
  const sum = (key: keyof UsualUse): Forecast | null => {
    const all = [...types.map(({ beads, usual }) => ({ count: beads, usual })), ...(reviews.count > 0 ? [reviews] : [])]
    const known = all.flatMap(({ count, usual }) => (usual[key] === null ? [] : { count, ...usual[key] }))
    if (known.length === 0) return null
    const total = (of: (one: (typeof known)[number]) => number) => known.reduce((sum, one) => sum + of(one), 0)
    return {
      median: total(({ count, median }) => count * median),
      p90: total(({ count, p90 }) => count * p90),
      known: total(({ count }) => count),
    }
  }
  return {
    beads: types.reduce((all, { beads }) => all + beads, 0),
    reviews,
    types: types.slice(0, MOST_TYPES),
    tokens: sum('tokens'),
    costMicros: sum('costMicros'),
  }
}
