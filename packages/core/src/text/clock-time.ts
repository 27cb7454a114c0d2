const HALF_A_DAY_MS = 12 * 3_600_000
const CLOSE_MS = 5 * 60_000

/*
 * Moments for people have one form in text that the server writes: UTC, said as such, because the reader's own clock is
 * not known here. "14:05 UTC", "14:05:09 UTC", "2026-03-02 02:00 UTC". The dashboard, which knows that clock, has its own
 * (`apps/web/src/ui/text/time-text.ts`).
 */

/** The time of day, with seconds when it is close to `now`, with the date when it is another day's. Milliseconds UTC. */
export function clockTime(at: number, now: number): string {
  const iso = isoText(at)
  if (iso === null) return `${at} ms`
  const away = Math.abs(at - now)
  if (away > HALF_A_DAY_MS) return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
  return `${iso.slice(11, away > CLOSE_MS ? 16 : 19)} UTC`
}

/** When `clockTime` says a coming moment in another form, or it has come; null: it is over. Milliseconds UTC. */
export const nextWording = (at: number, now: number): number | null =>
  [at - HALF_A_DAY_MS, at - CLOSE_MS, at].find((time) => time > now) ?? null

/** Date and time to the second: "2026-03-02 02:00:01 UTC". */
export const dateTime = (at: number): string => `${isoText(at)?.slice(0, 19).replace('T', ' ') ?? at} UTC`

/** Null for a date beyond what dates can hold, which a tracker or an endpoint may name. */
function isoText(at: number): string | null {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
