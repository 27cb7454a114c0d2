import { join } from 'node:path'
import { executionOf } from '@beadloom/core/records/ids.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'

/** `marks`, `styles` and `agent` may be missing. */
export type LogPaths = { folder: string; log: string; index: string; marks: string; styles: string; agent: string }

/**
 * `{folder}/{execution}/{number}.log`, its index `.idx`, its lines' times `.marks`, its blocks' styles `.styles`, and
 * the agent's own output `.agent`. Ids are parsed before they get here, so they are safe as file names.
 */
export function logPaths(folder: string, session: SessionId): LogPaths {
  const execution = executionOf(session)
  const number = session.slice(execution.length + 1)
  const own = join(folder, execution)
  const file = (ending: string) => join(own, `${number}.${ending}`)
  return {
    folder: own,
    log: file('log'),
    index: file('idx'),
    marks: file('marks'),
    styles: file('styles'),
    agent: file('agent'),
  }
}
