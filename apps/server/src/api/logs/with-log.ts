import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { LogReader, LogState } from '../../ports/logs.ts'
import { Problem } from '../../ports/problem.ts'

/** Calls `use` with the log's state, or answers that there is no log. */
export function withLog<T>(
  logs: Pick<LogReader, 'state'>,
  session: SessionId,
  use: (state: LogState) => T,
): T | Problem {
  const state = logs.state(session)
  return state ? use(state) : new Problem(404, 'not_found', `Session ${session} has no log.`)
}
