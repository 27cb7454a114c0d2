import { HEAD_BYTES, MOST_OF_A_RECORD } from './output-record.ts'
import { parseOrder, type OrderedRecord } from './spool-order.ts'

export type PlacedRecord = OrderedRecord & {
  /** The offset of its head in the spool, and where its bytes begin in the file of its stream; 0 for a note. */
  start: number
  position: number
}

/**
 * Every record of a spool whose session is dead, for whoever reads its folder: those that were numbered, then what nobody
 * had seen, by the rule. A supervisor that is started on this folder serves the same bytes at the same offsets, but for
 * the times of the unseen ones. The sizes are those of the files; a record that goes beyond them was cut by somebody, and
 * is left out: that is a gap. Of `cutting.OFFSET` nothing is left.
 *
 * @param order the bytes of the file `order.OFFSET`
 * @param at what counts as the time of what nobody had seen
 */
export function* deadRecords(
  order: Uint8Array,
  offset: number,
  sizes: { stdout: number; stderr: number },
  at: number,
): Generator<PlacedRecord> {
  const placed = { stdout: 0, stderr: 0 }
  let start = offset
  function* place(records: Iterable<OrderedRecord>): Generator<PlacedRecord> {
    for (const record of records) {
      const position = record.kind === 'note' ? 0 : placed[record.kind]
      if (record.kind !== 'note') placed[record.kind] += record.length
      if (record.kind === 'note' || placed[record.kind] <= sizes[record.kind]) yield { ...record, start, position }
      start += HEAD_BYTES + record.length
    }
  }
  yield* place(parseOrder(order).records)
  for (const kind of ['stdout', 'stderr'] as const) yield* place(unseen(kind, at, sizes[kind] - placed[kind]))
}

/** One by one: a file can be made as large as the disk without a byte being written to it. */
function* unseen(kind: 'stdout' | 'stderr', at: number, length: number): Generator<OrderedRecord> {
  for (let left = length; left > 0; left -= MOST_OF_A_RECORD) {
    yield { kind, at, length: Math.min(left, MOST_OF_A_RECORD) }
  }
}
