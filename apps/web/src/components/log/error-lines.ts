/*
 * Lines that look like an error, for `e` and `E`. A guess: it decides where the eye goes and nothing else. What test
 * runners and compilers print, then what docs/log-format.md says of a log.
 */
const patterns = [
  String.raw`^(?:› )?\s*(?:[✗✖✕×] |not ok\b|(?:--- )?FAIL(?:ED|URE)?\b|ERR!)`,
  String.raw`\b(?:error|ERROR|fatal|FATAL|panic)(?:\[\w+\]| [A-Z]+\d+)?:`,
  String.raw`\b[A-Z]\w*(?:Error|Exception)\b`,
  String.raw`^(?:› )?\s*Traceback \(`,
  String.raw`\bnpm (?:ERR!|error)`,
  String.raw`^! `,
  String.raw`^§ .*: exit (?!0\b)\d`,
]

/** Source of a regular expression, which the server searches with; upper and lower case differ. */
export const ERROR_LINES = patterns.map((one) => `(?:${one})`).join('|')

/** The next line in a direction, around the end if need be. `lines` are in order; null without any. */
export function stepTo(lines: readonly number[], from: number, by: 1 | -1): number | null {
  if (lines.length === 0) return null
  if (by === 1) return lines.find((line) => line > from) ?? lines[0] ?? null
  return lines.findLast((line) => line < from) ?? lines.at(-1) ?? null
}
