import { BLOCK_LINES } from '../../../feed/log-cursor.ts'
import { applySgr, foldSgr, plainStyle } from '@beadloom/core/text/sgr.ts'
import type { Style } from '@beadloom/core/text/sgr.ts'

/**
 * The style at the start of each line. It carries over within a block. A block's own start comes from the server; until
 * then, from the previous block, as far as that is in memory.
 */
export class LineStyles {
  readonly #line: (n: number) => string | undefined
  readonly #given: (block: number) => string | null
  readonly #starts = new Map<number, Style[]>()

  /** `given`: parameters of a sequence (`1;31`), empty for plain; null if unknown. */
  constructor(line: (n: number) => string | undefined, given: (block: number) => string | null) {
    this.#line = line
    this.#given = given
  }

  clear(): void {
    this.#starts.clear()
  }

  startOf(n: number): Style {
    const block = Math.floor(n / BLOCK_LINES)
    const start = this.#starts.has(block) ? plainStyle : (this.#givenTo(block) ?? this.#endOf(block - 1))
    return this.#walk(block, n % BLOCK_LINES, start)
  }

  #givenTo(block: number): Style | null {
    const given = this.#given(block)
    return given === null ? null : given === '' ? plainStyle : applySgr(plainStyle, given)
  }

  #endOf(block: number): Style {
    if (block < 0 || this.#line(block * BLOCK_LINES) === undefined) return plainStyle
    return this.#walk(block, BLOCK_LINES, this.#givenTo(block) ?? plainStyle)
  }

  /** Style before line `offset` of a block, computed from the last one known. */
  #walk(block: number, offset: number, start: Style): Style {
    const starts = this.#starts.get(block) ?? [start]
    this.#starts.set(block, starts)
    while (starts.length <= offset) {
      const line = this.#line(block * BLOCK_LINES + starts.length - 1)
      if (line === undefined) break
      starts.push(foldSgr(starts.at(-1) ?? plainStyle, line))
    }
    return starts[offset] ?? plainStyle
  }
}
