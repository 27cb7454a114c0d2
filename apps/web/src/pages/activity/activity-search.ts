export const periods = [1, 7, 30] as const
export type Period = (typeof periods)[number]

/** Without both: since this browser's last visit, or the last 24 hours. `since`: milliseconds UTC. */
export type ActivitySearch = { days?: Period | undefined; since?: number | undefined }

const DAY_MS = 24 * 3_600_000
/** The server looks back at most this far. */
const MOST_DAYS = 90
const EVENING_HOUR = 18

export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const since = Number(search['since'])
  if (Number.isSafeInteger(since) && since > 0) return { since }
  return { days: periods.find((one) => one === Number(search['days'])) }
}

export const periodName = (days: Period): string => (days === 1 ? '24 hours' : `${days} days`)

/** The request to the server: whole days that include the time. */
export const daysSince = (since: number, now: number): number =>
  Math.min(MOST_DAYS, Math.max(1, Math.ceil((now - since) / DAY_MS)))

/** Yesterday at 18:00 by this computer's clock, in milliseconds UTC. */
export function yesterdayEvening(now: number): number {
  const day = new Date(now)
  day.setDate(day.getDate() - 1)
  return day.setHours(EVENING_HOUR, 0, 0, 0)
}
