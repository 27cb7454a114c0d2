/** The format of a time, and the placeholder for an unknown one: as wide, and without a space inside. */
export type TimeForm = { of: (at: number) => string; unknown: string }

const QUARTER_MS = 15 * 60_000

const utc: TimeForm = { of: (at) => new Date(at).toISOString(), unknown: '-'.padEnd(24) }

/** ISO 8601 in UTC (null) or in an IANA zone. Throws a RangeError for an unknown zone. */
export const timeForm = (zone: string | null): TimeForm => (zone === null ? utc : localForm(zone))

/** With the zone's offset from UTC, which distinguishes the two when an hour comes twice. */
function localForm(timeZone: string): TimeForm {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  let known = { quarter: Number.NaN, minutes: 0, text: '+00:00' }
  const offsetAt = (at: number) => {
    const quarter = Math.floor(at / QUARTER_MS) // clocks change only at full quarters of an hour
    if (quarter === known.quarter) return known
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
    const size = Number(hours) * 60 + Number(minutes)
    known = { quarter, minutes: sign === '-' ? -size : size, text: `${sign}${hours}:${minutes}` }
    return known
  }
  const of = (at: number) => {
    const { minutes, text } = offsetAt(at)
    return new Date(at + minutes * 60_000).toISOString().replace('Z', text)
  }
  return { of, unknown: '-'.padEnd(29) }
}

/**
 * The text with its time and a space before each line. `first`: the number of its first line; `times`: from `LogMarks`.
 */
export function withTimes(
  text: string,
  first: number,
  times: readonly (readonly [line: number, at: number])[],
  form: TimeForm,
): string {
  let prefix = form.unknown
  let next = 0
  let timed = ''
  let line = first
  for (let at = 0; at < text.length; line += 1) {
    for (let time = times[next]; time && time[0] <= line; time = times[++next]) prefix = form.of(time[1])
    const end = text.indexOf('\n', at) + 1 || text.length
    timed += `${prefix} ${text.slice(at, end)}`
    at = end
  }
  return timed
}
