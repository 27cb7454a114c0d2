import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { CHECKED, TESTS_KEPT } from '@beadloom/core/execution/allowed.ts'
import { failuresOf, isConflict, OWN_CHECKS, type NextStep } from '@beadloom/core/execution/next-step.ts'
import { NOTHING_ELSEWHERE } from '@beadloom/core/elsewhere/elsewhere-words.ts'
import { NO_SECRETS } from '@beadloom/core/secrets/secret-words.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { failed } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { missingCommand } from '../../verify/missing-command.ts'
import { lacksTests } from '../../verify/no-steps.ts'
import { conflictIn, otherChanges, type KnownConflict } from './conflict.ts'
import { digestOfFailures } from './failure-digest.ts'

/** The name of the check that something was committed at all. */
export const NOTHING_DONE = 'commit'

/** The stored facts behind the end of work. `conflict`: the last one with other work; null: none. */
export type WorkFacts = {
  branch: string
  attempt: number
  maxSessions: number
  rows: readonly Verification[]
  settings: ProjectSettings
  conflict: Pick<KnownConflict, 'branch' | 'files'> | null
}

export function workFacts(live: LiveExecution): WorkFacts {
  const { store } = live.deps
  const { branch, attempt, maxSessions } = storedOf(live)
  const conflict = conflictIn(store.lastEvent(live.id, 'push_conflict')?.data)
  return { branch, attempt, maxSessions, rows: store.verifications(live.id), settings: live.settings, conflict }
}

/** The end when no attempt follows. */
export function endOfAttempts(facts: WorkFacts, because: Extract<NextStep, { do: 'end' }>['because']): ExecutionEnd {
  if (because === 'conflict') return endOfConflict(facts)
  const { attempt, maxSessions, rows, settings } = facts
  if (because === 'sessions_used') return failed({ kind: 'too_many_sessions', sessions: maxSessions }, workIsOn(facts))
  const failures = failuresOf(rows, attempt)
  if (because === 'command_missing') return failed(missingCommand(failures, settings), workIsOn(facts))
  const own = endOfOwnCheck(facts, failures)
  if (own) return own
  const command = failures.map((row) => row.command || row.name).join(', ')
  const types = failures.map(({ type }) => type)
  return failed({ kind: 'verification', command, attempts: attempt, types }, workIsOn(facts))
}

/** The end when an attempt failed like the one before and changed nothing. */
export const endOfStandstill = (facts: WorkFacts, attempt: number): ExecutionEnd =>
  endOfOwnCheck(facts, failuresOf(facts.rows, attempt)) ??
  failed({ kind: 'no_progress', attempts: attempt }, workIsOn(facts))

/** The end of work that failed a check of our own, whatever else it did; null: it failed the project's. */
export function endOfOwnCheck(facts: WorkFacts, failures: readonly Verification[]): ExecutionEnd | null {
  const [first] = failures
  if (first === undefined) return null
  const { attempt: attempts } = first
  const { branch, rows } = facts
  const its = ` Its branch is ${branch}.`
  if (failures.some(isConflict)) return endOfConflict(facts)
  if (failures.some(lacksTests)) return failed({ kind: 'no_checks', attempts }, its)
  const isOwn = failures.every(({ tool }) => tool === OWN_CHECKS)
  const failedOnly = (own: string) => isOwn && failures.every(({ name }) => name === own)
  if (isOwn && failures.some(({ name }) => name === NO_SECRETS))
    return failed({ kind: 'secrets_found', attempts }, workIsOn(facts))
  if (failedOnly(NOTHING_ELSEWHERE))
    return failed(
      { kind: 'runs_elsewhere', attempts, files: first.findings.join('; ') },
      ` Its work is on the branch ${branch}.`,
    )
  if (failedOnly(TESTS_KEPT)) return failed({ kind: 'tests_weakened', attempts }, workIsOn(facts))
  if (failedOnly(CHECKED)) return failed({ kind: 'not_checked', parts: first.findings.join('; ') }, its)
  const isNothing = failures.some(({ name, tool }) => name === NOTHING_DONE && tool === OWN_CHECKS)
  return isNothing ? failed({ kind: 'nothing_done' }, ` ${digestOfFailures(rows)}`) : null
}

/** The agent was asked as often as allowed: a person decides how the two fit together. */
function endOfConflict({ branch, rows, conflict }: WorkFacts): ExecutionEnd {
  const asked = rows.filter(isConflict).length - 1
  const not =
    asked > 0 ? `, and its agent did not join the two in ${asked === 1 ? 'one attempt' : `${asked} attempts`}` : ''
  const other = conflict === null ? 'the work branch has other changes' : otherChanges(conflict)
  return failed({ kind: 'push_conflict', branch, detail: `${other}${not}` })
}

const workIsOn = ({ branch, rows }: WorkFacts): string =>
  ` Its work is on the branch ${branch}.\n${digestOfFailures(rows)}`
