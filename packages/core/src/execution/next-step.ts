import type { Session } from './session.ts'
import type { Verification, VerificationPurpose } from './verification.ts'

/*
 * What an execution does next, from what the store knows of it alone: so it goes on in the same way after a session, a
 * failed run and a restart of the server.
 */

export type History = {
  maxAttempts: number
  /** Sessions of agents that the execution may have, over all layers. */
  maxSessions: number
  /** In order; other kinds than `work` do not matter here. */
  sessions: readonly Pick<Session, 'id' | 'kind' | 'attempt' | 'state' | 'outcome'>[]
  /** In order. */
  verifications: readonly Verification[]
}

export type NextStep =
  /** A session of an agent. `again`: its last session of this attempt broke without a result. */
  | { do: 'work'; attempt: number; again: boolean }
  /** A session that has begun and not ended: its container is looked for. */
  | { do: 'adopt'; session: Session['id']; attempt: number }
  | { do: 'verify'; attempt: number }
  | { do: 'publish'; attempt: number; commit: string }
  /** The last session did not end well: the execution ends as it did. */
  | { do: 'settle'; session: Session['id'] }
  | { do: 'end'; because: 'attempts_used' | 'sessions_used' | 'command_missing' }

/** As every shell says it: another attempt would not find the command either. */
export const COMMAND_NOT_FOUND = 127

/** What Beadloom itself checks is the same each time it looks. */
export const OWN_CHECKS = 'beadloom'

export function nextStep(history: History): NextStep {
  const work = history.sessions.filter(({ kind }) => kind === 'work')
  const last = work.at(-1)
  if (!last) return session(history, 1, false)
  if (last.state !== 'ended') return { do: 'adopt', session: last.id, attempt: last.attempt }
  if (last.outcome === 'infra_error') return session(history, last.attempt, true)
  if (last.outcome !== 'success') return { do: 'settle', session: last.id }
  return afterSession(history, last.attempt)
}

function afterSession(history: History, attempt: number): NextStep {
  const own = judge(history.verifications, attempt, 'attempt')
  if (own.is === 'open') return { do: 'verify', attempt }
  if (own.is === 'missing') return { do: 'end', because: 'command_missing' }
  if (own.is === 'failed') return another(history, attempt)
  const candidate = history.verifications.findLast((row) => row.attempt === attempt && row.purpose === 'merge')
  const merged = candidate ? judge(history.verifications, attempt, 'merge', candidate.commit) : null
  if (merged?.is === 'failed') return another(history, attempt)
  if (merged?.is === 'missing') return { do: 'end', because: 'command_missing' }
  return { do: 'publish', attempt, commit: own.commit }
}

const another = (history: History, attempt: number): NextStep =>
  attempt >= history.maxAttempts ? { do: 'end', because: 'attempts_used' } : session(history, attempt + 1, false)

function session(history: History, attempt: number, again: boolean): NextStep {
  const used = history.sessions.filter(({ kind }) => kind === 'work').length
  return used >= history.maxSessions ? { do: 'end', because: 'sessions_used' } : { do: 'work', attempt, again }
}

export type Judgement =
  /** Not decided: this run of the verification comes next. */
  { is: 'open'; run: number } | { is: 'passed'; commit: string } | { is: 'failed' } | { is: 'missing' }

/**
 * Whether an attempt's commit is verified. A failed run is repeated once on the same commit before it counts, because a
 * flaky test should not cost an attempt; what cannot change is not repeated.
 *
 * @param commit only what was said of this one: a merge is made anew whenever the work branch has moved
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
  // Rows of one run are stored together, so that a part of them is never taken for the whole.
  const runs = [1, 2].map((run) => rows.filter((row) => row.run === run))
  for (const [at, steps] of runs.entries()) {
    if (steps.length === 0) return { is: 'open', run: at + 1 }
    const failed = steps.filter(({ passed }) => !passed)
    if (failed.length === 0) return { is: 'passed', commit: steps[0]!.commit }
    if (failed.some(({ exitCode }) => exitCode === COMMAND_NOT_FOUND)) return { is: 'missing' }
    if (failed.some(({ tool }) => tool === OWN_CHECKS)) return { is: 'failed' }
  }
  return { is: 'failed' }
}

/** The rows that speak for an attempt that failed: those of its last run that did not pass. */
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
