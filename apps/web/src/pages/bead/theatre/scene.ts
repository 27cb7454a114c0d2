import type { ExecutionView } from '@beadloom/core/api/api.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import { attemptsOf, type Attempt } from '../attempts/attempts.ts'
import { pickSession } from '../tabs/pick-session.ts'

/** One attempt as it is shown: its log, its change, and what led to it. */
export type Scene = {
  execution: ExecutionView
  attempt: Attempt
  /** Whose log is shown. Null: it has none. */
  session: Session | null
  /** From 1, in the order in which they ran. */
  place: number
  of: number
  before: Attempt | null
  after: Attempt | null
  /** Its change, against the attempt before or the base. Null while its commit is not known. */
  range: { key: string; from: string; to: string } | null
}

/** What an address names: the execution of the session, else the newest one; an attempt that it does not have is its last. */
export function sceneOf(
  executions: readonly ExecutionView[],
  wanted: { attempt: number; session: string | undefined },
): Scene | null {
  const named = executions.find(({ sessions }) => sessions.some(({ id }) => id === wanted.session))
  const execution = named ?? executions[0]
  if (execution === undefined) return null
  const attempts = attemptsOf(execution).toReversed()
  const found = attempts.findIndex(({ number }) => number === wanted.attempt)
  const at = found < 0 ? attempts.length - 1 : found
  const attempt = attempts[at]
  if (attempt === undefined) return null
  // What its agent did is the story; what failed then is told above it.
  const agents = attempt.sessions.filter(({ kind }) => kind === 'work')
  const asked = attempt.sessions.find(({ id }) => id === wanted.session)
  const own = pickSession([{ ...execution, sessions: agents.length > 0 ? agents : attempt.sessions }], undefined)
  const to = commitOf(attempt)
  const earlier = attempts.slice(0, at).findLast((one) => commitOf(one) !== null)
  const from = (earlier && commitOf(earlier)) ?? execution.baseCommit
  return {
    execution,
    attempt,
    session: asked ?? own?.session ?? null,
    place: at + 1,
    of: attempts.length,
    before: attempts[at - 1] ?? null,
    after: attempts[at + 1] ?? null,
    range: to === null || from === null ? null : { key: `attempt ${attempt.number}`, from, to },
  }
}

/** The commit that its checks were of. */
const commitOf = ({ checks }: Attempt): string | null =>
  checks.find(({ purpose, commit }) => purpose === 'attempt' && commit !== '')?.commit ?? null
