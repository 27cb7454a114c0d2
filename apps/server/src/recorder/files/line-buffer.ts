import { isUtf8 } from 'node:buffer'
import { PARTIAL_BYTES } from '../bounds.ts'

const NEWLINE = 10
/** Ends each piece of a line that was too long, except the last. */
export const SPLIT_MARK = Buffer.from(' …↩\n')
const newline = Buffer.from('\n')

/**
 * Makes whole lines of the chunks of one stream, wherever the chunks were cut. Time is linear in the bytes, memory is
 * one line: only a line that is cut by the end of a chunk is copied. Its output is valid UTF-8 and ends with a newline.
 */
export class LineBuffer {
  readonly #emit: (lines: Buffer) => void
  readonly #limit: number
  #held: Buffer = Buffer.alloc(0)
  #length = 0

  constructor(limit: number, emit: (lines: Buffer) => void) {
    this.#limit = limit
    this.#emit = emit
  }

  push(bytes: Buffer): void {
    if (this.#length + bytes.length > this.#limit) return this.#pushLong(bytes)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    const first = end > 0 && this.#length > 0 ? bytes.indexOf(NEWLINE) + 1 : 0
    if (first > 0) this.#release(bytes.subarray(0, first))
    if (end > first) this.#emit(valid(bytes.subarray(first, end)))
    this.#hold(bytes.subarray(end))
  }

  /** Ends the unfinished line, if there is one. */
  end(): void {
    if (this.#length > 0) this.#release(newline)
  }

  get waiting(): boolean {
    return this.#length > 0
  }

  /** The end of the line that has no newline yet. */
  partial(): string {
    return this.#held.toString('utf8', Math.max(0, this.#length - PARTIAL_BYTES), this.#length)
  }

  /** Checks each line by itself, because one may be too long. */
  #pushLong(bytes: Buffer): void {
    let from = 0
    while (from < bytes.length) {
      const found = bytes.indexOf(NEWLINE, from)
      const end = found === -1 ? bytes.length : found
      while (this.#length + end - from > this.#limit) from += this.#split(bytes.subarray(from, end))
      if (found === -1) this.#hold(bytes.subarray(from, end))
      else this.#release(bytes.subarray(from, end + 1))
      from = end + 1
    }
  }

  /** Emits `limit` bytes as a line of its own, or fewer to cut no character; returns how many it took. */
  #split(rest: Buffer): number {
    const held = this.#length
    this.#hold(rest.subarray(0, this.#limit + 1 - held))
    let cut = this.#limit
    while (cut > this.#limit - 4 && cut > 1 && (this.#held[cut]! & 0xc0) === 0x80) cut -= 1
    this.#emit(valid(Buffer.concat([this.#held.subarray(0, cut), SPLIT_MARK])))
    const kept = Math.max(0, held - cut)
    this.#held.copyWithin(0, cut, cut + kept)
    this.#length = kept
    return Math.max(0, cut - held)
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return
    const needed = this.#length + bytes.length
    if (needed > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#held.length * 2, 1024))
      this.#held.copy(larger, 0, 0, this.#length)
      this.#held = larger
    }
    bytes.copy(this.#held, this.#length) // a copy: the chunk may be a slice that keeps much more alive
    this.#length = needed
  }

  #release(end: Buffer): void {
    if (this.#length === 0) return this.#emit(valid(end))
    const whole = Buffer.concat([this.#held.subarray(0, this.#length), end])
    this.#length = 0
    this.#emit(valid(whole))
  }
}

/**
 * Replaces invalid UTF-8, which alone goes through a string. The lines are whole: a newline ends any broken character.
 */
function valid(lines: Buffer): Buffer {
  return isUtf8(lines) ? lines : Buffer.from(lines.toString('utf8'))
}
