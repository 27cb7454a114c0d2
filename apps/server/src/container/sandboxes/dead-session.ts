import { createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rm, type FileHandle } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { finished, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Extract } from 'tar-stream'
import { deadRecords } from '@beadloom/core/supervisor/dead-spool.ts'
import { SessionView } from '@beadloom/core/supervisor/session-control.ts'
import { parseNote, type SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import { parseOrderName } from '@beadloom/core/supervisor/spool-order.ts'
import { EngineError } from '../../ports/engine.ts'
import type { OutputFrame } from '../../ports/sandbox.ts'

/** The most that a session's folder may take on this host: more than a spool can have, less than a disk. */
const MOST_BYTES = 2 * 1024 ** 3
/** For the file with the heads of the records: eleven million of them. */
const MOST_OF_HEADS = 128 * 1024 ** 2
const MOST_OF_A_NOTE = 64 * 1024
const PIECE_BYTES = 64 * 1024

/**
 * A copy of the session's folder on this host, opened: nothing more is needed to read it. `order`: the heads of its
 * records, and the offset at which they begin. `at`: the time given to records that nobody has seen. Null: no such
 * file.
 */
type Copied = {
  folder: string
  files: { stdout: FileHandle | null; stderr: FileHandle | null }
  order: { file: FileHandle; offset: number } | null
  at: number
}

/** A session in a container that has ended, read from its disk. */
export class DeadSession {
  /** The end that the supervisor saw; null: none. */
  readonly end: SessionEnd | null
  readonly #copied: Copied

  private constructor(copied: Copied, end: SessionEnd | null) {
    this.#copied = copied
    this.end = end
  }

  /**
   * Rejects when the stream breaks off, when there is no room for the copy, and when no more files may be opened.
   *
   * @param tar the session's folder, as the engine gives it. Null: it is too large.
   * @param folder the place of the copy; an unfinished one there is removed
   * @param at the time given to records that nobody has seen
   */
  static async read(tar: Readable, folder: string, at: number): Promise<DeadSession | null> {
    const copied: Copied = { folder, files: { stdout: null, stderr: null }, order: null, at }
    const entries = entriesOf(tar) // before the first await: it may break off at any time
    try {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const names = await unpack(entries, folder)
      if (names !== null) return new DeadSession(copied, await endIn(await openCopy(copied, names), names))
      await closeCopy(copied)
      return null
    } catch (error) {
      await closeCopy(copied)
      throw error
    } finally {
      tar.destroy()
    }
  }

  /** The output from an offset of the spool on. */
  async *frames(from: number): AsyncGenerator<OutputFrame, void, undefined> {
    const { files } = this.#copied
    const sizes = { stdout: await sizeOf(files.stdout), stderr: await sizeOf(files.stderr) }
    for await (const records of recordsOf(this.#copied, sizes))
      for (const { kind, start, position, length, at } of records) {
        const file = kind === 'note' ? null : files[kind]
        if (start < from || kind === 'note' || !file) continue
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
        yield { stream: kind, bytes: buffer.subarray(0, bytesRead), at }
      }
  }

  close(): Promise<void> {
    return closeCopy(this.#copied)
  }
}

async function openCopy(copied: Copied, names: readonly string[]): Promise<Copied> {
  const opened = async (name: string) => (names.includes(name) ? open(join(copied.folder, name)) : null)
  copied.files.stdout = await opened('stdout')
  copied.files.stderr = await opened('stderr')
  const orders = names.filter((name) => parseOrderName(name)?.cutting === false)
  const [name = ''] = orders.length === 1 ? orders : []
  const file = await opened(name)
  copied.order = file && { file, offset: parseOrderName(name)?.offset ?? 0 }
  return copied
}

async function closeCopy({ folder, files, order }: Copied): Promise<void> {
  await Promise.all([files.stdout?.close(), files.stderr?.close(), order?.file.close()])
  await rm(folder, { recursive: true, force: true })
}

const sizeOf = async (file: FileHandle | null): Promise<number> => (file ? (await file.stat()).size : 0)

const recordsOf = ({ order, at }: Copied, sizes: { stdout: number; stderr: number }) =>
  deadRecords(order ? piecesOf(order.file) : [], order?.offset ?? 0, sizes, at)

async function* piecesOf(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The end that its supervisor wrote down, or that the last of its notes tells. */
async function endIn(copied: Copied, names: readonly string[]): Promise<SessionEnd | null> {
  const written = names.includes('session.json')
    ? endWritten(await readFile(join(copied.folder, 'session.json')))
    : null
  return written ?? endNoted(copied)
}

function endWritten(bytes: Buffer): SessionEnd | null {
  try {
    const view = SessionView.safeParse(JSON.parse(bytes.toString()))
    return view.success && view.data.state === 'ended' ? view.data.end : null
  } catch {
    return null
  }
}

async function endNoted(copied: Copied): Promise<SessionEnd | null> {
  let end: SessionEnd | null = null
  for await (const records of recordsOf(copied, { stdout: 0, stderr: 0 }))
    for (const { payload } of records) {
      const note = payload && parseNote(Buffer.from(payload).toString())
      if (note?.note === 'ended') end = note.end
    }
  return end
}

type Entry = Extract extends AsyncIterable<infer One> ? One : never

/** Listens from the beginning: a later listener would miss entries and wait for ever. */
function entriesOf(tar: Readable): AsyncIterator<Entry> {
  const entries = extract()
  const each = entries[Symbol.asyncIterator]()
  finished(tar, { writable: false }, (error) => error && entries.destroy(brokenOff(error)))
  tar.pipe(entries)
  return each
}

/** Two streams, the note of the end, and the order of their records in a few pieces. */
const MOST_NAMES = 64

/** Unpacks a session's files and returns their names; null: too large or too many. Links and the like are skipped. */
async function unpack(entries: AsyncIterator<Entry>, folder: string): Promise<string[] | null> {
  const names: string[] = []
  let bytes = 0
  for await (const entry of { [Symbol.asyncIterator]: () => entries }) {
    const name = basename(entry.header.name)
    const { type, size = 0 } = entry.header
    if (type !== 'file' || names.includes(name) || size > mostOf(name)) {
      entry.resume()
      continue
    }
    if ((bytes += size) > MOST_BYTES || names.length >= MOST_NAMES) return null
    names.push(name)
    await pipeline(entry, createWriteStream(join(folder, name), { mode: 0o600 }))
  }
  return names
}

const brokenOff = (cause: Error) =>
  cause instanceof EngineError
    ? cause
    : new EngineError('unreachable', "the files of the session's container broke off", { cause })

/** Bytes that such a file may have; -1: it is no file of a session. */
function mostOf(name: string): number {
  if (name === 'stdout' || name === 'stderr') return MOST_BYTES
  if (name === 'session.json') return MOST_OF_A_NOTE
  return parseOrderName(name) === null ? -1 : MOST_OF_HEADS
}
