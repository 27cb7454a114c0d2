/** Anything with a start and an end. `tookMs`: measured by the server; absent if an older server noted the end. */
export type Lasting = { startedAt: number | null; endedAt: number | null; tookMs?: number }

/**
 * The duration in milliseconds; null until it is over, and if it never began. Never negative, and not the difference of
 * its times if that can be avoided: the wall clock may have jumped in between.
 */
export function lasted({ startedAt, endedAt, tookMs }: Lasting): number | null {
  if (startedAt === null || endedAt === null) return null
  return Math.max(0, tookMs ?? endedAt - startedAt)
}

/** The same; up to `now` if it is not over. */
export const lastedBy = (one: Lasting, now: number): number | null =>
  one.startedAt === null ? null : (lasted(one) ?? Math.max(0, now - one.startedAt))
