import { CHECKED } from '../tamper/allowed.ts'
import type { Session } from './session.ts'
import type { Verification, VerificationPurpose } from './verification.ts'

/*
 * What an execution does next, from what the store knows and nothing else: so it continues in the same way after a
 * session, a retry and a restart of the server.
 */

export type History = {
  maxAttempts: number
  /** The most agent sessions of the execution, over all layers of retries. */
  maxSessions: number
  /** It begins with the checks of what its branch has; an agent comes only if these fail. */
  checksFirst?: boolean
  /** How many agent sessions there were when the last retry was decided: it was of the last of these. */
  answered: number
  /** In order; other kinds than `work` do not matter here. */
  sessions: readonly Pick<Session, 'id' | 'kind' | 'attempt' | 'state' | 'outcome'>[]
  /** In order. */
  verifications: readonly Verification[]
}

export type NextStep =
  /** A session of an agent. `again`: the last session of this attempt broke without a result. */
  | { do: 'work'; attempt: number; again: boolean }
  /** A session that has begun and not ended: look for its container. `first`: no session was before it. */
  | { do: 'adopt'; session: Session['id']; attempt: number; first: boolean }
  | { do: 'verify'; attempt: number }
  | { do: 'publish'; attempt: number; commit: string }
  /** The last session did not end well, and the execution ends in the same way. */
  | { do: 'end_as_session'; session: Session['id'] }
  | { do: 'end'; because: 'attempts_used' | 'sessions_used' | 'command_missing' | 'not_checked' | 'conflict' }

/** Every shell's exit code for it: another attempt would not find the command either. */
export const COMMAND_NOT_FOUND = 127

/** The tool of checks by Beadloom itself, which never change when they are repeated. */
export const OWN_CHECKS = 'beadloom'

/** The name of the check that verified work can be merged with what the work branch got meanwhile. */
export const JOINED = 'joined'

/** How often an execution's agent is asked to join its work with others'; each may be one attempt more than the project's. */
export const MOST_JOINS = 2

/** It was in conflict with what had been merged meanwhile. */
export const isConflict = ({ name, tool, passed }: Pick<Verification, 'name' | 'tool' | 'passed'>): boolean =>
  name === JOINED && tool === OWN_CHECKS && !passed

/** The tool of a model's opinion: asking again until it says something else would be no answer. */
export const JUDGE = 'judge'

export function nextStep(history: History): NextStep {
  const work = history.sessions.filter(({ kind }) => kind === 'work')
  const last = work.at(-1)
  if (!last) return history.checksFirst ? afterSession(history, 1) : session(history, 1, false)
  if (last.state !== 'ended') return { do: 'adopt', session: last.id, attempt: last.attempt, first: work.length === 1 }
  if (last.outcome === 'infra_error' || isRetried(work, history.answered)) return session(history, last.attempt, true)
  if (last.outcome !== 'success') return { do: 'end_as_session', session: last.id }
  return afterSession(history, last.attempt)
}

/** Whether a retry of the last of these agent sessions is decided, which failed by itself. */
export const isRetried = (sessions: readonly Pick<Session, 'outcome'>[], answered: number): boolean =>
  sessions.at(-1)?.outcome === 'failed' && sessions.length <= answered

function afterSession(history: History, attempt: number): NextStep {
  const own = judge(history.verifications, attempt, 'attempt')
  if (own.is === 'open') return { do: 'verify', attempt }
  if (own.is === 'missing') return { do: 'end', because: 'command_missing' }
  if (own.is === 'failed')
    return isUnchecked(history, attempt) ? { do: 'end', because: 'not_checked' } : another(history, attempt)
  const candidate = history.verifications.findLast((row) => row.attempt === attempt && row.purpose === 'merge')
  const merged = candidate ? judge(history.verifications, attempt, 'merge', candidate.commit) : null
  if (merged?.is === 'failed') {
    if (isUnchecked(history, attempt)) return { do: 'end', because: 'not_checked' }
    return failuresOf(history.verifications, attempt).some(isConflict)
      ? joining(history, attempt)
      : another(history, attempt)
  }
  if (merged?.is === 'missing') return { do: 'end', because: 'command_missing' }
  return { do: 'publish', attempt, commit: own.commit }
}

