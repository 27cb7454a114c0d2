import { HEAD_BYTES } from '@beadloom/core/supervisor/output-record.ts'
import type { OrderedRecord } from '@beadloom/core/supervisor/spool-order.ts'

export type Placed = OrderedRecord & {
  /** The offset of its head in the spool. */
  start: number
  /** The position of its bytes in the file of its stream. */
  position: number
  /** Its bytes are no longer in the file. */
  lost?: boolean
}

/** The records that have not been stored yet, in order, found by offset. */
export class RecordList {
  #records: Placed[] = []
  /** Records before this index were dropped; they are removed many at a time. */
  #first = 0
  #end: number

  constructor(offset: number) {
    this.#end = offset
  }

  /** The offset behind the last record. */
  get end(): number {
    return this.#end
  }

  get count(): number {
    return this.#records.length - this.#first
  }

  /** The offset of the first record that is still kept. */
  get start(): number {
    return this.#records[this.#first]?.start ?? this.#end
  }

  add(record: OrderedRecord, position: number): void {
    this.#records.push({ ...record, start: this.#end, position })
    this.#end += HEAD_BYTES + record.length
  }

  /** The record that holds `offset`, or the first one behind it. */
  *from(offset: number): Generator<Placed> {
    let low = this.#first
    let high = this.#records.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (endOf(this.#records[middle]!) <= offset) low = middle + 1
      else high = middle
    }
    for (let index = low; index < this.#records.length; index++) yield this.#records[index]!
  }

  /** Forgets the records that end at or below `offset`. */
  drop(offset: number): void {
    while (this.#first < this.#records.length && endOf(this.#records[this.#first]!) <= offset) this.#first += 1
    if (this.#first < 1024 && this.#first < this.#records.length) return
    this.#records.splice(0, this.#first)
    this.#first = 0
  }

  /** Marks the bytes of a stream from this position of its file on as lost. */
  lose(kind: 'stdout' | 'stderr', position: number): void {
    for (const record of this.#records) {
      if (record.kind === kind && record.position + record.length > position) record.lost = true
    }
  }
}

export const endOf = ({ start, length }: Placed): number => start + HEAD_BYTES + length
