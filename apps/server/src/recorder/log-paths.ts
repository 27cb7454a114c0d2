import { join } from 'node:path'
import { executionOf } from '@beadloom/core/ids.ts'
import type { SessionId } from '@beadloom/core/ids.ts'

export type LogPaths = { folder: string; log: string; index: string }

/** `{folder}/{execution}/{number}.log` and its index `.idx`. Ids are parsed ones, so they are safe as file names. */
export function logPaths(folder: string, session: SessionId): LogPaths {
  const execution = executionOf(session)
  const number = session.slice(execution.length + 1)
  const own = join(folder, execution)
  return { folder: own, log: join(own, `${number}.log`), index: join(own, `${number}.idx`) }
}
