import type { Session } from '@beadloom/core/execution/session.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import { resultReasons, type ResultReason } from '@beadloom/core/log/event-line.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** How a session ended, from what is stored: for a server that was not there when it did. */
export function endedSession(
  { id, deps: { store } }: LiveExecution,
  session: SessionId,
): Pick<Session, 'outcome' | 'detail'> & { reason: ResultReason | null } {
  const stored = store.session(session)
  if (!stored) throw new Error(`there is no session ${session}`)
  const last = store.lastEvent(id, 'result')
  const said = last?.session === session ? (last.data as { reason?: unknown }).reason : null
  return { outcome: stored.outcome, detail: stored.detail, reason: resultReasons.find((one) => one === said) ?? null }
}
