/** The wanted keys, and the text below the head. `problem`: why the head cannot be read, as the end of a sentence. */
export type FrontMatter = { values: Map<string, string | string[]>; body: string } | { problem: string }

const KEY = /^([A-Za-z_][\w-]*):(?:\s+(.*))?$/
/** The longest value, in characters. */
const LONGEST_VALUE = 16_000
const BLOCK = /^([|>])[+-]?\d?\s*(?:#.*)?$/

/**
 * The few forms of YAML that people write above a prompt: words, quoted texts, texts of several lines, and lists. Other
 * keys may have anything below them. Everything is text: there are no numbers, dates or booleans.
 */
export function readFrontMatter(text: string, wanted: readonly string[]): FrontMatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return { problem: 'its first line is not "---"' }
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---')
  if (end < 0) return { problem: 'there is no second line "---" that ends its head' }
  const values = new Map<string, string | string[]>()
  for (let at = 1; at < end;) {
    const line = lines[at]!
    const below = linesBelow(lines, at + 1, end)
    at += 1 + below.length
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, key, first = ''] = KEY.exec(line) ?? []
    if (key === undefined) return { problem: `line ${at - below.length} is not of the form "key: value"` }
    if (!wanted.includes(key)) continue
    if (values.has(key)) return { problem: `it has "${key}" twice` }
    if (below.reduce((sum, one) => sum + one.length, first.length) > LONGEST_VALUE)
      return { problem: `the value of "${key}" is longer than ${LONGEST_VALUE} characters` }
    const value = valueOf(first.trim(), below)
    if (value === null) return { problem: `the value of "${key}" is in a form of YAML that Beadloom does not read` }
    values.set(key, value)
  }
  return {
    values,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

/** The lines that belong to a key: all that are indented, the items of a list, and blank lines between. */
function linesBelow(lines: readonly string[], from: number, end: number): string[] {
  let to = from
  while (to < end && /^(?:\s|$|- |-$)/.test(lines[to]!)) to += 1
  return lines.slice(from, to)
}

function valueOf(first: string, below: readonly string[]): string | string[] | null {
  const block = BLOCK.exec(first)
  if (block) return textOfBlock(below, block[1] === '>')
  const more = below.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  if (first === '' || first.startsWith('#')) {
    if (more.length === 0) return ''
    const items = more.map((line) => (/^-\s/.test(line) ? line.slice(1).trim() : undefined))
    return items.every((item) => item !== undefined) ? allOf(items.map(scalar)) : null
  }
  if (first.startsWith('[')) {
    const inner = /^\[(.*)\]\s*(?:#.*)?$/.exec([first, ...more].join(' '))?.[1]
    return inner === undefined ? null : allOf(splitList(inner).map(scalar))
  }
  return scalar([first, ...more].join(' '))
}

const allOf = (values: readonly (string | null)[]): string[] | null =>
  values.every((value) => value !== null) ? [...values] : null

function textOfBlock(below: readonly string[], folded: boolean): string {
  const indents = below.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)![0].length)
  const indent = Math.min(...indents, Infinity)
  const lines = below.map((line) => (line.trim() === '' ? '' : line.slice(indent)))
  const text = folded ? lines.join('\n').replaceAll(/([^\n])\n(?=[^\n])/g, '$1 ') : lines.join('\n')
  return text.trim()
}

/** A word or a text in quotes; null: something else. */
function scalar(text: string): string | null {
  const given = text.trim()
  if (given.startsWith('"')) {
    const quoted = /^"(?:[^"\\]|\\.)*"/.exec(given)?.[0]
    return quoted === undefined ? null : unquoted(quoted)
  }
  if (given.startsWith("'")) {
    const quoted = /^'((?:[^']|'')*)'/.exec(given)?.[1]
    return quoted === undefined ? null : quoted.replaceAll("''", "'")
  }
  if (/^[&!{%@`]/.test(given)) return null
  const comment = given.search(/\s#/)
  return comment < 0 ? given : given.slice(0, comment).trimEnd()
}

function unquoted(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

/** Splits at commas outside of quotes. Character by character: a pattern for it is slow with hostile texts. */
function splitList(text: string): string[] {
  const items: string[] = []
  let start = 0
  let quote = ''
  let isBlank = true
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quote !== '') {
      if (char === '\\' && quote === '"') at += 1
      else if (char === quote) quote = ''
    } else if ((char === '"' || char === "'") && isBlank) quote = char
    else if (char === ',') {
      items.push(text.slice(start, at))
      start = at + 1
      isBlank = true
    }
    if (start <= at && char.trim() !== '') isBlank = false
  }
  return [...items, text.slice(start)].map((item) => item.trim()).filter(Boolean)
}
