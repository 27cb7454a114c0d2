import { MARK_MS } from '../bounds.ts'
import type { LineMark } from './line-mark.ts'

const NEWLINE = 10
/** Beyond this many, the oldest marks are forgotten, and their lines get a later one. */
const MANY_MARKS = 16_384

/**
 * Keeps the last whole lines of its input, up to `limit` bytes, in one buffer of at most twice that. Time is linear in
 * the bytes.
 */
export class TailBuffer {
  /** One byte more than asked for, which tells whether the rest starts with a line. */
  readonly #keep: number
  #held: Buffer = Buffer.alloc(0)
  #length = 0
  /** The number of pushed bytes; each mark applies from one of them on. */
  #passed = 0
  #marks: { from: number; mark: LineMark }[] = []

  constructor(limit: number) {
    this.#keep = limit + 1
  }

  push(lines: Buffer, mark?: LineMark): void {
    if (mark) this.#note(mark)
    this.#passed += lines.length
    const kept = lines.length > this.#keep ? lines.subarray(lines.length - this.#keep) : lines
    this.#makeRoom(kept.length)
    this.#length += kept.copy(this.#held, this.#length)
  }

  /** The kept bytes, from the start of a line; if a single line is longer than the limit, that line's end. */
  bytes(): Buffer {
    this.#forget(this.#keep)
    const all = Buffer.from(this.#held.subarray(0, this.#length))
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

  #makeRoom(length: number): void {
    if (this.#length + length <= this.#held.length) return
    if (this.#held.length === 2 * this.#keep) return this.#forget(this.#keep - length)
    const needed = Math.max(this.#length + length, 2 * this.#held.length, 1024)
    const larger = Buffer.allocUnsafeSlow(Math.min(needed, 2 * this.#keep))
    if (needed > larger.length) this.#forget(this.#keep)
    this.#held.copy(larger, 0, 0, this.#length)
    this.#held = larger
  }

  /** Drops all but the last `kept` bytes. */
  #forget(kept: number): void {
    if (this.#length <= kept) return
    this.#held.copyWithin(0, this.#length - kept, this.#length)
    this.#length = kept
  }
}
