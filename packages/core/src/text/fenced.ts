import { stripAnsi } from './ansi.ts'
import { HIDDEN_MARKS } from './hidden-marks.ts'
import { oneLine } from './one-line.ts'

/*
 * A stranger's text (a command's output, a title, a file's name) inside our Markdown. Everything in it stays text: it
 * cannot close its frame, start a heading or hide a part of itself.
 */

/** A longer run of backticks is shortened to this, so that the fence around it stays short. */
const LONGEST_RUN = 12
const SHORTEST_FENCE = 3

/**
 * A code block around the first or last `limit` characters of a text. An extra line says how much was left out.
 *
 * @returns at most `limit + 100` characters
 */
export function fenced(text: string, limit: number, keep: 'start' | 'end' = 'start'): string {
  const plain = visible(text)
  const body = cutText(plain, limit, keep)
  const runs = body.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, ...runs.map((run) => run.length + 1)))
  return `${fence}text\n${body}\n${fence}`
}

/** A code span on one line, at most `limit` characters and its two marks. */
export function codeSpan(text: string, limit: number): string {
  const line = oneLine(visible(text)).replaceAll('`', "'")
  const short = line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`
  return short === '' ? '(nothing)' : `\`${short}\``
}

/** The first or last `limit` characters of a text, and a line with the number of omitted ones. */
export function cutText(text: string, limit: number, keep: 'start' | 'end' = 'start'): string {
  if (text.length <= limit) return text
  return keep === 'start'
    ? `${text.slice(0, limit).toWellFormed()}\n… (${text.length - limit} more characters)`
    : `(${text.length - limit} more characters) …\n${text.slice(-limit).toWellFormed()}`
}

/** The lines of a Markdown text that fit into `limit` characters, with the code block closed that the cut is in. */
export function cutBlocks(markdown: string, limit: number): string {
  if (markdown.length <= limit) return markdown
  const kept: string[] = []
  let [length, fence] = [0, '']
  for (const line of markdown.split('\n')) {
    const [, marks = ''] = /^(`{3,})/.exec(line) ?? []
    const next = fence === '' ? marks : line === fence ? '' : fence
    // Room for the end of a block that this line begins or continues.
    if (length + line.length + 1 + next.length > limit) break
    kept.push(line)
    length += line.length + 1
    fence = next
  }
  return [...kept, ...(fence === '' ? [] : [fence])].join('\n')
}

function visible(text: string): string {
  return stripAnsi(text)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(HIDDEN_MARKS, '')
    .replace(/`{13,}/g, '`'.repeat(LONGEST_RUN))
    .replace(/^\n+/, '')
    .trimEnd()
}
