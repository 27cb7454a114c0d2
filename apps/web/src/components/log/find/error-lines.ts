import type { LogHits } from './log-hits.ts'

/*
 * Lines that look like an error, for `e` and `E`. Only a guess, to guide the eye. First what test runners and compilers
 * print, then forms of docs/log-format.md.
 */
const patterns = [
  String.raw`^(?:› )?\s*(?:[✗✖✕×] |not ok\b|(?:--- )?FAIL(?:ED|URE)?\b|ERR!)`,
  String.raw`\b(?:error|ERROR|fatal|FATAL|panic)(?:\[\w+\]| [A-Z]+\d+)?:`,
  // An error as printed, with its message or alone; source code names errors, too: `throw new RangeError(…)`.
  String.raw`\b[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?(?::|$)`,
  String.raw`^(?:› )?\s*Traceback \(`,
  String.raw`\bnpm (?:ERR!|error)`,
  // Amending a commit's message is no error.
  String.raw`^! (?!the agent's commit did not name its bead)`,
  String.raw`^§ .*: exit (?!0\b)\d`,
]

/** Source of a regular expression that matches at most once per line; case-sensitive. */
export const ERROR_LINES = patterns.map((one) => `(?:${one})`).join('|')
export const errorPattern = (): RegExp => new RegExp(ERROR_LINES, 'g')

/** The next line in a direction, wrapping around at the ends; null if there are none. */
export function stepTo(lines: LogHits, from: number, by: 1 | -1): number | null {
  if (lines.length === 0) return null
  const at = by === 1 ? lines.from(from + 1) : lines.from(from) - 1
  return lines.line((at + lines.length) % lines.length)
}
