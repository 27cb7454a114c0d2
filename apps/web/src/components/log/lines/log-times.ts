/** The clock by which times are shown. */
export type TimesBy = 'utc' | 'local'

/** `text` is shown; it is empty if it would repeat. `at`: milliseconds UTC, null if unknown. */
export type LineTime = { text: string; at: number | null; by: TimesBy }

const two = (n: number): string => String(n).padStart(2, '0')

/** "10:02:13". Without `Intl`, which is too slow for rows drawn sixty times a second. */
export function secondText(at: number, by: TimesBy): string {
  const date = new Date(at)
  const [hours, minutes, seconds] =
    by === 'utc'
      ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
      : [date.getHours(), date.getMinutes(), date.getSeconds()]
  return `${two(hours)}:${two(minutes)}:${two(seconds)}`
}

/** "2026-11-22 10:02:13.042 +02:00": the full time, for pasting elsewhere. */
export function exactTimeText(at: number, by: TimesBy): string {
  const offset = by === 'utc' ? 0 : -new Date(at).getTimezoneOffset()
  const [day = '', clock = ''] = new Date(at + offset * 60_000).toISOString().slice(0, -1).split('T')
  const away = Math.abs(offset)
  const zone = by === 'utc' ? 'UTC' : `${offset < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
  return `${day} ${clock} ${zone}`
}

/** The name of this browser's time zone, in a form that the server knows. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
