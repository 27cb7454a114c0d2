import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { agentExit } from '@beadloom/core/execution/session-order.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { EventLine, resultReasons } from '@beadloom/core/log/event-line.ts'
import type { Recorded } from '../ports/recorder.ts'
import { failed, type SessionEnd } from '../execution/ends.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { UNSEEN } from './judge-session.ts'

/** Tells from the store how a session ended, for a server that was not there. */
export function endedSession({ id, deps: { store } }: LiveExecution, session: SessionId): SessionEnd {
  const stored = store.session(session)
  if (!stored) throw new Error(`there is no session ${session}`)
  const { outcome, detail, cause = null } = stored
  const told = (store.sessionEvent(id, session, 'result')?.data ?? {}) as Record<string, unknown>
  const reason = resultReasons.find((one) => one === told['reason']) ?? null
  const exitCode = told['exitCode']
  return { outcome, detail, reason, exitCode: typeof exitCode === 'number' ? exitCode : null, cause }
}

/** The end that follows from a session that broke before this server started: nothing has been decided yet. */
export function endOfBroken(
  { cause, exitCode, detail }: Pick<Session, 'cause' | 'exitCode' | 'detail'>,
  limitBytes: number,
): ExecutionEnd {
  if (cause === 'out_of_memory') return failed({ kind: 'out_of_memory', limitBytes })
  if (cause === 'stopped_outside') return failed({ kind: 'stopped_outside' })
  if (exitCode === agentExit.success) return failed({ kind: 'result_lost' })
  if (exitCode !== null) return failed({ kind: 'agent_crashed', exitCode })
  return failed(
    detail === UNSEEN ? { kind: 'supervisor_killed' } : { kind: 'container_lost', why: detail.replace(/\.$/, '') },
  )
}

/** The session's own result; null if it gave none, or an older version recorded less of it. */
export function resultOf({ id, deps: { store } }: LiveExecution, session: SessionId): Recorded['result'] {
  const said = store.sessionEvent(id, session, 'result')
  if (!said) return null
  const parsed = EventLine.safeParse({ n: 1, at: said.at, type: 'result', ...(said.data as object) })
  return parsed.success && parsed.data.type === 'result' ? parsed.data : null
}
