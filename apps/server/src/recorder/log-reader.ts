import { stat, type FileHandle } from 'node:fs/promises'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { BLOCK_LINES } from '../ports/logs.ts'
import type { LogReader, LogSlice, LogState } from '../ports/logs.ts'
import type { SessionStore } from '../ports/store/sessions.ts'
import { BlockStyles } from './block-styles.ts'
import { countLines } from './files/control-bytes.ts'
import { readAt, wholeLines, withFile } from './files/file-bytes.ts'
import { entryPosition, readEntry } from './files/line-index.ts'
import { logPaths } from './files/log-paths.ts'
import type { LogPaths } from './files/log-paths.ts'
import { readMarks } from './read-marks.ts'
import type { SessionLog } from './session-log.ts'

const NEWLINE = 10
const SCAN_BYTES = 64 * 1024
/** Remembered ends of earlier reads: a reader that follows a log asks for the line after its last one. */
const REMEMBERED = 256

export type LogReaderDeps = {
  folder: string
  store: Pick<SessionStore, 'checkpoint' | 'session'>
  /** The log while it is being written. */
  live: (session: SessionId) => SessionLog | null
  onGrow: LogReader['onGrow']
  report: (error: unknown) => void
}

/** Reads by position only: one index entry, at most one block of lines up to the first wanted one, then the lines. */
export function createLogReader({ folder, store, live, onGrow, report }: LogReaderDeps): LogReader {
  const styles = new BlockStyles({ live: (session) => live(session) !== null, report })
  const offsets = new Map<string, number>()
  const key = (session: SessionId, line: number) => `${session}:${line}`

  const remember = (session: SessionId, line: number, offset: number) => {
    offsets.delete(key(session, line))
    offsets.set(key(session, line), offset)
    if (offsets.size > REMEMBERED) offsets.delete(offsets.keys().next().value!)
  }

  const state = (session: SessionId): LogState | null => {
    const log = live(session)
    if (log && !log.committedComplete) {
      // Every follower asks this with every piece, so the store is not read; the log's end is not known yet anyway.
      const { logLines, logBytes } = log.committed
      return { lines: logLines, bytes: logBytes, complete: false, partial: log.partial(), exit: null }
    }
    const checkpoint = store.checkpoint(session)
    if (!checkpoint) return null
    const { logLines, logBytes } = log?.committed ?? checkpoint
    const row = store.session(session)
    return {
      lines: logLines,
      bytes: logBytes,
      // A session that ended with an unfinished record (its server was killed) gets no more lines either.
      complete: checkpoint.complete || (!log && row?.state === 'ended'),
      partial: log?.partial() ?? '',
      exit: row?.exitCode ?? null,
    }
  }

  const locate = async (session: SessionId, paths: LogPaths, handle: FileHandle, line: number, at: LogState) => {
    if (line >= at.lines) return at.bytes
    const known = offsets.get(key(session, line))
    if (known !== undefined) return known
    const start = await entryOf(paths, Math.floor(line / BLOCK_LINES))
    return skipLines(handle, start, line % BLOCK_LINES, at.bytes)
  }

  const read: LogReader['read'] = async (session, line, maxBytes) => {
    const at = state(session)
    if (!at || line >= at.lines) return { firstLine: line, count: 0, text: Buffer.alloc(0) }
    const slice = (offset: number, text: Buffer): LogSlice => {
      const count = countLines(text)
      remember(session, line + count, offset + text.length)
      return { firstLine: line, count, text }
    }
    const known = offsets.get(key(session, line))
    const fresh = known === undefined ? null : freshLines(live(session), known, Math.min(known + maxBytes, at.bytes))
    if (known !== undefined && fresh) return slice(known, fresh)
    const paths = logPaths(folder, session)
    return withFile(paths.log, async (handle) => {
      const offset = await locate(session, paths, handle, line, at)
      return slice(offset, await wholeLines(handle, offset, maxBytes, at.bytes))
    })
  }

  const bytes: LogReader['bytes'] = async (session, from, length) => {
    const at = state(session)
    const end = Math.min(at?.bytes ?? 0, from + length)
    if (!at || end <= from) return Buffer.alloc(0)
    return withFile(logPaths(folder, session).log, (handle) => readAt(handle, from, end - from))
  }

  const offsetOf: LogReader['offsetOf'] = async (session, line) => {
    const at = state(session)
    if (!at || line >= at.lines) return at?.bytes ?? 0
    const paths = logPaths(folder, session)
    return withFile(paths.log, (handle) => locate(session, paths, handle, line, at))
  }

  const marks: LogReader['marks'] = async (session, from, to) =>
    readMarks(logPaths(folder, session).marks, from, Math.min(to, state(session)?.lines ?? 0))

  const styleAt: LogReader['styleAt'] = async (session, block) =>
    block * BLOCK_LINES > (state(session)?.lines ?? -1) ? null : styles.of(session, logPaths(folder, session), block)

  const agentSize: LogReader['agentSize'] = (session) => sizeOf(logPaths(folder, session).agent)
  const agentBytes: LogReader['agentBytes'] = (session, from, length) =>
    withFile(logPaths(folder, session).agent, (handle) => readAt(handle, from, length))

  return { state, read, bytes, offsetOf, marks, styleAt, agentSize, agentBytes, onGrow }
}

const entryOf = (paths: LogPaths, block: number): Promise<number> =>
  withFile(paths.index, async (handle) => readEntry(await readAt(handle, entryPosition(block), entryPosition(1))))

/** The position after so many newlines. */
async function skipLines(handle: FileHandle, from: number, lines: number, end: number): Promise<number> {
  let position = from
  let left = lines
  while (left > 0 && position < end) {
    const bytes = await readAt(handle, position, Math.min(SCAN_BYTES, end - position))
    if (bytes.length === 0) break
    let at = 0
    while (left > 0 && (at = bytes.indexOf(NEWLINE, at) + 1) > 0) left -= 1
    if (left === 0) return position + at
    position += bytes.length
  }
  return position
}

/** The whole lines written last, from memory; null when they have to be read from the file. */
function freshLines(log: SessionLog | null, from: number, to: number): Buffer | null {
  const bytes = log?.recent(from, to) ?? null
  const last = bytes?.lastIndexOf(NEWLINE) ?? -1
  return bytes === null || last === -1 ? null : bytes.subarray(0, last + 1)
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
