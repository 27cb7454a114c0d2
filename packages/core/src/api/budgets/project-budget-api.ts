import type { UseAmounts, UseKey } from './token-use-api.ts'

/** The usual cost: the median, and the amount that nine of ten do not exceed. `of`: the number of samples. */
export type Spread = { median: number; p90: number; of: number }

/**
 * `tokens`: input and output together. `costMicros`: only of those whose calls all had a price, so that nobody takes a
 * part for the whole. Null: no sample.
 */
export type UsualUse = { tokens: Spread | null; costMicros: Spread | null }

/**
 * The sum for the whole queue: each item at the median, each at the 90th percentile. `known`: the number of items with
 * a known cost.
 */
export type Forecast = { median: number; p90: number; known: number }

/** `retries`: the part that was used after failures. */
export type UseGroup = { name: string; use: UseAmounts; retries: UseAmounts }

/** `rest`: the sum of all further rows. */
export type UseTable = { items: UseGroup[]; rest: (Omit<UseGroup, 'name'> & { count: number }) | null }

export type QueueForecast = {
  /** Beads that wait for a slot, to be planned or to be worked on. */
  beads: number
  /** Reviews that wait for a slot. `usual`: the cost of the project's newest reviews. */
  reviews: { count: number; usual: UsualUse }
  /**
   * Types with the most beads first; at most 20. `usual`: the cost of completed beads of the type, with plans and
   * reviews.
   */
  types: { type: string; beads: number; usual: UsualUse }[]
  /** Null: not known for any of them. */
  tokens: Forecast | null
  costMicros: Forecast | null
}

/** A project's use in the last `days` days (UTC, with today), and the forecast that follows from it. */
export type BudgetView = {
  /** When this was added up, in milliseconds UTC. */
  at: number
  days: number
  /** The first day, `2026-11-17`. */
  from: string
  all: UseAmounts
  retries: UseAmounts
  by: Record<UseKey, UseTable>
  today: UseAmounts
  /** The last seven days. */
  week: UseAmounts
  /** The last fourteen days, oldest first, whatever `days` is; days without use are included. */
  lastDays: { day: string; use: UseAmounts }[]
  /**
   * The last sixty minutes. Use is stored by the hour, so this is the present hour plus the matching part of the one
   * before.
   */
  hour: UseAmounts
  queue: QueueForecast
  /** Beads that were completed in these days. `usual`: their whole use ever, failed executions included. */
  merged: { beads: number; usual: UsualUse }
  currency: string
  /** The day of the price list. */
  pricesOf: string
}
