const HALF_A_DAY_MS = 12 * 3_600_000
const CLOSE_MS = 5 * 60_000

/*
 * Moments have one form in the server's texts for people: in UTC, and marked as such, because the reader's time zone is
 * not known here. "14:05 UTC", "14:05:09 UTC", "2026-03-02 02:00 UTC". The dashboard, which knows the time zone, has
 * its own (`apps/web/src/ui/text/time-text.ts`).
 */

/**
 * The time of day, with seconds if it is close to `now`, and with the date if it is on another day. Milliseconds UTC.
 */
export function clockTime(at: number, now: number): string {
  const iso = isoText(at)
  if (iso === null) return `${at} ms`
  const away = Math.abs(at - now)
  if (away > HALF_A_DAY_MS) return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
  return `${iso.slice(11, away > CLOSE_MS ? 16 : 19)} UTC`
}

/**
 * The time at which `clockTime` changes its form for a future moment, or the moment itself; null: it is over.
 * Milliseconds UTC.
 */
export const nextWording = (at: number, now: number): number | null =>
  [at - HALF_A_DAY_MS, at - CLOSE_MS, at].find((time) => time > now) ?? null

/** Date and time to the second: "2026-03-02 02:00:01 UTC". */
export const dateTime = (at: number): string => `${isoText(at)?.slice(0, 19).replace('T', ' ') ?? at} UTC`

/** Null for a date outside of the range of `Date`, which a tracker or an endpoint may name. */
function isoText(at: number): string | null {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
