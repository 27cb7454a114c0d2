import { LineHeights } from './line-heights.ts'
import { LogRows, systemDark } from './log-rows.ts'
import type { LogSource } from './log-source.ts'
import type { RowLook } from './log-row.ts'
import { LogScroll } from './log-scroll.ts'
import type { LogShape } from '../folds/log-shape.ts'
import css from './log-view.module.css'
import { ROW_PX } from './scroll-space.ts'
import { placeOf, topOfPlace } from './wrap-space.ts'

export type DrawingOptions = { label: string; ofAgent: boolean; look(line: number, isTop: boolean): RowLook }

const OVERSCAN = 6
/** The most of a row that may be covered while its text stays readable. */
const SPARE_PX = 6
/** Width of the column of times, as in `.timed`. */
const TIMES_PX = 68
/** Each pass knows more heights than the last one; two are enough unless lines are higher than the view. */
const MOST_PASSES = 4
/** Rows in view (`first` to before `last`), and rows drawn. */
type Range = { first: number; last: number; from: number; to: number }
/**
 * Rows are placed relative to a base, so that a row moves only when it is reused for another line, and after a jump,
 * which has its own base, not even then.
 */
const REBASE_PX = 400_000

/** The elements of the view: a viewport that scrolls, and inside it a sticky layer of recycled rows. */
export class LogDrawing {
  readonly viewport = document.createElement('div')
  readonly rows: LogRows
  readonly scroll: LogScroll
  /** Height of the overlay at the upper edge. */
  coveredPx = 0
  readonly #layer = document.createElement('div')
  readonly #source: LogSource
  readonly #shape: LogShape
  readonly #heights: LineHeights
  #base = 0
  #from = 0
  #cells = 0
  #version = -1
  #timed = false
  #windowTop = Number.NaN

