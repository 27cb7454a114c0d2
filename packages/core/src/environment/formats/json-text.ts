/*
 * JSON as people write it: with comments and trailing commas, which JSON itself does not have. `JSON.parse` does the
 * reading, so deep nesting is no danger; the rest looks at each character once.
 */

/** Null: not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Most files have no comments and are parsed faster as they are.
  }
  try {
    return JSON.parse(plainJson(text))
  } catch {
    return null
  }
}

/** The line of a key by its path from the root; null: there is none. The text is one that `readJson` can read. */
export function jsonLine(text: string, path: readonly string[]): number | null {
  let line = 1
  let last: string | null = null
  /** The key of each open bracket; the root and an array's elements have none. */
  const open: (string | null)[] = []
  let key: string | null = null
  for (const { kind, start, end } of tokensOf(text)) {
    if (kind === 'line') line += 1
    else if (kind === 'string') last = text.slice(start, end)
    else if (kind === '{' || kind === '[') {
      open.push(key)
      key = null
    } else if (kind === '}' || kind === ']') open.pop()
    else if (kind === ',') key = null
    else if (kind === ':') {
      key = last === null ? null : unquoted(last)
      last = null
      if (key === path.at(-1) && open.length === path.length && isAt(open, path)) return line
    }
  }
  return null
}

const isAt = (open: readonly (string | null)[], path: readonly string[]): boolean =>
  open.slice(1).every((key, at) => key === path[at])

/** Tested before parsing: an error thrown for each of a million keys takes seconds. */
// oxlint-disable-next-line no-control-regex
const STRING = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"$/

const unquoted = (token: string): string | null => (STRING.test(token) ? String(JSON.parse(token)) : null)

/** The same text with spaces in place of anything that JSON lacks, so that offsets and lines stay. */
function plainJson(text: string): string {
  const blanks: [start: number, end: number][] = []
  let comma: number | null = null
  for (const { kind, start, end } of tokensOf(text)) {
    if (kind === 'line') continue
    if (kind === 'comment') blanks.push([start, end])
    else if (kind === ',') comma = start
    else {
      if (comma !== null && (kind === '}' || kind === ']')) blanks.push([comma, comma + 1])
      comma = null
    }
  }
  let plain = ''
  let from = 0
  for (const [start, end] of blanks.sort(([a], [b]) => a - b)) {
    plain += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    from = end
  }
  return plain + text.slice(from)
}

/** `other`: a number or a word. A comment is followed by a `line` for each line end in it, so that all are counted. */
type Token = {
  kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'comment' | 'line' | 'other'
  start: number
  end: number
}

function* tokensOf(text: string): Generator<Token> {
  let at = 0
  while (at < text.length) {
    const start = at
    const char = text[at] ?? ''
    at += 1
    if (char === '\n') yield { kind: 'line', start, end: at }
    else if ('{}[]:,'.includes(char)) yield { kind: char as '{', start, end: at }
    else if (char === '"') {
      at = endOfString(text, at)
      yield { kind: 'string', start, end: at }
    } else if (char === '/' && (text[at] === '/' || text[at] === '*')) {
      at = endOfComment(text, at)
      yield { kind: 'comment', start, end: at }
      for (let end = start; end < at; end += 1) if (text[end] === '\n') yield { kind: 'line', start: end, end: end + 1 }
    } else if (!' \t\r'.includes(char)) yield { kind: 'other', start, end: at }
  }
}

/** Just past the closing quote, or the end of the line if there is none. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n') {
    if (text[at] === '"') return at + 1
    at += text[at] === '\\' ? 2 : 1
  }
  return Math.min(at, text.length)
}

/** The end of a comment, from its second character. An unclosed one reaches to the end of the text. */
function endOfComment(text: string, at: number): number {
  const close = text[at] === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 1)
  if (close === -1) return text.length
  return text[at] === '/' ? close : close + 2
}
