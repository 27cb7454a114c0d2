/** A tested version may be this many months behind newer ones before somebody should try the agent again. */
const MONTHS = 3

/**
 * The age of a tested version against the npm registry's. It is behind from the day on which the first newer one was
 * published. A package without newer versions is reported for its silence.
 *
 * @param version the tested one, `1.2.3`
 * @param registry the output of `npm view PACKAGE name time deprecated --json`; anything may be missing
 * @param now milliseconds since 1970
 * @returns `late`: more than three months; `text`: a sentence for maintainers
 */
export function ageOf(version, registry, now) {
  const published = Object.entries(registry?.time ?? {})
    .map(([name, at]) => ({ name, numbers: numbersOf(name), at: Date.parse(at) }))
    .filter(({ numbers, at }) => numbers !== null && !Number.isNaN(at))
  const tested = numbersOf(version)
  const newest = published.toSorted((a, b) => compare(b.numbers, a.numbers))[0]
  if (tested === null || newest === undefined)
    return { late: false, text: 'the registry does not say when its versions were published' }
  const newer = published.filter(({ numbers }) => compare(numbers, tested) > 0)
  const since = newer.length > 0 ? Math.min(...newer.map(({ at }) => at)) : newest.at
  const late = now > monthsAfter(since)
  const day = new Date(since).toISOString().slice(0, 10)
  const text =
    newer.length > 0
      ? `${late ? `more than ${MONTHS} months behind: ` : ''}there are newer versions since ${day}; the newest is ${newest.name}`
      : `the newest${late ? `, and nothing was published since ${day}: look whether the package has another name now` : ''}`
  const deprecated = registry?.deprecated
  return deprecated
    ? { late: true, text: `${text}. The package is deprecated: ${String(deprecated).slice(0, 300)}` }
    : { late, text }
}

/**
 * The numbers of a version; null for a pre-release, a build for one platform, or no version (`created`, `modified`).
 */
function numbersOf(version) {
  return /^\d+\.\d+\.\d+$/.test(version) ? version.split('.').map(Number) : null
}

const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

function monthsAfter(at) {
  const date = new Date(at)
  return date.setUTCMonth(date.getUTCMonth() + MONTHS)
}
