import type { Forecast, QueueForecast, Spread, UsualUse } from '../api/budgets/project-budget-api.ts'
import type { UseAmounts } from '../api/budgets/token-use-api.ts'
import { tokensOf } from './sum-use.ts'

/** A completed bead's use in all of its executions. `at`: the time of its completion, in milliseconds UTC. */
export type BeadUse = { bead: string; type: string; at: number; use: UseAmounts }

/** Executions that wait for a slot. */
export type Waiting = { kind: string; type: string; count: number }

const MOST_TYPES = 20

/** The 90th percentile is an existing value (the nearest rank): nothing is interpolated between a few values. */
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

/** The usual use of beads or reviews whose use is known. */
export function usualUse(done: readonly Pick<BeadUse, 'use'>[]): UsualUse {
  const priced = done.flatMap(({ use: { costMicros, unpriced } }) =>
    costMicros === null || unpriced > 0 ? [] : [costMicros],
  )
  return { tokens: spreadOf(done.map(({ use }) => tokensOf(use))), costMicros: spreadOf(priced) }
}

/**
 * The probable cost of the queue: a bead costs as much as completed beads of the same type, with their plans and
 * reviews, and a review as much as other reviews. A bead that waits to be planned counts as any other, because its work
 * is still to come.
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
