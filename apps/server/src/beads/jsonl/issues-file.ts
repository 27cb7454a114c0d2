import { createHash, type Hash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { link, lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import { ISSUES_FILE, MAX_ISSUES_BYTES, TrackerError, type TrackerFile } from '../../ports/tracker.ts'
import { withOwn } from '../own-folder.ts'
import type { Splice } from './edit-file.ts'
import { codeOf, lockTracker } from './tracker-lock.ts'

/** About a millisecond's work for its reader. */
const PIECE = 1024 ** 2
/** If others rewrite the file this often in a row, the change is tried again later. */
const MOST_TRIES = 10
/** A file that seems to be written in place counts as whole when it has not changed for this long. */
const QUIET_MS = 2_000
/** The most times that we wait for that; then the file is read at another time. */
const MOST_LOOKS = 3

/** Computes the changes of the file, in the order of its bytes; must read all of them. */
type Edit = (pieces: AsyncIterable<Uint8Array>) => Promise<readonly Splice[]>

/** The file's name in `.beads`. */
const NAME = basename(ISSUES_FILE)

/** A working tree, and which folder its `.beads` was when it was found (`OwnFolder.key`). */
export type Place = { folder: string; key?: string | null }

/** A stamp that changes whenever the file does; null if there is no file. Cheap enough for polling. */
export async function issuesStamp({ folder, key }: Place): Promise<string | null> {
  try {
    return await withOwn(folder, async (own) => own && stampOf(await lstat(join(own.at, NAME))), key)
  } catch {
    return null
  }
}

const stampOf = ({ mtimeMs, size, ino }: { mtimeMs: number; size: number; ino: number }): string =>
  `${mtimeMs}:${size}:${ino}`

/**
 * The tracker's file of a working tree, or null if it has none. The folder may contain anything: only a regular file is
 * read, never a link, never a pipe that would block. Throws `TrackerError`.
 *
 * @param last the stamp of the file at the last reading, which shows if it is being written; null: not read before
 */
export async function readIssuesFile(place: Place, clock: Clock, last: string | null): Promise<TrackerFile | null> {
  const file = await withOwn(place.folder, async (own) => own && (await openIssues(own.at)), place.key)
  if (file === null) return null
  try {
    await untilWhole(file, clock, last)
  } catch (error) {
    await file.close()
    throw error
  }
  return { pieces: () => steadyPieces(file), close: () => file.close() }
}

/**
 * Waits until the file is whole: a program may truncate it and write it again slowly. Half a file would remove beads
 * that are back a moment later.
 */
async function untilWhole(file: FileHandle, clock: Clock, last: string | null): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const info = await file.stat()
    if (last === null || stampOf(info) === last || !(await seemsCut(file, info, last))) return
    await clock.sleep(QUIET_MS)
    if (stampOf(await file.stat()) === stampOf(info)) return
  }
  throw new TrackerError('busy', `${ISSUES_FILE} is being written; it is read again`)
}

/** Whether it is the same file but shorter than before, or its last line has no end. */
async function seemsCut(file: FileHandle, { size, ino }: Stats, last: string): Promise<boolean> {
  const [, before, same] = last.split(':').map(Number)
  if (ino !== same) return false
  if (before !== undefined && size < before) return true
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 1 && buffer[0] !== 0x0a
}

/** Throws if the file was written meanwhile: most programs truncate it first, and nobody means the state in between. */
async function* steadyPieces(file: FileHandle): AsyncGenerator<Uint8Array> {
  const before = await file.stat()
  yield* piecesIn(file)
  const { size, mtimeMs } = await file.stat()
  if (size !== before.size || mtimeMs !== before.mtimeMs)
    throw new TrackerError('busy', `${ISSUES_FILE} was changed while it was read; it is read again`)
}

/** The file, up to its size at the start. */
async function* piecesIn(file: FileHandle): AsyncGenerator<Uint8Array> {
  const { size } = await file.stat()
  const buffer = Buffer.allocUnsafeSlow(PIECE)
  const end = Math.min(size, MAX_ISSUES_BYTES)
  for (let at = 0; at < end;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE, end - at), at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/**
 * Replaces the file with the result of `edit`, completely or not at all, even if the machine stops in the middle. If
 * another program writes the file meanwhile, `edit` is called again with the new content, any number of times. False if
 * there is no file. Throws `TrackerError`.
 */
export function rewriteIssues({ folder, key }: Place, clock: Clock, edit: Edit): Promise<boolean> {
  return withOwn(
    folder,
    async (own) => {
      if (own === null) throw new TrackerError('broken', `${join(folder, '.beads')} is not there`)
      const unlock = await lockTracker(own, clock)
      try {
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          const done = await tryRewrite(own.at, edit)
          if (done !== null) return done
        }
        throw new TrackerError('busy', `${ISSUES_FILE} was rewritten by somebody else ${MOST_TRIES} times in a row`)
      } finally {
        await unlock()
      }
    },
    key,
  )
}

