import { HEAD_BYTES, headAt, MOST_OF_A_RECORD, putHead, type RecordHead, type RecordKind } from './output-record.ts'

/*
 * The files of a spool on the container's disk, for the supervisor that keeps them and for a server that reads a dead
 * container's disk. The session's folder has
 *
 * - `stdout` and `stderr`: the output of the session's processes, byte for byte;
 * - `order.OFFSET`: the heads of the records in the order in which the supervisor saw the bytes, each note with its
 *   payload. OFFSET is the first record's: a server has stored everything below it, which was dropped;
 * - `cutting.OFFSET` instead of it: the supervisor died while it dropped everything below OFFSET. All three are empty.
 *
 * The bytes of `stdout` and `stderr` after the last head were never seen; standard output comes first.
 */
export const orderName = (offset: number): string => `order.${offset}`
export const cuttingName = (offset: number): string => `cutting.${offset}`

export type OrderName = { offset: number; cutting: boolean }

export function parseOrderName(name: string): OrderName | null {
  const found = /^(order|cutting)\.(\d{1,15})$/.exec(name)
  return found ? { cutting: found[1] === 'cutting', offset: Number(found[2]) } : null
}

export type OrderedRecord = RecordHead & {
  /** A note's payload; bytes of output are in their files. */
  payload?: Uint8Array
}

/**
 * The records of a file of heads, up to its end or to the first bytes that cannot be a head. `length`: the valid bytes.
 */
export function parseOrder(bytes: Uint8Array): { records: OrderedRecord[]; length: number } {
  const records: OrderedRecord[] = []
  let index = 0
  while (bytes.length - index >= HEAD_BYTES) {
    const head = headAt(bytes, index)
    if (!head) break
    const end = index + HEAD_BYTES + (head.kind === 'note' ? head.length : 0)
    if (end > bytes.length) break
    records.push(head.kind === 'note' ? { ...head, payload: bytes.slice(index + HEAD_BYTES, end) } : head)
    index = end
  }
  return { records, length: index }
}

/** The records' own bytes in the file of heads. */
export function formatOrder(records: readonly OrderedRecord[]): Uint8Array {
  const sizes = records.map(({ payload }) => HEAD_BYTES + (payload?.length ?? 0))
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0))
  let index = 0
  for (const record of records) {
    putHead(bytes, index, record)
    if (record.payload) bytes.set(record.payload, index + HEAD_BYTES)
    index += HEAD_BYTES + (record.payload?.length ?? 0)
  }
  return bytes
}

/** Heads for `length` new bytes of a stream, all seen at the same time. */
export function headsFor(kind: RecordKind, at: number, length: number): RecordHead[] {
  const heads: RecordHead[] = []
  for (let left = length; left > 0; left -= MOST_OF_A_RECORD) {
    heads.push({ kind, at, length: Math.min(left, MOST_OF_A_RECORD) })
  }
  return heads
}
