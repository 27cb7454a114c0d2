/*
 * CI systems, containers and `ts` write the time in front of each line. It differs in each run, and hides the first
 * column, by which many tools' lines are recognised.
 */

/** Lines of a piece that are checked for stamps. */
const SAMPLE = 40
/** The share of lines with stamps that is enough: programs print blank lines that bypass the stamps. */
const SHARE = 0.6

const DAY = String.raw`\d{4}-\d\d-\d\d[T ]`
const CLOCK = String.raw`\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?`
/** GitHub's stamp comes after the job and the step; GitLab's is followed by the stream and its letter. */
const STAMP = new RegExp(
  `^(?:[^\\t]{1,80}\\t[^\\t]{1,80}\\t\\ufeff?(?=${DAY}))?` +
    `(?:${DAY}${CLOCK}(?: \\d\\d[OE][+ ])?|\\[(?:${DAY})?${CLOCK}\\]|${CLOCK}|[A-Z][a-z]{2} [ \\d]\\d ${CLOCK}` +
    String.raw`|#\d{1,4} \d{1,5}\.\d{1,3}|\[ {0,6}\d{1,6}\.\d{1,6}s?\])(?: |$)`,
)

/** A date in front of a single line is not removed. */
const SINGLE = /^(?:\d{4}-\d\d-\d\d[T ]|\[)/

/** A text whose lines have stamps, without them. */
export const withoutStampsIn = (text: string): string => text.split('\n').map(withoutStamp).join('\n')

/** The lines without the stamps in front of them; unchanged if most have none. */
export function withoutStamps(lines: readonly string[]): readonly string[] {
  return areStamped(lines) ? lines.map(withoutStamp) : lines
}

function areStamped(lines: readonly string[]): boolean {
  let seen = 0
  let stamped = 0
  for (const line of lines) {
    if (line === '') continue
    seen += 1
    if (isStamped(line)) stamped += 1
    if (seen >= SAMPLE) break
  }
  if (stamped === 1) return seen === 1 && lines.some((line) => SINGLE.test(line) || line.includes('\t'))
  return stamped > 1 && stamped >= seen * SHARE
}

const withoutStamp = (line: string): string => (mayBeStamped(line) ? line.replace(STAMP, '') : line)

const isStamped = (line: string): boolean => mayBeStamped(line) && STAMP.test(line)

/** All but the job in front of GitHub's stamps begin with a digit, a bracket, a hash or a month. */
function mayBeStamped(line: string): boolean {
  const first = line.charCodeAt(0)
  const isPlain = (first >= 0x30 && first <= 0x39) || first === 0x5b || first === 0x23
  return isPlain || (first >= 0x41 && first <= 0x5a && line.charCodeAt(3) === 0x20) || line.includes('\t')
}
