import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parser } from './parsers.ts'
import type { Pumped } from './pumped.ts'
import { samplesOf } from './tokens.ts'

const folder = join(import.meta.dirname, 'worst')

/** The worst known texts of a parser. If none was kept: its sample or a common line, repeated. */
export function worstOf(name: string, parser: Parser): Pumped[] {
  const kept = keptOf(name)
  return kept.length > 0 ? kept : plainOf(parser).slice(0, 1)
}

/** Texts that a search found. */
export function keptOf(name: string): Pumped[] {
  const file = join(folder, `${name}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Pumped[]) : []
}

/** Texts for which no search is needed. */
export const plainOf = (parser: Parser): Pumped[] =>
  [...samplesOf(parser).slice(0, 3), '"a": [1, 2] # b\n'].map((start) => ({
    head: '',
    start,
    inner: '',
    width: 0,
    end: '',
    tail: '',
  }))
