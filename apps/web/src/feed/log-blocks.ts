import { BLOCK_LINES } from './log-cursor.ts'

/**
 * 256 blocks are 131,000 lines, about 15 MB with ordinary lines. For long lines there is a limit in characters instead.
 */
export const MOST_BLOCKS = 256
export const MOST_CHARACTERS = 24_000_000

type Block = { lines: string[]; characters: number }

/** The lines in memory, least recently used blocks first. Blocks from `keepFrom` on (the live tail) stay. */
export class LogBlocks {
  readonly #blocks = new Map<number, Block>()
  /** Also keeps the styles of blocks that were let go: a few characters each. */
  readonly #styles = new Map<number, string>()
  #characters = 0

  get size(): number {
    return this.#blocks.size
  }

  line(number: number): string | undefined {
    return this.#blocks.get(Math.floor(number / BLOCK_LINES))?.lines[number % BLOCK_LINES]
  }

  styleOf(block: number): string | null {
    return this.#styles.get(block) ?? null
  }

  setStyle(block: number, style: string | null): void {
    if (style !== null) this.#styles.set(block, style)
  }

  /** True if the block is in memory, with all of its lines up to `lines`, the length of the log. */
  has(block: number, lines: number): boolean {
    const held = this.#blocks.get(block)
    return held !== undefined && held.lines.length >= Math.min(BLOCK_LINES, lines - block * BLOCK_LINES)
  }

  /** Marks blocks as used now, so that they are the last to go. */
  touch(block: number): void {
    const held = this.#blocks.get(block)
    if (!held) return
    this.#blocks.delete(block)
    this.#blocks.set(block, held)
  }

  /** Adds lines that directly continue their block; ignores others. */
  append(firstLine: number, lines: readonly string[]): void {
    for (let at = 0; at < lines.length;) {
      const number = firstLine + at
      const index = Math.floor(number / BLOCK_LINES)
      const offset = number % BLOCK_LINES
      const part = lines.slice(at, at + BLOCK_LINES - offset)
      at += part.length
      const block = this.#blocks.get(index) ?? { lines: [], characters: 0 }
      if (block.lines.length !== offset) continue
      const characters = part.reduce((sum, line) => sum + line.length, 0)
      for (const line of part) block.lines.push(line)
      block.characters += characters
      this.#characters += characters
      this.#blocks.set(index, block)
    }
  }

  /** A whole block from the server; replaces a shorter one. */
  put(index: number, lines: readonly string[]): void {
    const held = this.#blocks.get(index)
    if (held && held.lines.length >= lines.length) return
    if (held) this.#forget(index, held)
    this.append(index * BLOCK_LINES, lines)
  }

  trim(keepFrom: number): void {
    for (const [index, block] of this.#blocks) {
      if (this.#blocks.size <= MOST_BLOCKS && this.#characters <= MOST_CHARACTERS) return
      if (index < keepFrom) this.#forget(index, block)
    }
  }

  clear(): void {
    this.#blocks.clear()
    this.#styles.clear()
    this.#characters = 0
  }

  #forget(index: number, block: Block): void {
    this.#blocks.delete(index)
    this.#characters -= block.characters
  }
}
