import { hash } from 'node:crypto'
import type { TrackerFile } from '../../ports/tracker.ts'
import { isMarked, MARK_BYTES } from '../jsonl/byte-order-mark.ts'

/** Some ten to twenty lines: few enough to be read at once when one of them has changed. */
const LEAST_BYTES = 3 * 1024
const MOST_BYTES = 8 * 1024
const NEWLINE = 10
/** The first bytes of a line decide whether a block ends with it: its id is among them, and hardly anything that changes. */
const SIGN_BYTES = 32
/** Once a block is large enough, it ends with about every eighth line. */
const ONE_OF = 8

/** Whole lines of a file, in its order. The bytes belong to the cutter until the next piece. */
export type CutBlock = { hash: string; bytes: Uint8Array }

/**
 * Cuts a file into blocks of whole lines, by what the lines say and not by where they are: a line that is added, changed or
 * removed makes its own block another one, and seldom the next. All others are known again by their hash.
 */
export class BlockCutter {
  /** Bytes of a block that has not ended. Only the first of these pieces may have newlines. */
  #held: Uint8Array[] = []
  #isFirst = true

  #withHeld(piece: Uint8Array): Buffer {
    const bytes = this.#held.length === 0 ? asBuffer(piece) : Buffer.concat([...this.#held, piece])
    this.#held = []
    if (!this.#isFirst || bytes.length < MARK_BYTES) return bytes
    this.#isFirst = false
    return isMarked(bytes) ? bytes.subarray(MARK_BYTES) : bytes
  }

  *push(piece: Uint8Array): Generator<CutBlock> {
    if (this.#held.length > 0 && !piece.includes(NEWLINE)) {
      this.#held.push(Buffer.from(piece))
      return
    }
    const bytes = this.#withHeld(piece)
    let from = 0
    for (let end = endOf(bytes, from); end > 0; end = endOf(bytes, from)) {
      yield cut(bytes.subarray(from, end))
      from = end
    }
    if (from < bytes.length) this.#held = [Buffer.from(bytes.subarray(from))]
  }

  /** The last one, whose last line may have no end. */
  *end(): Generator<CutBlock> {
    const bytes = this.#withHeld(new Uint8Array(0))
    if (bytes.length > 0) yield cut(bytes)
  }
}

/** The blocks of a file, those of one piece at a time; they are used before the next ones are asked for. */
export async function* cutsOf({ pieces }: Pick<TrackerFile, 'pieces'>): AsyncGenerator<Iterable<CutBlock>> {
  const cutter = new BlockCutter()
  for await (const piece of pieces()) yield cutter.push(piece)
  yield cutter.end()
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const cut = (bytes: Uint8Array): CutBlock => ({ hash: hash('sha256', bytes, 'base64url'), bytes })

/** Where the block that begins at `from` ends; 0: not in these bytes. */
function endOf(bytes: Buffer, from: number): number {
  let newline = bytes.indexOf(NEWLINE, from + LEAST_BYTES)
  if (newline < 0) return 0
  let line = bytes.lastIndexOf(NEWLINE, newline - 1) + 1
  for (;;) {
    if (newline - from >= MOST_BYTES || endsBlock(bytes, Math.max(line, from), newline)) return newline + 1
    line = newline + 1
    newline = bytes.indexOf(NEWLINE, line)
    if (newline < 0) return 0
  }
}

function endsBlock(bytes: Buffer, line: number, newline: number): boolean {
  const end = Math.min(newline, line + SIGN_BYTES)
  let sign = 7
  for (let at = line; at < end; at++) sign = (Math.imul(sign, 31) + (bytes[at] ?? 0)) | 0
  return ((sign >>> 8) ^ sign) % ONE_OF === 0
}
