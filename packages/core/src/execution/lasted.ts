/** What has a beginning and an end. `tookMs`: measured by the server; absent where an older server noted the end. */
export type Lasting = { startedAt: number | null; endedAt: number | null; tookMs?: number }

/**
 * How long something took, in milliseconds; null until it is over, and for what never began. Never negative and not the
 * difference of its times where that can be avoided: the wall clock may have jumped in between.
 */
export function lasted({ startedAt, endedAt, tookMs }: Lasting): number | null {
  if (startedAt === null || endedAt === null) return null
  return Math.max(0, tookMs ?? endedAt - startedAt)
}

/** The same, up to `now` for what is not over. */
export const lastedBy = (one: Lasting, now: number): number | null =>
  one.startedAt === null ? null : (lasted(one) ?? Math.max(0, now - one.startedAt))
