import { BLOCK_LINES } from '../ports/logs.ts'

const NEWLINE = 10
const ENTRY_BYTES = 8

/** Position of the entry of a block in the index file: one u64, little endian, for every block from 0 on. */
export const entryPosition = (block: number): number => block * ENTRY_BYTES

/** How many entries the index of a log with so many lines has: the block that begins after the last line included. */
export const entryCount = (lines: number): number => Math.floor(lines / BLOCK_LINES) + 1

export const readEntry = (bytes: Buffer, entry = 0): number => Number(bytes.readBigUInt64LE(entry * ENTRY_BYTES))

/** Counts lines as they are appended and notes the byte offset at which each block of 512 begins. */
export class LineIndex {
  lines: number
  bytes: number
  #waiting: number[] = []

  constructor(lines = 0, bytes = 0) {
    this.lines = lines
    this.bytes = bytes
    if (lines === 0) this.#waiting.push(0)
  }

  append(text: Uint8Array): void {
    const { bytes } = this
    let { lines } = this
    const length = text.length
    // A loop, not indexOf: it is as fast on ordinary lines, and six times faster on a flood of empty ones.
    for (let at = 0; at < length; at += 1) {
      if (text[at] !== NEWLINE) continue
      lines += 1
      if (lines % BLOCK_LINES === 0) this.#waiting.push(bytes + at + 1)
    }
    this.lines = lines
    this.bytes = bytes + length
  }

  /** The entries since the last call, as they go into the index file. */
  take(): Buffer {
    const entries = Buffer.allocUnsafe(this.#waiting.length * ENTRY_BYTES)
    this.#waiting.forEach((offset, at) => entries.writeBigUInt64LE(BigInt(offset), at * ENTRY_BYTES))
    this.#waiting = []
    return entries
  }
}
