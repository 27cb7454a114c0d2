import { clampTop, isScaled, lastTop, ROW_PX, scrollOf, spacerPx, topOf, visibleRows } from './scroll-space.ts'
import type { Space } from './scroll-space.ts'
import { endTop, lastFrom, moved, placeOf, topOfPlace } from './wrap-space.ts'
import type { HeightOf } from './wrap-space.ts'

export type Moved = { up: boolean; atEnd: boolean; far: boolean }

/** The position of the view among its rows, and the scroll bar that shows it. */
export class LogScroll {
  top = 0
  viewPx = 0
  wrap = false
  readonly #viewport: HTMLElement
  readonly #spacer: HTMLElement
  readonly #rows: () => number
  readonly #heightOf: HeightOf
  /** The scroll position that we set ourselves: its event is not a person's movement. */
  #expected = -1

  constructor(viewport: HTMLElement, spacer: HTMLElement, rows: () => number, heightOf: HeightOf) {
    this.#viewport = viewport
    this.#spacer = spacer
    this.#rows = rows
    this.#heightOf = heightOf
  }

  get space(): Space {
    const rows = this.#rows()
    const space = { rows, viewPx: this.viewPx }
    return this.wrap ? { ...space, end: endTop(rows, this.viewPx, this.#heightOf) } : space
  }

  get isScaled(): boolean {
    return isScaled(this.space)
  }

  /** The position that is this many pixels on the screen away from another. */
  away(top: number, px: number): number {
    if (!this.wrap) return top + px
    const place = moved(placeOf(top, this.#heightOf), px, this.#rows(), this.#heightOf)
    return topOfPlace(place, this.#heightOf)
  }

  /** Rows that are at least partly visible: [first, last). */
  visible(): { first: number; last: number } {
    const { space } = this
    if (!this.wrap) return visibleRows(space, this.top)
    const place = placeOf(this.top, this.#heightOf)
    return { first: place.line, last: lastFrom(place, space.viewPx, space.rows, this.#heightOf) }
  }

  /** Height of the part of the first visible row that is above the view, in pixels. */
  get cutPx(): number {
    return this.wrap ? placeOf(this.top, this.#heightOf).px : this.top % ROW_PX
  }

  measure(): void {
    this.viewPx = this.#viewport.clientHeight
  }

  size(): void {
    this.#spacer.style.height = `${spacerPx(this.space)}px`
  }

  moveTo(top: number): void {
    const { space } = this
    this.top = clampTop(space, top)
    this.#viewport.scrollTop = scrollOf(space, this.top)
    this.#expected = this.#viewport.scrollTop // browsers round it
  }

  toEnd(): void {
    this.moveTo(lastTop(this.space))
  }

  /** The number of rows changed: the thumb follows, the view stays. */
  rowsChanged(): void {
    if (this.isScaled || this.top > lastTop(this.space)) this.moveTo(this.top)
  }

  /** The movement to this position. */
  towards(target: number): Moved {
    const end = lastTop(this.space)
    return {
      up: target < this.top,
      atEnd: clampTop(this.space, target) >= end - 2,
      far: Math.abs(target - this.top) > 4 * this.viewPx,
    }
  }

  /** Takes over the browser's scroll position; null if we set it ourselves. */
  scrolled(): Moved | null {
    const scroll = this.#viewport.scrollTop
    if (Math.abs(scroll - this.#expected) <= 1) return null
    const top = topOf(this.space, scroll)
    const move = this.towards(top)
    this.top = top
    this.#expected = scroll
    return move
  }
}
