import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MOST_OF_A_RECORD } from '@beadloom/core/supervisor/output-record.ts'
import { parseNote, type SessionEnd, type SessionNote } from '@beadloom/core/supervisor/session-note.ts'
import {
  headsFor,
  orderName,
  parseOrder,
  parseOrderName,
  type OrderedRecord,
} from '@beadloom/core/supervisor/spool-order.ts'
import type { Spool, SpoolPiece } from '@beadloom/core/link/spool.ts'
import type { Clock } from '../../process/clock.ts'
import { OrderFile } from './order-file.ts'
import { readRecords, type Streams } from './read-records.ts'
import { endOf, RecordList, type Placed } from './record-list.ts'
import { StreamFile } from './stream-file.ts'

/** So that a server that is away costs no more than a few megabytes here, whatever is written. */
const MOST_WAITING = 16 * 1024

/**
 * The output of one session on the container's disk. Its processes write to two files themselves, so what they have
 * written outlives them, the supervisor and the server; the supervisor only watches the files grow and notes in which
 * order. What is served are records (`packages/core/src/supervisor/output-record.ts`), numbered by offset.
 *
 * What is kept: every byte; the order of the bytes within standard output, and within standard error; the same bytes at
 * the same offset for every reader, also after the supervisor was killed. What is kept as well as it can be: the order
 * between the two streams. It is that in which the supervisor saw them, so it is right for what is written about a
 * millisecond apart on an idle machine; of what it saw at once, standard output comes first. Times are those of the
 * seeing. While a server has 16,384 records to catch up with, nothing more is numbered, so all that comes meanwhile is
 * seen at once. What is not kept: anything over the end of the machine, because nothing is synced to the disk.
 *
 * Its files belong to the session's own user. Whoever cuts or removes them loses his output and nobody else's: what is
 * missing becomes a gap.
 */
export class SessionSpool implements Spool {
  readonly folder: string
  #streams: Streams
  #order: OrderFile
  #records: RecordList
  #clock: Clock
  #acknowledged: number
  #ended = false
  #quiet = false
  /** Said when there is room for them. */
  #notes: SessionNote[] = []
  #last: (SessionNote & { note: 'ended' }) | null = null
  #listeners = new Set<() => void>()

  private constructor(folder: string, clock: Clock, streams: Streams, order: OrderFile, offset: number) {
    this.folder = folder
    this.#clock = clock
    this.#streams = streams
    this.#order = order
    this.#records = new RecordList(offset)
    this.#acknowledged = offset
  }

  /**
   * The folder exists and has nothing but `streams`, if they are given: those that a process was started with. Throws when
   * the disk has no room.
   */
  static create(folder: string, clock: Clock, streams?: Streams): SessionSpool {
    const opened: { close(): void }[] = []
    const kept = <T extends { close(): void }>(file: T): T => (opened.push(file), file)
    try {
      const order = kept(OrderFile.create(folder))
      const stdout = kept(streams?.stdout ?? StreamFile.create(join(folder, 'stdout')))
      const stderr = kept(streams?.stderr ?? StreamFile.create(join(folder, 'stderr')))
      return new SessionSpool(folder, clock, { stdout, stderr }, order, 0)
    } catch (error) {
      for (const file of opened) file.close()
      throw error
    }
  }

  /** What an earlier supervisor left. Nobody writes to it any more. Throws when there is nothing that can be read. */
  static open(folder: string, clock: Clock): SessionSpool {
    const named = readdirSync(folder).flatMap((name) => parseOrderName(name) ?? [])
    const last = named.toSorted((a, b) => b.offset - a.offset)[0]
    if (!last) throw new Error(`there is no spool in ${folder}`)
    if (last.cutting) return SessionSpool.#afterCut(folder, clock, last.offset)
    const { records, length } = parseOrder(readFileSync(join(folder, orderName(last.offset))))
    const streams = { stdout: StreamFile.open(join(folder, 'stdout')), stderr: StreamFile.open(join(folder, 'stderr')) }
    const spool = new SessionSpool(folder, clock, streams, OrderFile.open(folder, last.offset, length), last.offset)
    for (const record of records) spool.#place(record)
    for (const kind of ['stdout', 'stderr'] as const) spool.#records.lose(kind, streams[kind].size())
    const payload = records.at(-1)?.payload
    const note = payload ? parseNote(Buffer.from(payload).toString()) : null
    spool.#quiet = true
    spool.#ended = note?.note === 'ended'
    if (note?.note === 'ended') spool.#last = note
    return spool
  }

