/**
 * The contents of a spool, as the server reads it: records, one after another. A record is a head of 11 bytes and its
 * payload:
 *
 *     kind 1 byte (1 standard output, 2 standard error, 3 a note) | time 6 bytes (ms UTC) | length 4 bytes | payload
 *
 * Numbers are big-endian. Offsets in a spool count heads, too. A note is a JSON object of the supervisor's own
 * (`session-note.ts`). All of it is a claim: the writers of the output have the same user id as the supervisor.
 */
export const HEAD_BYTES = 11
/** Small enough for a whole record to fit in a frame of the link, so that nobody has to join two. */
export const MOST_OF_A_RECORD = 16 * 1024

export type RecordKind = 'stdout' | 'stderr' | 'note'
export type RecordHead = {
  kind: RecordKind
  /** The time at which the supervisor saw these bytes, by the container's clock. */
  at: number
  /** Bytes of payload, at most `MOST_OF_A_RECORD`. */
  length: number
}

const numberOf: Record<RecordKind, number> = { stdout: 1, stderr: 2, note: 3 }
const kinds: readonly (RecordKind | undefined)[] = [undefined, 'stdout', 'stderr', 'note']
const TWO_BYTES = 2 ** 32

/** Writes the head into `target`, which has `HEAD_BYTES` of room at `index`. */
export function putHead(target: Uint8Array, index: number, { kind, at, length }: RecordHead): void {
  const view = new DataView(target.buffer, target.byteOffset + index, HEAD_BYTES)
  view.setUint8(0, numberOf[kind])
  view.setUint16(1, Math.floor(at / TWO_BYTES) % 2 ** 16)
  view.setUint32(3, at % TWO_BYTES)
  view.setUint32(7, length)
}

/** Null: these bytes are no head. `bytes` has at least `HEAD_BYTES` from `index` on. */
export function headAt(bytes: Uint8Array, index: number): RecordHead | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset + index, HEAD_BYTES)
  const kind = kinds[view.getUint8(0)]
  const length = view.getUint32(7)
  if (kind === undefined || length === 0 || length > MOST_OF_A_RECORD) return null
  return { kind, at: view.getUint16(1) * TWO_BYTES + view.getUint32(3), length }
}

export type OutputRecord = { kind: RecordKind; at: number; bytes: Uint8Array }

/**
 * Puts records together from the pieces of a spool. A server that acknowledges only `complete`, and asks again from
 * there, never keeps half of a record beyond its own death.
 */
export class OutputReader {
  #rest: Uint8Array = new Uint8Array(0)
  #complete: number
  #damaged = false

  /**
   * @param offset the start of the first piece: a record begins there, as at every acknowledged offset and at every
   * gap's end
   */
  constructor(offset: number) {
    this.#complete = offset
  }

  /** Every record below this offset was returned. */
  get complete(): number {
    return this.#complete
  }

  /** The bytes are no sequence of records: nothing after `complete` can be read any more. */
  get damaged(): boolean {
    return this.#damaged
  }

  /** Call it after a gap: drops the rest of a record that began before the gap. */
  skipTo(offset: number): void {
    this.#rest = new Uint8Array(0)
    this.#complete = offset
  }

  /** The records that `bytes` completes. Records that are whole in `bytes` share its memory. */
  take(bytes: Uint8Array): OutputRecord[] {
    if (this.#damaged) return []
    const records: OutputRecord[] = []
    const from = this.#rest.length === 0 ? 0 : this.#takeCut(bytes, records)
    const read = this.#takeWhole(bytes, from, records)
    if (from < bytes.length) this.#rest = bytes.subarray(from + read)
    return records
  }

  /** Completes the record whose beginning was held back, the only one that is copied. Returns its end in `bytes`. */
  #takeCut(bytes: Uint8Array, records: OutputRecord[]): number {
    const needed = HEAD_BYTES - this.#rest.length
    const head = needed > 0 ? joined(this.#rest, bytes.subarray(0, needed)) : this.#rest
    const length = head.length < HEAD_BYTES ? 0 : (headAt(head, 0)?.length ?? 0)
    const end = Math.min(bytes.length, Math.max(needed, HEAD_BYTES + length - this.#rest.length))
    this.#rest = joined(this.#rest, bytes.subarray(0, end))
    const read = this.#takeWhole(this.#rest, 0, records)
    this.#rest = this.#rest.subarray(read)
    return end
  }

  /** Takes the records that are whole in `bytes`, from `from` on. Returns their number of bytes. */
  #takeWhole(bytes: Uint8Array, from: number, records: OutputRecord[]): number {
    let index = from
    while (!this.#damaged && bytes.length - index >= HEAD_BYTES) {
      const head = headAt(bytes, index)
      this.#damaged = head === null
      const end = index + HEAD_BYTES + (head?.length ?? 0)
      if (!head || end > bytes.length) break
      records.push({ kind: head.kind, at: head.at, bytes: bytes.subarray(index + HEAD_BYTES, end) })
      index = end
    }
    this.#complete += index - from
    return index - from
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
