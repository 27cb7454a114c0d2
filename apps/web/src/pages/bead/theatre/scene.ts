import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { attemptsOf, type Attempt } from '../attempts/attempts.ts'
import { pickSession } from '../tabs/pick-session.ts'

/** One attempt on stage: its log, its changes, and its background. */
export type Scene = {
  execution: ExecutionView
  attempt: Attempt
  /** The session whose log is shown; null: the attempt has none. */
  session: Session | null
  /** From 1, in the order in which attempts ran. */
  place: number
  of: number
  before: Attempt | null
  after: Attempt | null
  /** Its changes since the previous attempt or the base. Null while its commit is unknown. */
  range: { key: string; from: string; to: string } | null
}

/** The scene for an address: of its session's execution, otherwise the newest; of its attempt, otherwise the last. */
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
  // The agent's session is the story; a failed check is reported above it.
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

/** The commit that its checks ran on. */
const commitOf = ({ checks }: Attempt): string | null =>
  checks.find(({ purpose, commit }) => purpose === 'attempt' && commit !== '')?.commit ?? null
