import { CHECKED } from './allowed.ts'
import type { Session } from '../records/session.ts'
import type { Verification, VerificationPurpose } from '../records/verification.ts'

/*
 * The next step of an execution, only from facts in the store: so it continues in the same way after a session, a retry
 * and a restart of the server.
 */

export type History = {
  maxAttempts: number
  /** The most agent sessions of the execution, over all layers of retries. */
  maxSessions: number
  /** It begins with the checks of its branch; an agent runs only if these fail. */
  checksFirst?: boolean
  /** The number of agent sessions when the last retry was decided; the retry repeats the last of these. */
  answered: number
  /** In order; other kinds than `work` do not matter here. */
  sessions: readonly Pick<Session, 'id' | 'kind' | 'attempt' | 'state' | 'outcome'>[]
  /** In order. */
  verifications: readonly Verification[]
  /** The number of people's messages that no agent has yet; absent: none. */
  unread?: number
}

export type NextStep =
  /**
   * A session of an agent. `again`: the last session of this attempt broke without a result. `told`: a person has said
   * something to it after the last one, so it counts as no attempt.
   */
  | { do: 'work'; attempt: number; again: boolean; told?: true }
  /** A session that has begun and not ended: look for its container. `first`: it is the first session. */
  | { do: 'adopt'; session: Session['id']; attempt: number; first: boolean }
  | { do: 'verify'; attempt: number }
  | { do: 'publish'; attempt: number; commit: string }
  /** The last session ended badly, and the execution ends in the same way. */
  | { do: 'end_as_session'; session: Session['id'] }
  | { do: 'end'; because: 'attempts_used' | 'sessions_used' | 'command_missing' | 'not_checked' | 'conflict' }

/** Every shell's exit code for a missing command: another attempt would not find it either. */
export const COMMAND_NOT_FOUND = 127

/** The tool of Beadloom's own checks, whose results never change in a re-check. */
export const OWN_CHECKS = 'beadloom'

/** The name of the check that verified work can be merged with the new commits of the work branch. */
export const JOINED = 'joined'

/** The most times that an execution's agent is asked to join its work with others'; each may be an extra attempt. */
export const MOST_JOINS = 2

/** Whether the work conflicted with newly merged work. */
export const isConflict = ({ name, tool, passed }: Pick<Verification, 'name' | 'tool' | 'passed'>): boolean =>
  name === JOINED && tool === OWN_CHECKS && !passed

/** The tool of a model's opinion: nobody repeats the question until the answer fits. */
export const JUDGE = 'judge'

export function nextStep(history: History): NextStep {
  const work = history.sessions.filter(({ kind }) => kind === 'work')
  const last = work.at(-1)
  const isUnread = (history.unread ?? 0) > 0
  if (!last) {
    if (!history.checksFirst) return session(history, 1, false)
    return isUnread ? told(history) : afterSession(history, 1)
  }
  if (last.state !== 'ended') return { do: 'adopt', session: last.id, attempt: last.attempt, first: work.length === 1 }
  if (last.outcome === 'infra_error' || isRetried(work, history.answered)) return session(history, last.attempt, true)
  if (isUnread && (last.outcome === 'success' || last.outcome === 'blocked')) return told(history)
  if (last.outcome !== 'success') return { do: 'end_as_session', session: last.id }
  return afterSession(history, last.attempt)
}

/** An agent reads what was said, in an attempt that has no results of checks yet. */
const told = ({ sessions, verifications }: History): NextStep => {
  const work = sessions.filter(({ kind }) => kind === 'work')
  const attempt = Math.max(0, ...[...work, ...verifications].map((one) => one.attempt)) + 1
  return { do: 'work', attempt, again: false, told: true }
}

/** Whether the last of these agent sessions has failed by itself and its retry is decided. */
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

/** Whether everything passed that could run: another attempt would not find out more. */
const isUnchecked = ({ verifications }: History, attempt: number): boolean => {
  const failures = failuresOf(verifications, attempt)
  return failures.length > 0 && failures.every(({ name, tool }) => name === CHECKED && tool === OWN_CHECKS)
}

/** The work is good by itself, so the project's number of attempts does not count here. */
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
 * The same after attempts that belong to the phases of a plan. Their work is checked first, and attempts count from
 * there.
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
 * because a flaky test should not cost an attempt. Results that cannot change are not repeated.
 *
 * @param commit counts only results for this commit: a merge is made again whenever the work branch has moved
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
  // All rows of one verification are stored together, so nobody takes a part for the whole.
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
