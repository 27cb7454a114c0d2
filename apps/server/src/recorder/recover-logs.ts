import { open, readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidInput, parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { unrecorded, type SessionStore } from '../ports/store/sessions.ts'
import { LineIndex, entryCount, entryPosition, type LogPosition } from './files/line-index.ts'
import { logPaths } from './files/log-paths.ts'

type RecoverStore = Pick<SessionStore, 'checkpoint' | 'commitRecord' | 'session'>

const NEWLINE = 10
const READ_BYTES = 1024 ** 2

/**
 * After any kind of stop: makes each log end at its checkpoint, with the matching index. Bytes that were written but
 * not committed are cut off; bytes that a power cut took from the disk are subtracted from the checkpoint.
 */
export async function recoverLogs(folder: string, store: RecoverStore): Promise<void> {
  for (const session of await sessionsIn(folder)) await recoverLog(folder, session, store)
}

async function sessionsIn(folder: string): Promise<SessionId[]> {
  const found: SessionId[] = []
  for (const name of await namesIn(folder)) {
    try {
      const execution = parseExecutionId(name)
      for (const file of await namesIn(join(folder, name))) {
        const number = /^([1-9]\d{0,3})\.log$/.exec(file)?.[1]
        if (number) found.push(sessionIdOf(execution, Number(number)))
      }
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error // a foreign folder is left alone
    }
  }
  return found
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function recoverLog(folder: string, session: SessionId, store: RecoverStore): Promise<void> {
  if (!store.session(session)) return // it belongs to another data folder, or to a project that was removed
  const paths = logPaths(folder, session)
  const checkpoint = store.checkpoint(session) ?? unrecorded
  const { size } = await stat(paths.log)
  let end: LogPosition = checkpoint
  if (size > checkpoint.logBytes) await truncate(paths.log, checkpoint.logBytes)
  const indexSize = entryPosition(entryCount(checkpoint.logLines))
  const index = await stat(paths.index).catch(() => null)
  if (size < checkpoint.logBytes || (index?.size ?? 0) < indexSize) {
    end = await rebuild(paths.log, paths.index)
    if (end.logBytes !== checkpoint.logBytes || end.logLines !== checkpoint.logLines)
      await store.commitRecord(session, { ...checkpoint, ...end }, [])
  } else if (index && index.size > indexSize) await truncate(paths.index, indexSize)
}

/** Reads the whole log: it ends with its last complete line. */
async function rebuild(log: string, index: string): Promise<LogPosition> {
  const lines = new LineIndex()
  let whole = 0
  const handle = await open(log, 'r+')
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, lines.bytes)
      if (bytesRead === 0) break
      const bytes = buffer.subarray(0, bytesRead)
      const last = bytes.lastIndexOf(NEWLINE)
      if (last !== -1) whole = lines.bytes + last + 1
      lines.append(bytes)
    }
    await handle.truncate(whole)
  } finally {
    await handle.close()
  }
  await writeFile(index, lines.take(), { mode: 0o600 })
  return { logBytes: whole, logLines: lines.lines }
}