  /** Everything below `offset` had been stored, and nothing could be written since. */
  static #afterCut(folder: string, clock: Clock, offset: number): SessionSpool {
    for (const name of readdirSync(folder)) {
      if (parseOrderName(name) || name === 'stdout' || name === 'stderr') rmSync(join(folder, name), { force: true })
    }
    const spool = SessionSpool.create(folder, clock)
    if (offset > 0) spool.#order.restartAt(offset, () => {})
    spool.#records = new RecordList(offset)
    spool.#acknowledged = offset
    return spool
  }

  /** For the session's processes. */
  get writers(): { stdout: number; stderr: number } {
    const { stdout, stderr } = this.#streams
    if (stdout.writer === null || stderr.writer === null) throw new Error('a spool of an earlier supervisor')
    return { stdout: stdout.writer, stderr: stderr.writer }
  }

  get paths(): string[] {
    return [this.#streams.stdout.path, this.#streams.stderr.path]
  }

  get ended(): boolean {
    return this.#ended
  }

  /** What its last record says, or will say. */
  get sessionEnd(): SessionEnd | null {
    return this.#last?.end ?? null
  }

  /** Offsets behind the last record, and behind the last one that a server has stored. */
  get offsets(): { end: number; acknowledged: number } {
    return { end: this.#records.end, acknowledged: this.#acknowledged }
  }

  /** Whether a server has stored all that was written so far. */
  get isStored(): boolean {
    return this.look() && this.#acknowledged >= this.#records.end
  }

  /** Bytes on the disk, whether they were seen already or not. */
  size(): number {
    return this.#streams.stdout.size() + this.#streams.stderr.size() + this.#order.length
  }

  /**
   * Numbers what was written since the last look. False: something new still waits in its file, because the disk has no
   * room to note the order, or because too many records wait for the server.
   */
  look(): boolean {
    if (this.#ended) return true
    const at = this.#clock.now()
    const { fresh, isAll } = this.#unseen(at)
    const notes = isAll ? [...this.#notes, ...(this.#last ? [this.#last] : [])] : []
    fresh.push(...notes.map((note) => recordOf(note, at)))
    if (fresh.length === 0) return isAll
    if (!this.#order.append(fresh)) {
      if (!this.#quiet) return false
      this.#order.giveUp()
    }
    for (const record of fresh) this.#place(record)
    if (isAll) {
      this.#notes = []
      this.#ended = this.#last !== null
    }
    this.#tell()
    return isAll
  }

  /** Whether nobody can write at the moment: then the order is served even where the disk has no room for it. */
  setQuiet(quiet: boolean): void {
    this.#quiet = quiet
  }

  /** Says it in the output, behind what was written so far. */
  note(note: SessionNote): void {
    this.#notes.push(note)
    this.look()
  }

  /** The last record. Call it when nobody can ever write again. */
  end(end: SessionEnd): void {
    this.#quiet = true
    this.#last = { note: 'ended', end }
    this.look()
  }

  read(offset: number, atMost: number): SpoolPiece {
    if (offset >= this.#records.end) this.look()
    const wanted: Placed[] = []
    let from = Math.max(offset, this.#records.start)
    let length = 0
    for (const record of this.#records.from(from)) {
      if (record.lost) {
        if (wanted.length > 0) break
        from = endOf(record)
        continue
      }
      const size = endOf(record) - Math.max(from, record.start)
      if (wanted.length > 0 && length + size > atMost) break
      wanted.push(record)
      length += size
      if (length >= atMost) break
    }
    const bytes = readRecords(this.#streams, wanted, from, length)
    if (!bytes) return this.read(offset, atMost) // the records that are lost are known by now
    const piece = bytes.subarray(0, atMost)
    return { from, bytes: piece, ended: this.#ended && from + piece.length >= this.#records.end }
  }

  watch(grown: () => void): () => void {
    this.#listeners.add(grown)
    return () => void this.#listeners.delete(grown)
  }

  acknowledged(offset: number): void {
    if (!(offset > this.#acknowledged)) return
    this.#acknowledged = Math.min(offset, this.#records.end)
    this.#records.drop(this.#acknowledged)
    this.look() // there may be room for more records now
    this.#tell()
  }

  /** Empties the files. Call it when all of it is stored and everybody who writes to it is stopped. */
  cut(): void {
    if (!this.isStored) throw new Error('a spool is cut only when all of it is stored')
    this.#order.restartAt(this.#records.end, () => {
      this.#streams.stdout.empty()
      this.#streams.stderr.empty()
    })
  }

  close(): void {
    this.#order.close()
    this.#streams.stdout.close()
    this.#streams.stderr.close()
    this.#listeners.clear()
  }

  /** The spool's files; what else is in the folder stays. */
  remove(): void {
    this.close()
    for (const name of existsSync(this.folder) ? readdirSync(this.folder) : []) {
      if (parseOrderName(name) || name === 'stdout' || name === 'stderr')
        rmSync(join(this.folder, name), { force: true })
    }
  }

  #place(record: OrderedRecord): void {
    if (record.kind === 'note') return this.#records.add(record, 0)
    const file = this.#streams[record.kind]
    this.#records.add(record, file.seen)
    file.seen += record.length
  }

  #unseen(at: number): { fresh: OrderedRecord[]; isAll: boolean } {
    const fresh: OrderedRecord[] = []
    let isAll = true
    for (const kind of ['stdout', 'stderr'] as const) {
      const file = this.#streams[kind]
      const size = file.size()
      if (size < file.seen) this.#isCut(kind, size)
      const room = Math.max(0, MOST_WAITING - this.#records.count - fresh.length) * MOST_OF_A_RECORD
      fresh.push(...headsFor(kind, at, Math.min(size - file.seen, room)))
      isAll &&= size - file.seen <= room
    }
    return { fresh, isAll }
  }

  #isCut(stream: 'stdout' | 'stderr', size: number): void {
    const file = this.#streams[stream]
    this.#notes.push({ note: 'cut', stream, bytes: file.seen - size })
    this.#records.lose(stream, size)
    file.seen = size
  }

  /** To those who listen now: one that asks for more at once listens anew. */
  #tell(): void {
    Array.from(this.#listeners).forEach((grown) => grown())
  }
}

const recordOf = (note: SessionNote, at: number): OrderedRecord => {
  const payload = Buffer.from(JSON.stringify(note))
  return { kind: 'note', at, length: payload.length, payload }
}
