import { writeSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OutputReader } from '@beadloom/core/supervisor/output-record.ts'
import { systemClock } from '../../process/clock.ts'
import { tempFolder } from '../../testing/temp-folder.ts'
import { SessionSpool } from '../spool/session-spool.ts'

export const clock = { ...systemClock, now: () => 1_700_000_000_123 }
export async function newSpool(): Promise<SessionSpool> {
  const folder = join(await tempFolder(), 's-1')
  await mkdir(folder)
  return SessionSpool.create(folder, clock)
}

export const write = (spool: SessionSpool, stream: 'stdout' | 'stderr', text: string) =>
  void writeSync(spool.writers[stream], text)

/** Reads everything from `offset` on, `step` bytes at a time, and parses the records in it. */
export function readAll(spool: SessionSpool, offset = 0, step = 32 * 1024) {
  const reader = new OutputReader(offset)
  const bytes: Buffer[] = []
  const records: string[] = []
  const gaps: [number, number][] = []
  for (let at = offset; ;) {
    const piece = spool.read(at, step)
    if (piece.from > at) {
      gaps.push([at, piece.from])
      reader.skipTo(piece.from)
    }
    bytes.push(Buffer.from(piece.bytes))
    for (const { kind, bytes: payload } of reader.take(piece.bytes)) records.push(`${kind} ${Buffer.from(payload)}`)
    at = piece.from + piece.bytes.length
    if (piece.ended || piece.bytes.length === 0)
      return { records, gaps, at, ended: piece.ended, bytes: Buffer.concat(bytes) }
  }
}

/** The spool as the next supervisor finds it, after this one was killed. */
export async function afterKill(spool: SessionSpool): Promise<SessionSpool> {
  const folder = join(await tempFolder(), 's-1')
  await cp(spool.folder, folder, { recursive: true })
  return SessionSpool.open(folder, clock)
}
