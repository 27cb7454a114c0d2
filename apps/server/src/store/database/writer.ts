import type { Database } from 'better-sqlite3'
import { withKept } from '@beadloom/core/execution/left-text.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Clock } from '../../process/clock.ts'
import type { ChangeKind } from '../../ports/store/changes.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Stopwatches } from '../executions/stopwatches.ts'
import { translate } from './connection.ts'
import type { InPlace } from './in-place.ts'
import type { Patience } from './patience.ts'
import type { ToDisk } from './to-disk.ts'

type ChangeListener = (seq: number) => void
type EventListener = (execution: ExecutionId, seq: number) => void

/** The tools of every aggregate of the store. */
export type Writing = {
  db: Database
  clock: Clock
  stopwatches: Stopwatches
  /**
   * Runs `work` in one immediate transaction (or in the open one) and tells the listeners after the commit. Immediate,
   * because a deferred transaction that starts to write fails if another connection wrote meanwhile.
   *
   * No commit waits for the disk; `onDisk` of the store does. `lasting` false: nothing waits for this one at all, so a
   * power cut (never a kill) may lose it, until the next lasting one brings all of them to the disk.
   */
  write: <T>(work: () => T, lasting?: boolean) => T
  changed: (kind: ChangeKind, project: string, id: string) => void
  event: (row: NewEvent) => number
}

export type NewEvent = {
  execution: ExecutionId
  session: string | null
  type: string
  data: unknown
  line: number | null
  at: number
}

type Told = { seq: number; events: Map<ExecutionId, number> }
const nothing = (): Told => ({ seq: 0, events: new Map() })

/** The listeners, the news of the open transaction, and the committed news that were not told yet. */
export class News {
  readonly #report: (error: unknown) => void
  readonly #onChange = new Set<ChangeListener>()
  readonly #onEvent = new Set<EventListener>()
  #open = nothing()
  #committed = nothing()
  #telling = false

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  onChange(listener: ChangeListener): () => void {
    this.#onChange.add(listener)
    return () => this.#onChange.delete(listener)
  }

  onEvent(listener: EventListener): () => void {
    this.#onEvent.add(listener)
    return () => this.#onEvent.delete(listener)
  }

  noteChange(seq: number): void {
    this.#open.seq = seq
  }

  noteEvent(execution: ExecutionId, seq: number): void {
    this.#open.events.set(execution, seq)
  }

  /** The transaction was rolled back, and its news with it. */
  rolledBack(): void {
    this.#open = nothing()
  }

  /** A listener may write again: its news are told after this round, so that nobody sees numbers go backwards. */
  committed(): void {
    if (this.#open.seq > 0) this.#committed.seq = this.#open.seq
    for (const [execution, seq] of this.#open.events) this.#committed.events.set(execution, seq)
    this.#open = nothing()
    if (this.#telling) return
    this.#telling = true
    while (this.#committed.seq > 0 || this.#committed.events.size > 0) {
      const round = this.#committed
      this.#committed = nothing()
      this.#tell(round)
    }
    this.#telling = false
  }

  #tell({ seq, events }: Told): void {
    for (const [execution, last] of events)
      for (const listener of this.#onEvent) this.#safely(() => listener(execution, last))
    if (seq > 0) for (const listener of this.#onChange) this.#safely(() => listener(seq))
  }

  /** A listener that throws is reported; it cannot undo a write. */
  #safely(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#report(error)
    }
  }
}

/** The stations of every write: its turn, and its way to the disk. */
export type Passage = { patience: Patience; disk: ToDisk; checkpoints: Checkpoints; inPlace: InPlace }

export function writerOf(db: Database, news: News, file: string, passage: Passage): Writing['write'] {
  const { patience, disk, checkpoints, inPlace } = passage
  const transaction = db.transaction((work: () => unknown) => work())
  return <T>(work: () => T, lasting = true): T => {
    if (db.inTransaction) return work()
    patience.admit()
    let result: T
    try {
      inPlace.admit()
      result = transaction.immediate(work) as T
    } catch (error) {
      news.rolledBack()
      const known = namingKept(db, translate(error, file))
      patience.failed(known)
      throw known
    }
    patience.wrote()
    if (lasting) disk.committed()
    checkpoints.committed()
    news.committed()
    return result
  }
}

/** A full disk can still be read, so its error names the containers that only a person removes. */
function namingKept(db: Database, error: unknown): unknown {
  if (!(error instanceof StoreError) || error.kind !== 'no-space') return error
  try {
    const kept = db
      .prepare<[], { name: string; bytes: number | null }>(`SELECT name, bytes FROM container WHERE state = 'kept'`)
      .all()
    return kept.length === 0 ? error : new StoreError('no-space', withKept(error.message, kept), { cause: error })
  } catch {
    return error
  }
}

/** Whether the database could be written now; throws as a write would. */
export function proberOf(db: Database, file: string, { patience, inPlace }: Passage): () => void {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const leave = db.prepare('ROLLBACK')
  return () => {
    try {
      inPlace.look()
      begin.run()
      leave.run()
      if (patience.trouble?.kind === 'busy' || patience.trouble?.kind === 'gone') patience.wrote()
    } catch (error) {
      const known = namingKept(db, translate(error, file))
      patience.failed(known)
      throw known
    }
  }
}
