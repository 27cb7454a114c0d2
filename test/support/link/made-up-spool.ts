import type { Spool, SpoolPiece } from '@beadloom/core/link/spool.ts'

const BLOCK = 64 * 1024

/** Line after line, each with its number: 64 bytes. */
const lines = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `${first + at}`.padEnd(63, '.')).join('\n') + '\n'

/** An output of a known size that needs no disk: every line says which one it is. */
export class MadeUpSpool implements Spool {
  readonly #size: number
  /** What was acknowledged. */
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
