import { createWriteStream } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { deadRecords } from '@beadloom/core/supervisor/dead-spool.ts'
import { SessionView } from '@beadloom/core/supervisor/session-control.ts'
import { parseNote, type SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import { parseOrderName } from '@beadloom/core/supervisor/spool-order.ts'
import type { OutputFrame } from '../../ports/sandbox.ts'

/** What a session's folder may take on this host: more than a spool can have, less than a disk. */
const MOST_BYTES = 2 * 1024 ** 3
/** Of the file with the heads of the records, which has to be in memory. */
const MOST_OF_HEADS = 128 * 1024 ** 2
const MOST_OF_A_NOTE = 64 * 1024

/**
 * A copy of its folder on this host. `order`: the file with the heads of its records, and the offset at which they begin.
 * `at`: what counts as the time of what nobody had seen.
 */
type Copied = { folder: string; order: { name: string; offset: number } | null; at: number }

/** A session in a container that has ended, as its disk tells of it. */
export class DeadSession {
  /** How the supervisor saw it end; null: it did not. */
  readonly end: SessionEnd | null
  readonly #copied: Copied

  private constructor(copied: Copied, end: SessionEnd | null) {
    this.#copied = copied
    this.end = end
  }

  /**
   * @param tar the session's folder, as the engine gives it. Null: it is none, or too large.
   * @param at what counts as the time of what nobody had seen
   */
  static async read(tar: Readable, at: number): Promise<DeadSession | null> {
    const folder = await mkdtemp(join(tmpdir(), 'beadloom-session-'))
    try {
      const names = await unpack(tar, folder)
      if (names === null) throw new Error('too large')
      const orders = names.flatMap((name) => {
        const found = parseOrderName(name)
        return found && !found.cutting ? [{ name, offset: found.offset }] : []
      })
      const copied = { folder, order: orders.length === 1 ? orders[0]! : null, at }
      const end = names.includes('session.json') ? await endIn(join(folder, 'session.json')) : null
      return new DeadSession(copied, end ?? (await endNoted(copied)))
    } catch {
      await rm(folder, { recursive: true, force: true })
      return null
    }
  }

  /** What was printed from an offset of the spool on. */
  async *frames(from: number): AsyncGenerator<OutputFrame, void, undefined> {
    const { folder } = this.#copied
    const files = { stdout: await open(join(folder, 'stdout')), stderr: await open(join(folder, 'stderr')) }
    try {
      const sizes = { stdout: (await files.stdout.stat()).size, stderr: (await files.stderr.stat()).size }
      for (const { kind, start, position, length, at } of await recordsOf(this.#copied, sizes)) {
        if (start < from || kind === 'note') continue
        const { buffer, bytesRead } = await files[kind].read(Buffer.alloc(length), 0, length, position)
        yield { stream: kind, bytes: buffer.subarray(0, bytesRead), at }
      }
    } finally {
      await Promise.all([files.stdout.close(), files.stderr.close()])
    }
  }

  async close(): Promise<void> {
    await rm(this.#copied.folder, { recursive: true, force: true })
  }
}

async function recordsOf({ folder, order, at }: Copied, sizes: { stdout: number; stderr: number }) {
  if (!order) return []
  const heads = await readFile(join(folder, order.name))
  return heads.length > MOST_OF_HEADS ? [] : deadRecords(heads, order.offset, sizes, at)
}

/** As the last of its notes says. */
async function endNoted(copied: Copied): Promise<SessionEnd | null> {
  let end: SessionEnd | null = null
  for (const { payload } of await recordsOf(copied, { stdout: 0, stderr: 0 })) {
    if (!payload || payload.length > MOST_OF_A_NOTE) continue
    const note = parseNote(Buffer.from(payload).toString())
    if (note?.note === 'ended') end = note.end
  }
  return end
}

/** The files that a session's folder has, by their names; null: they are too large. Links and the like are passed over. */
async function unpack(tar: Readable, folder: string): Promise<string[] | null> {
  const entries = tar.pipe(extract())
  tar.on('error', (error) => void entries.destroy(error))
  const names: string[] = []
  let bytes = 0
  try {
    for await (const entry of entries) {
      const name = basename(entry.header.name)
      if (entry.header.type !== 'file' || !isOfASession(name) || names.includes(name)) {
        entry.resume()
        continue
      }
      if ((bytes += entry.header.size ?? 0) > MOST_BYTES) return null
      names.push(name)
      await pipeline(entry, createWriteStream(join(folder, name), { mode: 0o600 }))
    }
    return names
  } finally {
    tar.destroy()
  }
}

const isOfASession = (name: string): boolean =>
  name === 'stdout' || name === 'stderr' || name === 'session.json' || parseOrderName(name) !== null

async function endIn(file: string): Promise<SessionEnd | null> {
  const bytes = await readFile(file)
  if (bytes.length > MOST_OF_A_NOTE) return null
  try {
    const view = SessionView.safeParse(JSON.parse(bytes.toString()))
    return view.success && view.data.state === 'ended' ? view.data.end : null
  } catch {
    return null
  }
}
