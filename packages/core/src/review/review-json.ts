import { hasMoreValues } from '../text/json-values.ts'
import { utf8Length } from '../text/utf8-length.ts'

/*
 * JSON from a stranger, read so that it can have only one meaning. `JSON.parse` alone takes the last of two equal keys
 * and creates a member called `__proto__`: with both, a quoted text has answered in place of its reader.
 */

export type JsonBounds = { bytes: number; depth: number; values: number }

export class NotOneDocument extends Error {
  override name = 'NotOneDocument'
}

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Exactly one document. Throws `NotOneDocument` with a sentence for its author. */
export function parseOneDocument(text: string, bounds: JsonBounds): unknown {
  if (text.trim() === '') throw new NotOneDocument('there is no answer')
  if (text.length > bounds.bytes || utf8Length(text) > bounds.bytes)
    throw new NotOneDocument(`the answer is longer than ${Math.floor(bounds.bytes / 1024)} KiB`)
  look(text, bounds.depth) // before parsing: nothing deep or ambiguous is ever built
  if (hasMoreValues(text, bounds.values)) throw new NotOneDocument(`the answer has more than ${bounds.values} values`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NotOneDocument(`the answer is not one JSON document (${error instanceof Error ? error.message : 'why?'})`)
  }
}

/** Looks only for problems that `JSON.parse` would accept; others may slip through. One pass over any input. */
function look(text: string, depth: number): void {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      if (text[afterSpace(text, end)] === ':') checkKey(text.slice(at, end), open.at(-1))
      at = end - 1
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null)
      if (open.length > depth) throw new NotOneDocument(`the answer is nested more than ${depth} levels deep`)
    } else if (character === '}' || character === ']') open.pop()
  }
}

/** Just past the closing quote, or the text's end if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function afterSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++
  return at
}

function checkKey(literal: string, keys: Set<string> | null | undefined): void {
  const key = keyOf(literal)
  if (FORBIDDEN.has(key)) throw new NotOneDocument(`the answer has a key "${key}"`)
  if (keys?.has(key)) throw new NotOneDocument(`the answer has the key "${key.slice(0, 100)}" twice in one object`)
  keys?.add(key)
}

function keyOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}
