import type { SessionId } from '@beadloom/core/ids.ts'
import { EventLine, resultReasons } from '@beadloom/core/log/event-line.ts'
import type { Recorded } from '../ports/recorder.ts'
import type { SessionEnd } from '../execution/ends.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** How a session ended, from what is stored: for a server that was not there when it did. */
export function endedSession({ id, deps: { store } }: LiveExecution, session: SessionId): SessionEnd {
  const stored = store.session(session)
  if (!stored) throw new Error(`there is no session ${session}`)
  const { outcome, detail, cause = null } = stored
  const told = (store.sessionEvent(id, session, 'result')?.data ?? {}) as Record<string, unknown>
  const reason = resultReasons.find((one) => one === told['reason']) ?? null
  const exitCode = told['exitCode']
  return { outcome, detail, reason, exitCode: typeof exitCode === 'number' ? exitCode : null, cause }
}

/** What the session said at its end; null where it said nothing, or it was recorded by a version that kept less of it. */
export function resultOf({ id, deps: { store } }: LiveExecution, session: SessionId): Recorded['result'] {
  const said = store.sessionEvent(id, session, 'result')
  if (!said) return null
  const parsed = EventLine.safeParse({ n: 1, at: said.at, type: 'result', ...(said.data as object) })
  return parsed.success && parsed.data.type === 'result' ? parsed.data : null
}
