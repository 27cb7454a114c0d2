import type { UseAmounts, UseKey } from './token-use-api.ts'

/** What such things cost usually: the middle one, and what nine of ten do not exceed. `of`: how many there were. */
export type Spread = { median: number; p90: number; of: number }

/**
 * `tokens`: input and output together. `costMicros`: only of those whose every call had a price, so that a part is never
 * taken for the whole. Null: there was none.
 */
export type UsualUse = { tokens: Spread | null; costMicros: Spread | null }

/** All that waits together: each at the median, each at the 90th percentile. `known`: for how many of them that is known. */
export type Forecast = { median: number; p90: number; known: number }

/** `retries`: the part that was used because something had failed. */
export type UseGroup = { name: string; use: UseAmounts; retries: UseAmounts }

/** `rest`: the sum of all further rows. */
export type UseTable = { items: UseGroup[]; rest: (Omit<UseGroup, 'name'> & { count: number }) | null }

export type QueueForecast = {
  /** Beads that wait for a slot, to be planned or to be worked on. */
  beads: number
  /** Reviews that wait for one. `usual`: of the project's newest reviews. */
  reviews: { count: number; usual: UsualUse }
  /** Those with the most beads first; at most 20. `usual`: of completed beads of the same type, plans and reviews included. */
  types: { type: string; beads: number; usual: UsualUse }[]
  /** Null: nothing is known of any of them. */
  tokens: Forecast | null
  costMicros: Forecast | null
}

/** What a project has used in the last `days` days (UTC, with today), and what follows from it. */
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
  /** Of the last seven days. */
  week: UseAmounts
  /** The last fourteen days, the oldest first, whatever `days` is; one without use is there, too. */
  lastDays: { day: string; use: UseAmounts }[]
  /** Of the last sixty minutes. Use is kept by the hour, so it is this hour's with the matching part of the one before. */
  hour: UseAmounts
  queue: QueueForecast
  /** Beads that were completed in these days. `usual`: of each, all that it has ever used, failed executions included. */
  merged: { beads: number; usual: UsualUse }
  currency: string
  /** The day of the price list. */
  pricesOf: string
}
