import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Spent } from './download.ts'
import type { MutationKind } from './mutants.ts'
import { reasonsOfWork } from '../support/reasons-of-work.ts'

/** The end of a bead's execution. */
export type BeadEnd = { state: string; reason: string | null; detail: string }

export const verdictOf = ({ state, reason }: BeadEnd): 'passed' | 'caught' | 'none' =>
  state === 'COMPLETED' ? 'passed' : reasonsOfWork.has(reason) ? 'caught' : 'none'

export type MutantResult = { kind: MutationKind; path: string; line: number; end: BeadEnd }

export type Sabotage =
  | { is: 'done'; mutants: MutantResult[]; harmless: BeadEnd; tried: number; ownSeconds: number }
  /** Its own tests prove nothing: they fail without any change, or catch none. */
  | { is: 'impossible'; why: string }

export type Result = {
  commit: string
  /** When it ended, as ISO 8601. */
  at: string
  /** Findings from the repository's files, in words. */
  found: string[]
  base: 'green' | 'red' | 'broken' | 'none'
  /** The fault of the base and its remedy; '' if there is none. */
  sentence: string
  spent: Spent
  /** Runnable processes per processor in the minute before the proof's end; null: not measured. */
  load: number | null
  /** Whether an agent started although the base is broken. */
  started: boolean
  sabotage: Sabotage | null
}

export type Results = Record<string, Result>

const file = join(import.meta.dirname, 'results.json')

export const readResults = (): Results => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {})

/** Saves the result after each step, so an interrupted run continues where it was. */
export function keepResult(name: string, result: Result): void {
  const results = { ...readResults(), [name]: result }
  const sorted = Object.fromEntries(Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}
