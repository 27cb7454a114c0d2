import type { Style } from '@beadloom/core/text/sgr.ts'
import { BLOCK_LINES } from '../../ports/logs.ts'
import { ControlBytes, ESC } from './control-bytes.ts'
import { StyleFold } from './style-fold.ts'

const NEWLINE = 10
const ENTRY_BYTES = 8

/** A length of a log: bytes, and the whole lines that they hold. */
export type LogPosition = { logBytes: number; logLines: number }

/** Position of the entry of a block in the index file: one u64, little endian, for every block from 0 on. */
export const entryPosition = (block: number): number => block * ENTRY_BYTES

/**
 * The number of entries in the index of a log with so many lines, including the block that starts after the last line.
 */
export const entryCount = (lines: number): number => Math.floor(lines / BLOCK_LINES) + 1

export const readEntry = (bytes: Buffer, entry = 0): number => Number(bytes.readBigUInt64LE(entry * ENTRY_BYTES))

/**
 * Counts lines as they are appended, and notes the byte offset and the style with which each block of 512 begins.
 * Styles are right as long as whole lines are appended.
 */
export class LineIndex {
  lines: number
  bytes: number
  readonly #fold: StyleFold
  #waiting: number[] = []
  #styles: Style[] = []

  constructor(lines = 0, bytes = 0, style?: Style) {
    this.lines = lines
    this.bytes = bytes
    this.#fold = new StyleFold(style)
    if (lines === 0) this.#begin(0)
  }

  /** The style of the next line. */
  get style(): Style {
    return this.#fold.style
  }

  append(text: Uint8Array): void {
    const controls = new ControlBytes(text)
    for (let at = controls.next(0); at !== -1; at = controls.next(at + 1)) {
      if (text[at] === NEWLINE) {
        this.lines += 1
        if (this.lines % BLOCK_LINES === 0) this.#begin(this.bytes + at + 1)
      } else if (text[at] === ESC) this.#fold.escape(text, at)
    }
    this.bytes += text.length
  }

  /** The entries since the last call, in the index file's format. */
  take(): Buffer {
    const entries = Buffer.allocUnsafe(this.#waiting.length * ENTRY_BYTES)
    this.#waiting.forEach((offset, at) => entries.writeBigUInt64LE(BigInt(offset), at * ENTRY_BYTES))
    this.#waiting = []
    return entries
  }

  /** The styles of those entries. */
  takeStyles(): Style[] {
    const styles = this.#styles
    this.#styles = []
    return styles
  }

  #begin(offset: number): void {
    this.#waiting.push(offset)
    this.#styles.push(this.#fold.style)
  }
}
