import type { Verification } from '@beadloom/core/records/verification.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { ownCheck } from './own-check.ts'

type Refusal = Pick<Verification, 'name' | 'findings' | 'summary' | 'digest'>

/** The row of a check of our own that failed, after those of the commands. */
export function refusal(live: LiveExecution, rows: readonly Verification[], said: Refusal): Verification | null {
  const [first] = rows
  if (!first) return null
  const { attempt, purpose, run: number, session, commit } = first
  const step = Math.max(...rows.map((row) => row.step)) + 1
  const { name, findings, digest } = said
  const common = { attempt, purpose, run: number, session, commit, step }
  return { ...ownCheck(live, { ...common, name, summary: shortened(said.summary), digest }), findings }
}

const MOST_SUMMARY = 160
const shortened = (text: string): string =>
  text.length <= MOST_SUMMARY ? text : `${text.slice(0, MOST_SUMMARY - 1).toWellFormed()}…`
