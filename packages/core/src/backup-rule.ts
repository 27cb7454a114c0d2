/** How many backups are kept: the newest ones, and one for each of the last days that have any. */
export const KEPT_HOURLY = 24
export const KEPT_DAILY = 7

const DAY_MS = 24 * 3_600_000

/**
 * Which of the server's own backups to delete: those that are neither among the newest 24 nor the newest of one of the
 * last seven days (UTC) that have any. The newest one always stays, and a time in the future (the clock was wrong) does
 * not push out older ones.
 *
 * @param times when each was made, in milliseconds UTC, in any order
 */
export function surplusBackups(times: readonly number[]): number[] {
  const newestFirst = [...new Set(times)].toSorted((a, b) => b - a)
  const kept = new Set(newestFirst.slice(0, KEPT_HOURLY))
  const days = new Set<number>()
  for (const time of newestFirst) {
    const day = Math.floor(time / DAY_MS)
    if (days.has(day) || days.size === KEPT_DAILY) continue
    days.add(day)
    kept.add(time)
  }
  return newestFirst.filter((time) => !kept.has(time))
}
