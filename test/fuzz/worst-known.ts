import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parser } from './parsers.ts'
import type { Pumped } from './pumped.ts'
import { samplesOf } from './tokens.ts'

const folder = join(import.meta.dirname, 'worst')

/** The worst that is known of a parser; of one of which nothing was kept, its samples and a common line again and again. */
export function worstOf(name: string, parser: Parser): Pumped[] {
  const file = join(folder, `${name}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Pumped[]
  const parts = [...samplesOf(parser).slice(0, 1), '"a": [1, 2] # b\n']
  return parts.map((start) => ({ head: '', start, inner: '', width: 0, end: '', tail: '' }))
}
