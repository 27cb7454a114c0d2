import { MOST_CELLS } from './row-text.ts'
import { ROW_PX } from './scroll-space.ts'

/** The approximate width of a character in the code font. Drawn lines are measured instead. */
const CHARACTER_PX = 7.83
/** Gutter and padding of a row. */
const AROUND_PX = 84
/** Beyond this, all are dropped at once; lines in view are measured again. */
const MOST_MEASURED = 20_000

/** Heights of wrapped lines: measured if the line was drawn, otherwise guessed from its length. */
export class LineHeights {
  readonly #length: (n: number) => number
  readonly #measured = new Map<number, number>()
  #columns = 80
  #width = 0

  constructor(length: (n: number) => number) {
    this.#length = length
  }

  of = (n: number): number => {
    const known = this.#measured.get(n)
    if (known !== undefined) return known
    const cells = Math.min(this.#length(n), MOST_CELLS)
    return Math.max(1, Math.ceil(cells / this.#columns)) * ROW_PX
  }

  has(n: number): boolean {
    return this.#measured.has(n)
  }

  /** Stores a measured height; true if it differs from the old one. */
  measured(n: number, px: number): boolean {
    const height = Math.max(ROW_PX, px)
    const changed = height !== this.of(n)
    if (this.#measured.size >= MOST_MEASURED) this.#measured.clear()
    this.#measured.set(n, height)
    return changed
  }

  /** A new width makes all measurements useless. */
  setWidth(px: number): void {
    if (px === this.#width) return
    this.#width = px
    this.#columns = Math.max(10, Math.floor((px - AROUND_PX) / CHARACTER_PX))
    this.#measured.clear()
  }

  /** The line was drawn again, perhaps with new text. */
  forget(n: number): void {
    this.#measured.delete(n)
  }

  clear(): void {
    this.#measured.clear()
  }
}