  constructor(source: LogSource, shape: LogShape, { label, ofAgent, look }: DrawingOptions) {
    this.#source = source
    this.#shape = shape
    this.#heights = new LineHeights((n) => (n === source.lines ? source.partial : source.line(n))?.length ?? 0)
    this.viewport.className = css['viewport'] ?? ''
    this.viewport.tabIndex = 0
    this.viewport.setAttribute('role', 'region')
    this.viewport.setAttribute('aria-label', label)
    this.viewport.setAttribute('aria-live', 'off')
    this.#layer.className = css['layer'] ?? ''
    const spacer = document.createElement('div')
    spacer.className = css['spacer'] ?? ''
    this.viewport.append(this.#layer, spacer)
    this.rows = new LogRows(this.#layer, source, ofAgent, {
      look,
      redrawn: (n) => this.#heights.forget(n),
      wide: (cells) => this.#widen(cells),
    })
    this.scroll = new LogScroll(this.viewport, spacer, () => shape.rows, this.#heightOf)
  }

  setWrap(on: boolean): void {
    this.scroll.wrap = on
    this.viewport.classList.toggle(css['wrapped'] ?? '', on)
    this.#heights.clear()
  }

  setTimed(on: boolean): void {
    this.#timed = on
    this.viewport.classList.toggle(css['timed'] ?? '', on)
    this.rows.forget()
  }

  draw(following: boolean): void {
    this.scroll.measure()
    this.#heights.setWidth(this.viewport.clientWidth - (this.#timed ? TIMES_PX : 0))
    if (this.#version !== this.#source.version) {
      this.#version = this.#source.version
      this.rows.forgetStyles()
    }
    this.rows.grow(Math.ceil(this.scroll.viewPx / ROW_PX) + 2 * OVERSCAN + 2)
    let range = this.#drawRows(following)
    // Drawn rows are measured now; one that is higher than guessed pushes others out of view.
    for (let pass = 0; this.scroll.wrap && this.#measure(range) && pass < MOST_PASSES; pass++)
      range = this.#drawRows(following)
    this.#placeRows(range)
    const lines = this.#shape.linesOf(range.first, range.last)
    if (lines.length > 0) this.#source.want(lines)
  }

  /** Program colours are adjusted to the theme, so a new theme draws all rows again. */
  onTheme(redraw: () => void, signal: AbortSignal): void {
    const repaint = () => {
      this.rows.forget()
      redraw()
    }
    systemDark.addEventListener('change', repaint, { signal })
    const themes = new MutationObserver(repaint)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    signal.addEventListener('abort', () => themes.disconnect())
  }

  /** Rows that fit into the view, as last measured. */
  get seenRows(): number {
    return Math.ceil(this.scroll.viewPx / ROW_PX)
  }

  /** Lines fully visible at the top, and at least partly at the bottom: [first, last). */
  visibleLines(): { first: number; last: number } {
    const { first, last } = this.scroll.visible()
    if (this.#shape.lineRows === 0) return { first: 0, last: 0 }
    const whole = this.scroll.cutPx > 0 ? first + 1 : first
    return { first: this.#shape.lineNear(whole), last: this.#shape.lineNear(last - 1) + 1 }
  }

  /** Lines to be drawn next, [first, last), as far as that is known before their heights are. */
  nextLines(following: boolean): number[] {
    this.scroll.measure()
    const { rows } = this.#shape
    const seen = following
      ? { first: rows - Math.ceil(this.scroll.viewPx / ROW_PX), last: rows }
      : this.scroll.visible()
    return this.#shape.linesOf(Math.max(0, seen.first - OVERSCAN), seen.last + OVERSCAN)
  }

  /** The pane may have moved within the window; `still`: its text has not. */
  stayInWindow(still: boolean): void {
    const { top } = this.viewport.getBoundingClientRect()
    const by = top - this.#windowTop
    this.#windowTop = top
    this.scroll.measure()
    if (still && Number.isFinite(by) && by !== 0) this.scroll.moveTo(this.scroll.away(this.scroll.top, by))
  }

  /** The line at a vertical position of the window. */
  lineAt(clientY: number): number {
    const px = clientY - this.viewport.getBoundingClientRect().top
    return this.#shape.lineNear(Math.floor(this.scroll.away(this.scroll.top, px) / ROW_PX))
  }

  /** Scrolls a line to the middle, unless it is visible already. */
  reveal(line: number): void {
    this.scroll.measure()
    const row = this.#shape.map.rowOf(line)
    const { first, last } = this.scroll.visible()
    if (row <= first || row >= last - 2) this.scroll.moveTo(this.scroll.away(row * ROW_PX, -this.scroll.viewPx / 2))
  }

  /** Scrolls a line into view, at the nearest edge. */
  nudge(line: number): void {
    const row = this.#shape.map.rowOf(line)
    const { first, last } = this.scroll.visible()
    if (row <= first) this.scroll.moveTo(row * ROW_PX)
    else if (row >= last - 1) this.scroll.moveTo(this.scroll.away(this.scroll.top, (row - last + 2) * ROW_PX))
  }

  /** Scrolls a line to the upper edge. */
  toTop(line: number): void {
    this.scroll.moveTo(this.#shape.map.rowOf(line) * ROW_PX)
  }

  /** Adds and removes rows while the first visible line stays in its place. */
  keepPlace(change: () => void): void {
    const { first } = this.scroll.visible()
    const at = this.#shape.at(Math.min(first, Math.max(0, this.#shape.rows - 1)))
    const px = this.scroll.cutPx
    change()
    this.rows.forget()
    if (at.is !== 'line') return
    const place = { line: this.#shape.map.rowOf(at.line), px: this.#shape.map.shows(at.line) ? px : 0 }
    this.scroll.moveTo(this.scroll.wrap ? topOfPlace(place, this.#heightOf) : place.line * ROW_PX + place.px)
  }

  readonly #heightOf = (row: number): number => {
    const at = this.#shape.at(row)
    return at.is === 'end' ? ROW_PX : this.#heights.of(at.line)
  }

  /** Draws the rows visible at the current position. */
  #drawRows(following: boolean): Range {
    this.scroll.size()
    if (following) this.scroll.toEnd()
    else this.scroll.rowsChanged()
    const { first, last } = this.scroll.visible()
    const from = Math.max(0, first - OVERSCAN)
    const to = Math.min(this.#shape.rows, last + OVERSCAN)
    this.rows.draw({ from, to, top: first + this.#coveredRows }, this.#shape.at)
    return { first, last, from, to }
  }

  /** Number of rows at the top that are covered, wholly or in part. */
  get #coveredRows(): number {
    return this.scroll.wrap ? 1 : Math.max(0, Math.ceil((this.scroll.cutPx + this.coveredPx - SPARE_PX) / ROW_PX))
  }

  #placeRows({ first, from, to }: Range): void {
    if (!this.scroll.wrap) {
      const jumped = Math.abs(from - this.#from) > to - from
      this.#from = from
      if (jumped || Math.abs(from - this.#base) * ROW_PX > REBASE_PX) this.#base = from
      this.#layer.style.transform = `translateY(${this.#base * ROW_PX - this.scroll.top}px)`
      for (let n = from; n < to; n++) this.rows.at(n)?.place((n - this.#base) * ROW_PX)
      return
    }
    const { px } = placeOf(this.scroll.top, this.#heightOf)
    this.#layer.style.transform = 'none'
    let y = -px
    for (let n = first - 1; n >= from; n--) y -= this.#heightOf(n)
    for (let n = from; n < to; n++) {
      this.rows.at(n)?.place(y)
      y += this.#heightOf(n)
    }
  }

  /** True if a line has another height than assumed. */
  #measure({ from, to }: Range): boolean {
    let changed = false
    for (let n = from; n < to; n++) {
      const row = this.rows.at(n)
      const at = this.#shape.at(n)
      if (row && at.is !== 'end' && !this.#heights.has(at.line))
        changed = this.#heights.measured(at.line, row.height) || changed
    }
    return changed
  }

  /**
   * Makes the layer as wide as the longest line so far, so that gutters stay at the left edge while scrolling sideways.
   */
  #widen(cells: number): void {
    if (cells <= this.#cells) return
    this.#cells = cells
    this.viewport.style.setProperty('--cells', String(cells))
  }
}
