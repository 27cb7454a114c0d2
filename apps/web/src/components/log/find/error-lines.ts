import type { LogHits } from './log-hits.ts'

/*
 * Lines that look like an error, for `e` and `E`. A guess: it decides where the eye goes and nothing else. What test
 * runners and compilers print, then what docs/log-format.md says of a log.
 */
const patterns = [
  String.raw`^(?:› )?\s*(?:[✗✖✕×] |not ok\b|(?:--- )?FAIL(?:ED|URE)?\b|ERR!)`,
  String.raw`\b(?:error|ERROR|fatal|FATAL|panic)(?:\[\w+\]| [A-Z]+\d+)?:`,
  // As it is printed, with its message or alone; code that is read names errors too: `throw new RangeError(…)`.
  String.raw`\b[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?(?::|$)`,
  String.raw`^(?:› )?\s*Traceback \(`,
  String.raw`\bnpm (?:ERR!|error)`,
  // A commit's message that was amended is no trouble of anybody's.
  String.raw`^! (?!the agent's commit did not name its bead)`,
  String.raw`^§ .*: exit (?!0\b)\d`,
]

/** Source of a regular expression that finds at most one place in a line; upper and lower case differ. */
export const ERROR_LINES = patterns.map((one) => `(?:${one})`).join('|')
export const errorPattern = (): RegExp => new RegExp(ERROR_LINES, 'g')

/** The next line in a direction, around the end if need be; null without any. */
export function stepTo(lines: LogHits, from: number, by: 1 | -1): number | null {
  if (lines.length === 0) return null
  const at = by === 1 ? lines.from(from + 1) : lines.from(from) - 1
  return lines.line((at + lines.length) % lines.length)
}
