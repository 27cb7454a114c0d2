import { HEAD_BYTES, putHead } from '@beadloom/core/supervisor/output-record.ts'
import type { Placed } from './record-list.ts'
import type { StreamFile } from './stream-file.ts'

export type Streams = { stdout: StreamFile; stderr: StreamFile }

/**
 * Returns `length` bytes of the spool starting at the offset `from`, which lie in these records. Null if a file has
 * lost the bytes of a record, which is then marked as lost.
 */
export function readRecords(streams: Streams, records: readonly Placed[], from: number, length: number): Buffer | null {
  const bytes = Buffer.allocUnsafeSlow(length)
  const head = new Uint8Array(HEAD_BYTES)
  let index = 0
  for (const record of records) {
    const skip = Math.max(0, from - record.start)
    if (skip < HEAD_BYTES) {
      putHead(head, 0, record)
      bytes.set(head.subarray(skip), index)
      index += HEAD_BYTES - skip
    }
    const skipped = Math.max(0, skip - HEAD_BYTES)
    const left = record.length - skipped
    if (record.kind === 'note') bytes.set(record.payload!.subarray(skipped), index)
    else if (!streams[record.kind].read(bytes, index, left, record.position + skipped)) {
      record.lost = true
      return null
    }
    index += left
  }
  return bytes
}
