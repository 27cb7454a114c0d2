import { stat } from 'node:fs/promises'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { readAt, withFile } from './files/file-bytes.ts'
import { logPaths } from './files/log-paths.ts'

/** Reads the last bytes of a log as text, from the start of a line; null: there is none. */
export async function logEnd(folder: string, session: SessionId, mostBytes: number): Promise<string | null> {
  const { log } = logPaths(folder, session)
  try {
    const { size } = await stat(log)
    const from = Math.max(0, size - mostBytes)
    const bytes = await withFile(log, (handle) => readAt(handle, from, size - from))
    return (from === 0 ? bytes : bytes.subarray(bytes.indexOf('\n') + 1)).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
