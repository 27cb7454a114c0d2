/** The number of kept backups: the newest ones, and one for each of the last days that have any. */
export const KEPT_HOURLY = 24
export const KEPT_DAILY = 7

const DAY_MS = 24 * 3_600_000

/**
 * The server's own backups to delete: all except the newest 24 and the newest of each of the last seven days (UTC) that
 * have any. The newest one always stays. A time in the future (the clock was wrong) pushes out no older ones.
 *
 * @param times when each backup was made, in milliseconds UTC, in any order
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
