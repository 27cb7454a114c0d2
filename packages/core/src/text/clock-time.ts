const HALF_A_DAY_MS = 12 * 3_600_000
const CLOSE_MS = 5 * 60_000

/**
 * A moment for people, in UTC since the reader's own clock is not known here: "14:05Z", with seconds when it is close,
 * as ISO 8601 when it is another day's. Both in milliseconds UTC.
 */
export function clockTime(at: number, now: number): string {
  const date = new Date(at)
  // A tracker or an endpoint may name a date beyond what dates can hold.
  if (Number.isNaN(date.getTime())) return `${at} ms`
  const iso = date.toISOString().replace(/\.\d{3}Z$/, 'Z')
  const away = Math.abs(at - now)
  if (away > HALF_A_DAY_MS) return iso
  return away > CLOSE_MS ? `${iso.slice(11, 16)}Z` : iso.slice(11)
}
