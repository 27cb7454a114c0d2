import { plainStyle } from '@beadloom/core/text/sgr.ts'
import { tokenise } from '../lines/ansi.ts'
import type { StyledLine } from '../lines/ansi.ts'
import { darkLog, lightLog } from '../lines/colours.ts'
import type { Theme } from '../lines/colours.ts'
import { roleOf } from '../lines/line-role.ts'
import { LineStyles } from '../lines/line-styles.ts'
import type { LogHits } from '../find/log-hits.ts'
import { LogRow, lookKey, plainLook } from './log-row.ts'
import type { RowLook } from './log-row.ts'
import type { LineAt, LogSource, RowAt } from './log-source.ts'
import { hitsIn, MOST_CELLS } from './row-text.ts'
import type { Hit } from './row-text.ts'

/** `pattern` finds hits in drawn lines; without one, hits are the server's. */
export type Find = { pattern: RegExp | null; hits: LogHits | null; current: { line: number; column: number } | null }
export const noFind: Find = { pattern: null, hits: null, current: null }

/**
 * The display of text. `plain`: without the program's colours; `raw`: with text that a carriage return has overwritten.
 */
export type TextChoice = { plain: boolean; raw: boolean }

export type LogRowsEvents = {
  /** A line's look besides its text. */
  look(line: number, isTop: boolean): RowLook
  /** A row was drawn with other content than before. */
  redrawn(line: number): void
  /** A line of this many characters was drawn. */
  wide(cells: number): void
}

export const systemDark = matchMedia('(prefers-color-scheme: dark)')

/** Rows [from, to); `top` is the first visible one. */
export type DrawnRows = { from: number; to: number; top: number }

/**
 * The pool of rows. Their order in the document is that of the lines, so that selected text is what the person sees.
 */
export class LogRows {
  endText: string | null = null

  readonly #layer: HTMLElement
  readonly #source: LogSource
  readonly #ofAgent: boolean
  readonly #events: LogRowsEvents
  readonly #styles: LineStyles
  readonly #rows: LogRow[] = []
  #from = 0
  #find = noFind
  #findVersion = 0
  #choice: TextChoice = { plain: false, raw: false }

  constructor(layer: HTMLElement, source: LogSource, ofAgent: boolean, events: LogRowsEvents) {
    this.#layer = layer
    this.#source = source
    this.#ofAgent = ofAgent
    this.#events = events
    this.#styles = new LineStyles(
      (n) => source.line(n),
      (block) => source.styleOf(block),
    )
  }

  setFind(find: Find): void {
    this.#find = find
    this.#findVersion++
  }

  setChoice(choice: TextChoice): void {
    this.#choice = choice
    this.forget()
  }

  at(row: number): LogRow | undefined {
    return this.#rows[row - this.#from]
  }

  grow(count: number): void {
    while (this.#rows.length < count) {
      const row = new LogRow()
      this.#rows.push(row)
      this.#layer.append(row.element)
    }
  }

  /** Draws everything again (the theme has changed). */
  forget(): void {
    for (const row of this.#rows) row.forget()
  }

  forgetStyles(): void {
    this.#styles.clear()
  }

  draw({ from, to, top }: DrawnRows, rowAt: (row: number) => RowAt): void {
    this.#turn(from)
    const theme = themeNow()
    for (const [index, row] of this.#rows.entries()) {
      const n = from + index
      row.hidden = n >= to
      if (n >= to) continue
      const at = rowAt(n)
      if (at.is === 'end') row.drawEnd(`end ${n} ${this.endText ?? ''}`, this.endText ?? '')
      else if (this.#drawLine(row, at, n === top, theme)) this.#events.redrawn(at.line)
    }
  }

  /** Rows that leave at one end enter at the other; those in between keep their content. */
  #turn(from: number): void {
    const by = from - this.#from
    this.#from = from
    if (by === 0 || Math.abs(by) >= this.#rows.length) return
    const moved = by > 0 ? this.#rows.splice(0, by) : this.#rows.splice(by)
    const elements = moved.map(({ element }) => element)
    if (by > 0) {
      this.#rows.push(...moved)
      this.#layer.append(...elements)
    } else {
      this.#rows.unshift(...moved)
      this.#layer.prepend(...elements)
    }
  }

  #drawLine(row: LogRow, { is, line: n }: LineAt, isTop: boolean, theme: Theme): boolean {
    const partial = is === 'partial'
    const { version } = this.#source
    const text = partial ? this.#source.partial : this.#source.line(n)
    const look = partial ? plainLook : this.#events.look(n, isTop)
    const looks = lookKey(look)
    if (text === undefined || text === null) return row.draw(`${n} missing ${looks}`, n, null, look, theme)
    const { plain, raw } = this.#choice
    const styled = tokenise(text, plain ? plainStyle : this.#styles.startOf(n), raw)
    const line = plain ? { ...styled, runs: [] } : styled
    const hits = this.#hitsOf(n, line)
    const found = hits.length > 0 ? this.#findVersion : ''
    const role = roleOf(line.text, this.#ofAgent)
    this.#events.wide(Math.min(line.text.length + look.note.length, MOST_CELLS))
    const key = `${n} ${found} ${looks} ${version} ${partial ? text : text.length}`
    return row.draw(key, n, { line, hits, role }, look, theme)
  }

  #hitsOf(n: number, line: StyledLine): Hit[] {
    const { pattern, hits, current } = this.#find
    const column = current?.line === n ? current.column - line.skipped : null
    if (pattern !== null) return hitsIn(line.text, pattern, column)
    if (hits === null) return []
    const found: Hit[] = []
    for (let at = hits.from(n); hits.line(at) === n && at < hits.length; at++) {
      const start = hits.column(at) - line.skipped
      if (start >= 0 && hits.size(at) > 0) found.push({ start, end: start + hits.size(at), current: start === column })
    }
    return found
  }
}

function themeNow(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return (chosen ? chosen === 'dark' : systemDark.matches) ? darkLog : lightLog
}
