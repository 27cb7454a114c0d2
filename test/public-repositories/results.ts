import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Spent } from './download.ts'
import type { MutationKind } from './mutants.ts'
import { reasonsOfWork } from '../support/reasons-of-work.ts'

/** What became of a bead. */
export type BeadEnd = { state: string; reason: string | null; detail: string }

export const verdictOf = ({ state, reason }: BeadEnd): 'passed' | 'caught' | 'none' =>
  state === 'COMPLETED' ? 'passed' : reasonsOfWork.has(reason) ? 'caught' : 'none'

export type MutantResult = { kind: MutationKind; path: string; line: number; end: BeadEnd }

export type Sabotage =
  | { is: 'done'; mutants: MutantResult[]; harmless: BeadEnd; tried: number; ownSeconds: number }
  /** Its own tests say nothing: they fail without any change, or catch none. */
  | { is: 'impossible'; why: string }

export type Result = {
  commit: string
  /** When it ended, as ISO 8601. */
  at: string
  /** What the repository's files say, in words. */
  found: string[]
  base: 'green' | 'red' | 'broken' | 'none'
  /** What is wrong with it, and what to do; '' where nothing is. */
  sentence: string
  spent: Spent
  /** How many processes wanted a processor in the minute before the proof's end, for each processor; null: nobody looked. */
  load: number | null
  /** Of a base that is broken: whether an agent was started all the same. */
  started: boolean
  sabotage: Sabotage | null
}

export type Results = Record<string, Result>

const file = join(import.meta.dirname, 'results.json')

export const readResults = (): Results => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {})

/** After each step, so that a run that is broken off continues where it was. */
export function keepResult(name: string, result: Result): void {
  const results = { ...readResults(), [name]: result }
  const sorted = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}
