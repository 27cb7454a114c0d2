import { isUtf8 } from 'node:buffer'
import type { LinesScan, LinesWanted } from '../../ports/tracker-blocks.ts'
import { conflictAt } from './conflicts.ts'
import { highestCommentId, idOfLine } from './issue-lines.ts'

const NEWLINE = 10
/** The id is within these bytes in a line as `bd` writes it. */
const HEAD_BYTES = 160
const COMMENTS = '"comments"'
const head = /^\{"id":"([\w.-]+)"/

/** Finds everything in some whole lines of a file that a change needs to know, and keeps no other text of them. */
export function scanLines(bytes: Uint8Array, { ids, added, comments }: LinesWanted): LinesScan {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const scan: LinesScan = {
    lines: 0,
    conflict: conflictAt(bytes),
    isText: isUtf8(buffer),
    found: [],
    places: [],
    first: null,
    last: null,
    isSorted: true,
    highest: 0,
  }
  const waiting = new Set(added)
  let next = comments ? buffer.indexOf(COMMENTS) : -1
  for (let at = 0; at < buffer.length;) {
    const newline = buffer.indexOf(NEWLINE, at)
    const end = newline < 0 ? buffer.length : newline
    const id = idAt(buffer, at, end)
    scan.lines += 1
    if (id !== null) {
      if (scan.last !== null && scan.last >= id) scan.isSorted = false
      scan.first ??= id
      scan.last = id
      if (ids.has(id)) scan.found.push({ id, at, bytes: new Uint8Array(buffer.subarray(at, end)) })
      for (const one of waiting)
        if (one < id) {
          scan.places.push({ id: one, at })
          waiting.delete(one)
        }
    }
    if (next >= at && next < end) {
      scan.highest = Math.max(scan.highest, highestCommentId(buffer.toString('utf8', at, end)))
      next = buffer.indexOf(COMMENTS, end)
    }
    at = end + 1
  }
  return scan
}

function idAt(buffer: Buffer, at: number, end: number): string | null {
  const id = head.exec(buffer.toString('latin1', at, Math.min(end, at + HEAD_BYTES)))?.[1]
  return id ?? idOfLine(buffer.toString('utf8', at, end))
}
