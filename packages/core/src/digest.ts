import { stripAnsi } from './ansi.ts'

/** Hard cap of a digest in characters, about 500 tokens. */
export const DIGEST_LIMIT = 2000

/** The input is cut to its last part before anything else, so that these numbers alone bound the time. */
const MAX_INPUT = 256 * 1024
const MAX_LINE = 400
const CAUSES = 6
const BEFORE = 1
const AFTER = 4
const TAIL_LINES = 12
const TAIL_LINES_ALONE = 30

const TITLE_OF_TAIL = '\n\nEnd of the output:\n'

/** What names a cause, in the words of compilers, test runners and shells; whole words, or `failover` would count. */
const CAUSE =
  /\b(?:error|errors|exception|panic|fatal|traceback|assert|assertion|failed|failure|failures|fail|cannot|undefined reference|not found|segmentation fault|killed)\b|\w(?:Error|Exception)\b|[✗✕●×]/i
const HARMLESS = /\b(?:0|no) (?:errors?|failures?|failed|failing)\b|\b(?:failed|fail|failures|errors)[:=]? ?0\b/gi
/** A test that passed may well be called "reports an error". */
const PASSED = /^\s*(?:[✓✔√]|ok\b|PASS\b|--- PASS)/

/**
 * A failed command's output as a model can use it: first the lines that name a cause, each with a little around it,
 * then the end of the output. Escape sequences are gone, and the result has at most `limit` characters before the
 * note that says it was cut. The same output gives the same digest.
 *
 * @param output raw text; only its last 256 KiB are looked at
 */
export function digestOf(output: string, limit = DIGEST_LIMIT): string {
  const lines = linesOf(output)
  if (lines.length === 0) return 'the command failed without any output'
  const tailFrom = Math.max(0, lines.length - TAIL_LINES)
  const causes = causesIn(lines, tailFrom)
  if (causes === '') return capDigest(lines.slice(-TAIL_LINES_ALONE).join('\n'), limit)

  // The tail holds the runner's summary, so it keeps half of the space however long the causes are.
  const tail = lines.slice(tailFrom).join('\n')
  const room = Math.max(Math.floor(limit / 2), limit - tail.length - TITLE_OF_TAIL.length)
  const shown = causes.length <= room ? causes : `${causes.slice(0, room - 1)}…`
  return capDigest(`${shown}${TITLE_OF_TAIL}${tail}`, limit)
}

/** Cuts a text that is too long for a digest, and says so. */
export function capDigest(text: string, limit = DIGEST_LIMIT): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit).toWellFormed()}\n...(truncated, showing first ${limit} chars)`
}

function linesOf(output: string): string[] {
  const text = stripAnsi(output.slice(-MAX_INPUT).toWellFormed())
    .split('\n')
    .map((line) => shorten(lastRedraw(line).trimEnd()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
  return text === '' ? [] : text.split('\n')
}

/** A progress bar redraws its line; a person sees only what it said last. */
function lastRedraw(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return text.slice(text.lastIndexOf('\r') + 1)
}

/** A line without end (a bundle, a data dump) keeps its start, where tools put the message. */
const shorten = (line: string): string => (line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)}…`)

/** The first causes above the tail; those near each other share a block. */
function causesIn(lines: string[], tailFrom: number): string {
  const blocks: { from: number; to: number }[] = []
  let found = 0
  for (let at = 0; at < tailFrom && found < CAUSES; at++) {
    if (!namesCause(lines[at] ?? '')) continue
    found += 1
    const from = Math.max(0, at - BEFORE)
    const to = Math.min(tailFrom, at + AFTER + 1)
    const last = blocks.at(-1)
    if (last && from <= last.to) last.to = to
    else blocks.push({ from, to })
  }
  return blocks.map(({ from, to }) => lines.slice(from, to).join('\n')).join('\n…\n')
}

const namesCause = (line: string): boolean => !PASSED.test(line) && CAUSE.test(line.replace(HARMLESS, ''))
