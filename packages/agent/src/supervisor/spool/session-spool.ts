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

/** While a server is away, this limits our memory to a few megabytes, however much is written. */
const MOST_WAITING = 16 * 1024

/**
 * The output of one session on the container's disk. Its processes write to two files themselves, so their output
 * outlives them, the supervisor and the server. The supervisor only watches the files grow and notes the order. It
 * serves records (`packages/core/src/supervisor/output-record.ts`), numbered by offset.
 *
 * Guaranteed: every byte; the order of the bytes within standard output, and within standard error; the same bytes at
 * the same offset for every reader, even after the supervisor was killed. Best effort: the order between the two
 * streams. It is the order in which the supervisor saw them, so on an idle machine it is right for output about a
 * millisecond apart; of output seen at once, standard output comes first. Times say when output was seen. While a
 * server has 16,384 records to catch up with, nothing more is numbered, so all output of that time is seen at once. Not
 * guaranteed: anything after a crash of the machine, because nothing is synced to the disk.
 *
 * Its files belong to the session's own user. A session that cuts or removes them loses only its own output: the
 * missing part becomes a gap.
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
  /** Notes that are added once there is room for them. */
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
   * Creates the spool. The folder exists and contains only `streams`, if given: files that a process was started with.
   * Throws if the disk has no room.
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

  /** Opens the spool that an earlier supervisor left. Nobody writes to it any more. Throws if nothing is readable. */
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

  /** Opens a spool whose content below `offset` had been stored, and that nobody could write to since. */
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

  /** The files for the session's processes. */
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

  /** The end that its last record has, or will have. */
  get sessionEnd(): SessionEnd | null {
    return this.#last?.end ?? null
  }

  /** The offsets after the last record, and after the last one that a server has stored. */
  get offsets(): { end: number; acknowledged: number } {
    return { end: this.#records.end, acknowledged: this.#acknowledged }
  }

  /** Whether a server has stored all that was written so far. */
  get isStored(): boolean {
    return this.look() && this.#acknowledged >= this.#records.end
  }

  /** Bytes on the disk, including those not seen yet. */
  size(): number {
    return this.#streams.stdout.size() + this.#streams.stderr.size() + this.#order.length
  }

  /**
   * Numbers what was written since the last look. False if something new still waits in its file, because the disk has
   * no room to note the order, or because too many records wait for the server.
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

  /**
   * Says that nobody can write at the moment: then records are served even if the disk has no room to note their order.
   */
  setQuiet(quiet: boolean): void {
    this.#quiet = quiet
  }

  /** Adds the note to the output, after everything written so far. */
  note(note: SessionNote): void {
    this.#notes.push(note)
    this.look()
  }

  /** Adds the last record. Call it when nobody can ever write again. */
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

  /** Empties the files. Call it when everything is stored and all writers are stopped. */
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

  /** Removes the spool's files; others in the folder stay. */
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

  /** Tells the current listeners. A listener that asks for more at once must listen again. */
  #tell(): void {
    Array.from(this.#listeners).forEach((grown) => grown())
  }
}

const recordOf = (note: SessionNote, at: number): OrderedRecord => {
  const payload = Buffer.from(JSON.stringify(note))
  return { kind: 'note', at, length: payload.length, payload }
}
