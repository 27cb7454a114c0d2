import { MARK_MS } from '../limits.ts'
import type { LineMark } from './line-mark.ts'

const NEWLINE = 10
/** Above this, many small parts cost more than their bytes. */
const MANY_PARTS = 4096
/** Above this the oldest marks are forgotten, and their lines get a later one. */
const MANY_MARKS = 16_384

/** Keeps the last whole lines of its input, at most `limit` bytes of them. Time is linear in the bytes. */
export class TailBuffer {
  /** One byte more than asked for, which tells whether the rest starts with a line. */
  readonly #keep: number
  #parts: Buffer[] = []
  #length = 0
  /** Bytes that were pushed, and from which of them on each mark applies. */
  #passed = 0
  #marks: { from: number; mark: LineMark }[] = []

  constructor(limit: number) {
    this.#keep = limit + 1
  }

  push(lines: Buffer, mark?: LineMark): void {
    if (mark) this.#note(mark)
    this.#passed += lines.length
    const kept = lines.length > this.#keep ? lines.subarray(lines.length - this.#keep) : lines
    this.#parts.push(Buffer.from(kept))
    this.#length += kept.length
    if (this.#length >= 2 * this.#keep || this.#parts.length >= MANY_PARTS) this.#compact()
  }

  /** Starts with a line, unless a single line is longer than the limit: then it is that line's end. */
  bytes(): Buffer {
    const all = this.#compact()
    if (all.length < this.#keep) return all
    const newline = all.indexOf(NEWLINE)
    return newline === -1 || newline === all.length - 1 ? all.subarray(1) : all.subarray(newline + 1)
  }

  /** The same, cut where marks change. Empty if nothing was pushed with a mark. */
  marked(): { lines: Buffer; mark: LineMark }[] {
    const bytes = this.bytes()
    const start = this.#passed - bytes.length
    const pieces = this.#marks.map(({ from, mark }, index) => {
      const next = this.#marks[index + 1]?.from ?? this.#passed
      return { lines: bytes.subarray(index === 0 ? 0 : Math.max(0, from - start), Math.max(0, next - start)), mark }
    })
    return pieces.filter(({ lines }) => lines.length > 0)
  }

  #note(mark: LineMark): void {
    const last = this.#marks.at(-1)?.mark
    if (last && last.stderr === mark.stderr && Math.abs(mark.at - last.at) < MARK_MS) return
    this.#marks.push({ from: this.#passed, mark })
    if (this.#marks.length < 2 * MANY_MARKS) return
    const gone = this.#passed - this.#length
    const first = this.#marks.findLastIndex(({ from }) => from <= gone)
    this.#marks = this.#marks.slice(Math.max(first, this.#marks.length - MANY_MARKS))
  }

  #compact(): Buffer {
    const all = Buffer.concat(this.#parts)
    const kept = all.length > this.#keep ? Buffer.from(all.subarray(all.length - this.#keep)) : all
    this.#parts = [kept]
    this.#length = kept.length
    return kept
  }
}
