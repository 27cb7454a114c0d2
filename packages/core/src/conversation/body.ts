import { clip, type LogLine } from './log-lines.ts'
import type { Body } from './step.ts'

/** Enough to say what came of a command; the rest is read from the log by who wants it. */
const TAIL_LINES = 12
const TAIL_CHARACTERS = 400

/** What some lines are, without their text but the first of it and the last. `indent`: characters that the log puts before each. */
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