/** Null if another program wrote the file meanwhile, so that it must be tried again. */
async function tryRewrite(beads: string, edit: Edit): Promise<boolean | null> {
  const file = await openIssues(beads)
  if (file === null) return false
  try {
    const before = createHash('sha256')
    const splices = await edit(hashed(piecesIn(file), before))
    if (splices.length === 0) return true
    return await replaceFile(join(beads, NAME), splices, file, before.digest('hex'))
  } finally {
    await file.close()
  }
}

async function* hashed(pieces: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

async function digestOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of piecesIn(file)) hash.update(piece)
  return hash.digest('hex')
}

/**
 * The old file keeps a second name until nobody can have written to it unseen. If a program had it open and wrote to it
 * between the last check and the rename, it is put back in place, and our change is tried again on top.
 */
async function replaceFile(
  path: string,
  splices: readonly Splice[],
  file: FileHandle,
  before: string,
): Promise<true | null> {
  const part = join(dirname(path), `.issues.jsonl.${process.pid}.part`)
  const former = join(dirname(path), `.issues.jsonl.${process.pid}.former`)
  const remove = (name: string) => unlink(name).catch(() => {})
  try {
    if ((await writePart(part, splices, file)) !== before) return null
    await remove(former) // left by a server that died while writing
    await link(path, former)
    const { ino } = await lstat(former)
    if (ino !== (await file.stat()).ino || (await digestOf(file)) !== before) return null
    await rename(part, path)
    await syncFolder(dirname(path))
    if ((await digestOf(file)) === before) return true
    await rename(former, path)
    return null
  } finally {
    await remove(part)
    await remove(former)
  }
}

/** Writes the new file with the owner and mode of the old one; returns the digest of the bytes read from that. */
async function writePart(part: string, splices: readonly Splice[], like: FileHandle): Promise<string> {
  const { mode, uid, gid } = await like.stat()
  await unlink(part).catch(() => {})
  const file = await open(part, 'wx', mode & 0o777)
  try {
    const hash = createHash('sha256')
    for await (const piece of spliced(hashed(piecesIn(like), hash), splices)) await file.writeFile(piece)
    await file.chmod(mode & 0o777)
    await file.chown(uid, gid).catch(() => {})
    await file.sync()
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

/** The file's pieces with the splices applied. */
async function* spliced(pieces: AsyncIterable<Uint8Array>, splices: readonly Splice[]): AsyncGenerator<Uint8Array> {
  /** The start of the next piece, and the end of the part that is done. */
  let [start, done, next] = [0, 0, 0]
  for await (const piece of pieces) {
    const end = start + piece.length
    for (let splice = splices[next]; splice !== undefined && splice.at < end; splice = splices[(next += 1)]) {
      if (splice.at > done) yield piece.subarray(Math.max(0, done - start), splice.at - start)
      yield splice.bytes
      done = splice.at + splice.length
    }
    if (done < end) yield piece.subarray(Math.max(0, done - start))
    done = Math.max(done, end)
    start = end
  }
  for (const { bytes } of splices.slice(next)) yield bytes
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  await handle.sync().catch(() => {}) // not every file system supports it
  await handle.close()
}

async function openIssues(beads: string): Promise<FileHandle | null> {
  let file
  try {
    file = await open(join(beads, NAME), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw new TrackerError('broken', `${ISSUES_FILE} cannot be read (${codeOf(error)})`, { cause: error })
  }
  const info = await file.stat()
  const problem = !info.isFile()
    ? `${ISSUES_FILE} is not a regular file`
    : info.size > MAX_ISSUES_BYTES
      ? `${ISSUES_FILE} has ${info.size} bytes; Beadloom reads at most ${MAX_ISSUES_BYTES}`
      : null
  if (problem === null) return file
  await file.close()
  throw new TrackerError('broken', problem)
}
