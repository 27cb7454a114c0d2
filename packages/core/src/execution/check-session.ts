import type { RedGreen } from '../records/red-green.ts'
import type { Session, SessionOutcome } from '../records/session.ts'
import type { Verification, VerificationPurpose } from '../records/verification.ts'

type Known = {
  sessions: readonly Pick<Session, 'id' | 'kind' | 'attempt'>[]
  verifications: readonly Pick<Verification, 'session' | 'attempt' | 'purpose' | 'run' | 'passed'>[]
  redGreen?: Pick<RedGreen, 'session'>
}

type Found = Pick<Verification, 'session' | 'passed'>

/**
 * The verification of a session: of an attempt's commit or of its merge, with `repeated` if it repeats a failed one on
 * the same commit; of the new tests alone on the start commit (`start`); or with changed tests as they were before the
 * work (`original`), which has no results of its own. Null for every other session. Before a session has results, the
 * sessions before it decide.
 */
export function checkOfSession(
  session: Pick<Session, 'id' | 'kind' | 'attempt' | 'outcome'>,
  { sessions, verifications, redGreen }: Known,
): { purpose: VerificationPurpose | 'start' | 'original'; repeated: boolean } | null {
  if (session.kind !== 'verify') return null
  const own = verifications.find((row) => row.session === session.id)
  if (own) return { purpose: own.purpose, repeated: own.run > 1 }
  if (redGreen?.session === session.id) return { purpose: 'start', repeated: false }
  const at = sessions.findIndex(({ id }) => id === session.id)
  const before = new Set(sessions.slice(0, at < 0 ? sessions.length : at).map(({ id }) => id))
  const rows = verifications.filter((row) => row.attempt === session.attempt && before.has(row.session))
  const last = rows.at(-1)
  if (!last) return { purpose: 'attempt', repeated: false }
  if (session.outcome === 'success' || session.outcome === 'failed') return { purpose: 'original', repeated: false }
  const failed = rows.some((row) => row.session === last.session && !row.passed)
  return failed ? { purpose: last.purpose, repeated: last.run === 1 } : { purpose: 'merge', repeated: false }
}

/**
 * The outcome of a session; null while it runs. For a session of checks their results decide, not its commands' exit
 * codes: some tests have to fail, and Beadloom's own check may refuse work although all commands passed.
 */
export function cameTo(
  { id, kind, outcome }: Pick<Session, 'id' | 'kind' | 'outcome'>,
  { verifications, redGreen }: Pick<Known, 'redGreen'> & { verifications: readonly Found[] },
): SessionOutcome | null {
  if (kind !== 'verify' || (outcome !== 'success' && outcome !== 'failed')) return outcome
  if (redGreen?.session === id) return 'success'
  const own = verifications.filter(({ session }) => session === id)
  if (own.length === 0) return outcome
  return own.every(({ passed }) => passed) ? 'success' : 'failed'
}

/** "of the merge, flakiness re-check"; '' for a first verification of an attempt, and for every other session. */
export function checkWords(session: Parameters<typeof checkOfSession>[0], known: Known): string {
  const check = checkOfSession(session, known)
  if (check === null) return ''
  const of = {
    attempt: '',
    merge: 'of the merge',
    start: 'of the new tests without the change',
    original: 'with the tests as they were',
  }[check.purpose]
  return [of, check.repeated ? 'flakiness re-check' : ''].filter((part) => part !== '').join(', ')
}
