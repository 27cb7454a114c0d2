import { MOST_CELLS } from './row-text.ts'
import { ROW_PX } from './scroll-space.ts'

/** About what a character of the code font takes. Only a guess: what is drawn is measured. */
const CHARACTER_PX = 7.83
/** Gutter and padding of a row. */
const AROUND_PX = 84
/** More are forgotten all at once; those that are seen are measured again. */
const MOST_MEASURED = 20_000

/** Heights of wrapped lines: measured where a line was drawn, guessed from its length where not. */
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

  /** True when it was thought to be otherwise. */
  measured(n: number, px: number): boolean {
    const height = Math.max(ROW_PX, px)
    const changed = height !== this.of(n)
    if (this.#measured.size >= MOST_MEASURED) this.#measured.clear()
    this.#measured.set(n, height)
    return changed
  }

  /** What was measured at another width is of no use. */
  setWidth(px: number): void {
    if (px === this.#width) return
    this.#width = px
    this.#columns = Math.max(10, Math.floor((px - AROUND_PX) / CHARACTER_PX))
    this.#measured.clear()
  }

  /** The line was drawn again, perhaps with another text. */
  forget(n: number): void {
    this.#measured.delete(n)
  }

  clear(): void {
    this.#measured.clear()
  }
}
