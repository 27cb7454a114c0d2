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

/** Of beads whose use is known. */
export function usualUse(beads: readonly BeadUse[]): UsualUse {
  const priced = beads.flatMap(({ use: { costMicros, unpriced } }) =>
    costMicros === null || unpriced > 0 ? [] : [costMicros],
  )
  return { tokens: spreadOf(beads.map(({ use }) => tokensOf(use))), costMicros: spreadOf(priced) }
}

/** What waits will probably cost, by what completed beads of the same type have cost. */
export function queueForecast(waiting: readonly Waiting[], done: readonly BeadUse[]): QueueForecast {
  const counts = new Map<string, number>()
  let others = 0
  for (const { kind, type, count } of waiting)
    if (kind === 'work') counts.set(type, (counts.get(type) ?? 0) + count)
    else others += count
  const types = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([type, beads]) => ({ type, beads, usual: usualUse(done.filter((one) => one.type === type)) }))
  const sum = (key: keyof UsualUse): Forecast | null => {
    const known = types.flatMap(({ beads, usual }) => (usual[key] === null ? [] : { beads, ...usual[key] }))
    if (known.length === 0) return null
    const total = (each: 'median' | 'p90') => known.reduce((all, one) => all + one.beads * one[each], 0)
    return { median: total('median'), p90: total('p90'), beads: known.reduce((all, { beads }) => all + beads, 0) }
  }
  return {
    beads: types.reduce((all, { beads }) => all + beads, 0),
    others,
    types: types.slice(0, MOST_TYPES),
    tokens: sum('tokens'),
    costMicros: sum('costMicros'),
  }
}
