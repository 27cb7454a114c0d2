import { parse } from 'smol-toml'
import type { Fields } from './records.ts'
import { isObject } from '../../text/json-object.ts'
import { linesOf } from './lines.ts'

/** No file that a tool reads is nested more deeply than half of this. */
const MOST_DEPTH = 30
/** Dots in a line, wherever they are: the longest lines of real files list a few dozen versions. */
const MOST_PARTS = 2000

/** Null: not TOML, or TOML made to be expensive. */
export function readToml(text: string): Fields | null {
  // The parser bounds tables in tables, but not the parts of a key.
  if (linesOf(text).some((line) => line.split('.', MOST_PARTS + 1).length > MOST_PARTS)) return null
  try {
    const value: unknown = parse(text, { maxDepth: MOST_DEPTH })
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The line of a key by its path from the root, or of the inline table that contains it; null: neither was found. */
export function tomlLine(text: string, path: readonly string[]): number | null {
  const wanted = path.join('.')
  let table = ''
  let near: number | null = null
  for (const [at, whole] of linesOf(text).entries()) {
    const line = whole.trim()
    if (line.startsWith('[')) {
      table = plainKey(line.slice(0, line.indexOf(']')).replace(/^\[{1,2}/, ''))
      if (table === wanted) return at + 1
      continue
    }
    const equals = line.indexOf('=')
    if (equals === -1 || line.startsWith('#')) continue
    const key = plainKey(line.slice(0, equals))
    const full = table === '' ? key : `${table}.${key}`
    if (full === wanted) return at + 1
    if (near === null && wanted.startsWith(`${full}.`)) near = at + 1
  }
  return near
}

const plainKey = (key: string): string => key.replace(/["'\s]/g, '')
