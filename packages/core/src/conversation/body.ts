import { clip, type LogLine } from './log-lines.ts'
import type { Body } from './step.ts'

/** Enough to describe the outcome of a command; a reader who wants more reads the log. */
const TAIL_LINES = 12
const TAIL_CHARACTERS = 400

/**
 * Some lines, reduced to their counts, the first line and the last ones. `indent`: characters that the log puts before
 * each.
 */
export function bodyOf(lines: readonly LogLine[], at: number, indent: number): Body {
  let characters = 0
  for (const { text } of lines) characters += Math.max(0, (text?.length ?? 0) - indent)
  return {
    first: lines[0]?.n ?? at,
    last: lines.at(-1)?.n ?? at - 1,
    lines: lines.length,
    characters,
    head: lines[0] ? shortened(lines[0], indent) : '',
    tail: lines.slice(-TAIL_LINES).map((line) => shortened(line, indent)),
  }
}

const shortened = ({ text }: LogLine, indent: number): string =>
  clip(text ?? '')
    .slice(indent, indent + TAIL_CHARACTERS)
    .toWellFormed()
