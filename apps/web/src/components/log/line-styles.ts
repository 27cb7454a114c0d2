import { BLOCK_LINES } from '../../feed/log-cursor.ts'
import { foldSgr, plainStyle } from '@beadloom/core/sgr.ts'
import type { Style } from '@beadloom/core/sgr.ts'

/**
 * The style each line begins with. It is carried through a block and out of the block before, as far as that is held:
 * a program that colours more than a thousand lines in one go is rarer than one that forgets to reset.
 */
export class LineStyles {
  readonly #line: (n: number) => string | undefined
  readonly #starts = new Map<number, Style[]>()

  constructor(line: (n: number) => string | undefined) {
    this.#line = line
  }

  clear(): void {
    this.#starts.clear()
  }

  startOf(n: number): Style {
    const block = Math.floor(n / BLOCK_LINES)
    return this.#walk(block, n % BLOCK_LINES, this.#starts.has(block) ? plainStyle : this.#endOf(block - 1))
  }

  #endOf(block: number): Style {
    if (block < 0 || this.#line(block * BLOCK_LINES) === undefined) return plainStyle
    return this.#walk(block, BLOCK_LINES, plainStyle)
  }

  /** Style before line `offset` of a block, walking on from what is known of it. */
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
