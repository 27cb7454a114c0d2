import { MARK_MS } from '../limits.ts'
import type { LineMark } from './line-mark.ts'

const NEWLINE = 10
/** So many small parts cost more than their bytes. */
const MANY_PARTS = 4096
/** Of so many marks the oldest are forgotten: their lines get that of a later one. */
const MANY_MARKS = 16_384

/** The last whole lines of what went through, at most `limit` bytes of them. Time is linear in the bytes. */
export class TailBuffer {
  /** One byte more than is asked for: it tells whether what is kept begins with a line. */
  readonly #keep: number
  #parts: Buffer[] = []
  #length = 0
  /** Bytes that went through, and from which of them on which mark holds. */
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

  /** Begins with a line, unless one line alone is longer than the limit: then it is that line's end. */
  bytes(): Buffer {
    const all = this.#compact()
    if (all.length < this.#keep) return all
    const newline = all.indexOf(NEWLINE)
    return newline === -1 || newline === all.length - 1 ? all.subarray(1) : all.subarray(newline + 1)
  }

  /** The same, cut where marks change. A buffer that was pushed without any has none. */
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
