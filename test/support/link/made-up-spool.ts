import type { Spool, SpoolPiece } from '@beadloom/core/link/spool.ts'

const BLOCK = 64 * 1024

/** Numbered lines of 64 bytes. */
const lines = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `${first + at}`.padEnd(63, '.')).join('\n') + '\n'

/** The same block again and again, as fast as memory, so a benchmark measures the link. */
export const block: Buffer = Buffer.from(
  'a line of sixty-four bytes, as compilers and test runners print\n'.repeat(BLOCK / 64),
)

export class BlockSpool implements Spool {
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  read(offset: number, atMost: number): SpoolPiece {
    const at = offset % BLOCK
    const to = Math.min(this.#size - offset + at, at + atMost, BLOCK)
    return { from: offset, bytes: block.subarray(at, to), ended: offset + to - at === this.#size }
  }

  watch(): () => void {
    return () => {}
  }

  acknowledged(): void {}
}

/** An output of a known size that needs no disk; every line has its number. */
export class MadeUpSpool implements Spool {
  readonly #size: number
  /** Bytes that were acknowledged. */
  durable = 0

  constructor(size: number) {
    this.#size = size
  }

  read(offset: number, atMost: number): SpoolPiece {
    const to = Math.min(this.#size, offset + Math.min(atMost, BLOCK))
    return { from: offset, bytes: MadeUpSpool.bytes(offset, to), ended: to === this.#size }
  }

  watch(): () => void {
    return () => {}
  }

  acknowledged(offset: number): void {
    this.durable = offset
  }

  static bytes(from: number, to: number): Buffer {
    const first = Math.floor(from / 64)
    const text = Buffer.from(lines(first, Math.ceil(to / 64) - first), 'latin1')
    return text.subarray(from - first * 64, to - first * 64)
  }
}
