import { HEAD_BYTES, MOST_OF_A_RECORD } from './output-record.ts'
import { parseOrder, type OrderedRecord } from './spool-order.ts'

export type PlacedRecord = OrderedRecord & {
  /** The offset of its head in the spool, and the position of its bytes in its stream's file; 0 for a note. */
  start: number
  position: number
}

/**
 * Every record in the folder of a dead session's spool: the numbered ones, then the unseen bytes, in the fixed order. A
 * supervisor started on this folder serves the same bytes at the same offsets, except for the times of the unseen ones.
 * `sizes` are the files' sizes; a record beyond them was cut by somebody and is left out, which makes a gap. A folder
 * with `cutting.OFFSET` has no records left.
 *
 * They come in batches, none larger than a piece of the file: a program in the container may have made the file as long
 * as possible.
 *
 * @param order the bytes of the file `order.OFFSET`, in pieces
 * @param at the time for the unseen bytes
 */
export async function* deadRecords(
  order: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  offset: number,
  sizes: { stdout: number; stderr: number },
  at: number,
): AsyncGenerator<PlacedRecord[], void, undefined> {
  const placed = { stdout: 0, stderr: 0 }
  let start = offset
  const place = (records: readonly OrderedRecord[]): PlacedRecord[] =>
    records.flatMap((record) => {
      const position = record.kind === 'note' ? 0 : placed[record.kind]
      const found = { ...record, start, position }
      if (record.kind !== 'note') placed[record.kind] += record.length
      start += HEAD_BYTES + record.length
      return record.kind === 'note' || placed[record.kind] <= sizes[record.kind] ? [found] : []
    })
  for await (const records of ordered(order)) yield place(records)
  for (const kind of ['stdout', 'stderr'] as const)
    for (const record of unseen(kind, at, sizes[kind] - placed[kind])) yield place([record])
}

/** The records up to the first bytes that cannot be a head. */
async function* ordered(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<OrderedRecord[]> {
  let rest = new Uint8Array(0)
  for await (const piece of pieces) {
    const bytes = new Uint8Array(rest.length + piece.length)
    bytes.set(rest)
    bytes.set(piece, rest.length)
    const { records, length } = parseOrder(bytes)
    yield records
    rest = bytes.slice(length)
    if (rest.length >= HEAD_BYTES + MOST_OF_A_RECORD) return
  }
}

/** One by one: a sparse file can be as large as the disk without a written byte. */
function* unseen(kind: 'stdout' | 'stderr', at: number, length: number): Generator<OrderedRecord> {
  for (let left = length; left > 0; left -= MOST_OF_A_RECORD) {
    yield { kind, at, length: Math.min(left, MOST_OF_A_RECORD) }
  }
}