/** Everything passed that could run: no attempt would know more. */
const isUnchecked = ({ verifications }: History, attempt: number): boolean => {
  const failures = failuresOf(verifications, attempt)
  return failures.length > 0 && failures.every(({ name, tool }) => name === CHECKED && tool === OWN_CHECKS)
}

/** Its work is good alone, so that the number of attempts that it may fail with does not count here. */
const joining = (history: History, attempt: number): NextStep =>
  history.verifications.filter(isConflict).length > MOST_JOINS
    ? { do: 'end', because: 'conflict' }
    : session(history, attempt + 1, false)

const another = (history: History, attempt: number): NextStep =>
  attempt >= history.maxAttempts ? { do: 'end', because: 'attempts_used' } : session(history, attempt + 1, false)

function session(history: History, attempt: number, again: boolean): NextStep {
  const used = history.sessions.filter(({ kind }) => kind === 'work').length
  return used >= history.maxSessions ? { do: 'end', because: 'sessions_used' } : { do: 'work', attempt, again }
}

/**
 * The same after attempts that were of something else: the phases of a plan. What they have left is checked first, and
 * attempts are counted from there.
 */
export function nextStepAfter(history: History, before: number, maxAttempts: number): NextStep {
  const since = <T extends { attempt: number }>(rows: readonly T[]) =>
    rows.filter(({ attempt }) => attempt > before).map((row) => ({ ...row, attempt: row.attempt - before }))
  const sessions = since(history.sessions)
  const earlier = history.sessions.filter(({ kind, attempt }) => kind === 'work' && attempt <= before).length
  const step = nextStep({
    ...history,
    maxAttempts,
    maxSessions: Math.max(0, history.maxSessions - earlier),
    answered: history.answered - earlier,
    checksFirst: true,
    sessions,
    verifications: since(history.verifications),
  })
  return 'attempt' in step ? { ...step, attempt: step.attempt + before } : step
}

export type Judgement =
  /** Undecided: this run of the verification comes next. */
  { is: 'open'; run: number } | { is: 'passed'; commit: string } | { is: 'failed' } | { is: 'missing' }

/**
 * Whether an attempt's commit is verified. A failed verification is repeated once on the same commit before it counts,
 * because a flaky test should not cost an attempt. What cannot change is not repeated.
 *
 * @param commit only results for this one: a merge is made again whenever the work branch has moved
 */
export function judge(
  verifications: readonly Verification[],
  attempt: number,
  purpose: VerificationPurpose,
  commit?: string,
): Judgement {
  const rows = verifications.filter(
    (row) => row.attempt === attempt && row.purpose === purpose && (commit === undefined || row.commit === commit),
  )
  // All rows of one verification are stored together, so a part is never mistaken for the whole.
  const runs = [1, 2].map((run) => rows.filter((row) => row.run === run))
  for (const [at, steps] of runs.entries()) {
    if (steps.length === 0) return { is: 'open', run: at + 1 }
    const failed = steps.filter(({ passed }) => !passed)
    if (failed.length === 0) return { is: 'passed', commit: steps[0]!.commit }
    if (failed.some(({ exitCode, made }) => exitCode === COMMAND_NOT_FOUND && !made)) return { is: 'missing' }
    if (failed.some(({ tool }) => tool === OWN_CHECKS || tool === JUDGE)) return { is: 'failed' }
  }
  return { is: 'failed' }
}

/** Why an attempt failed: the rows that did not pass when it was last verified. */
export function failuresOf(verifications: readonly Verification[], attempt: number): Verification[] {
  const rows = verifications.filter((row) => row.attempt === attempt && !row.passed)
  const last = rows.at(-1)
  return last ? rows.filter(({ purpose, run }) => purpose === last.purpose && run === last.run) : []
}

/** Attempts whose verification failed, newest first. */
export function failedAttempts(verifications: readonly Verification[]): number[] {
  const attempts = [...new Set(verifications.map(({ attempt }) => attempt))].sort((a, b) => b - a)
  return attempts.filter((attempt) =>
    (['attempt', 'merge'] as const).some((purpose) => {
      const commit = verifications.findLast((row) => row.attempt === attempt && row.purpose === purpose)?.commit
      return ['failed', 'missing'].includes(judge(verifications, attempt, purpose, commit).is)
    }),
  )
}
