import type { Database } from 'better-sqlite3'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { Clock } from '../../process/clock.ts'
import type { ChangeKind } from '../../ports/store/changes.ts'
import { translate } from './connection.ts'

type ChangeListener = (seq: number) => void
type EventListener = (execution: ExecutionId, seq: number) => void

/** What every aggregate of the store works with. */
export type Writing = {
  db: Database
  clock: Clock
  /**
   * Runs `work` in one immediate transaction (or in the one that is open) and tells the listeners after the commit.
   * Immediate, because a deferred one that turns into a writer fails at once when another connection wrote meanwhile.
   *
   * `lasting` false: a power cut (never a kill) may take it, with whatever followed it in the same way. The next lasting
   * one brings it to the disk.
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

/** Listeners, what the open transaction will have to tell them, and what is committed but not told yet. */
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

  /** The transaction was rolled back: there is nothing to tell. */
  rolledBack(): void {
    this.#open = nothing()
  }

  /** A listener may write again: what that brings is told after this round, so that nobody sees numbers go back. */
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

  /** What is written is written: a listener that throws is reported and nothing more. */
  #safely(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#report(error)
    }
  }
}

export function writerOf(db: Database, news: News, file: string): Writing['write'] {
  const transaction = db.transaction((work: () => unknown) => work())
  return <T>(work: () => T, lasting = true): T => {
    if (db.inTransaction) return work()
    let result: T
    if (!lasting) db.pragma('synchronous = NORMAL')
    try {
      result = transaction.immediate(work) as T
    } catch (error) {
      news.rolledBack()
      throw translate(error, file)
    } finally {
      if (!lasting) db.pragma('synchronous = FULL') // before anybody is told, who may write
    }
    news.committed()
    return result
  }
}
