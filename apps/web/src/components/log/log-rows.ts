import { tokenise } from './ansi.ts'
import { darkLog, lightLog } from './colours.ts'
import type { Theme } from './colours.ts'
import { roleOf } from './line-role.ts'
import { LineStyles } from './line-styles.ts'
import { LogRow } from './log-row.ts'
import { hitsIn, MOST_CELLS } from './row-text.ts'

/** What the view shows; a `LogFeed` is one. */
export type LogSource = {
  readonly lines: number
  readonly partial: string | null
  readonly version: number
  line(n: number): string | undefined
  want(first: number, last: number): void
}

export type Find = { pattern: RegExp | null; current: { line: number; column: number } | null }

export type LogRowsEvents = {
  /** A row was drawn with something else than it showed. */
  redrawn(line: number): void
  /** A line of so many characters was drawn. */
  wide(cells: number): void
}

export const systemDark = matchMedia('(prefers-color-scheme: dark)')

/** The pool of rows: line `n` is always drawn by the row of its number modulo the pool. */
export class LogRows {
  endText: string | null = null
  /** The line of the permalink, from 0. */
  marked: number | null = null

  readonly #layer: HTMLElement
  readonly #source: LogSource
  readonly #ofAgent: boolean
  readonly #events: LogRowsEvents
  readonly #styles: LineStyles
  readonly #rows: LogRow[] = []
  #find: Find = { pattern: null, current: null }
  #findVersion = 0

  constructor(layer: HTMLElement, source: LogSource, ofAgent: boolean, events: LogRowsEvents) {
    this.#layer = layer
    this.#source = source
    this.#ofAgent = ofAgent
    this.#events = events
    this.#styles = new LineStyles((n) => source.line(n))
  }

  setFind(find: Find): void {
    this.#find = find
    this.#findVersion++
  }

  at(n: number): LogRow | undefined {
    return this.#rows[n % this.#rows.length]
  }

  grow(count: number): void {
    if (this.#rows.length >= count) return
    while (this.#rows.length < count) {
      const row = new LogRow()
      this.#rows.push(row)
      this.#layer.append(row.element)
    }
    this.forget() // lines have other rows now
  }

  /** Everything is drawn anew (the theme has changed). */
  forget(): void {
    for (const row of this.#rows) row.forget()
  }

  forgetStyles(): void {
    this.#styles.clear()
  }

  draw(from: number, to: number): void {
    for (const row of this.#rows) row.element.hidden = true
    const theme = themeNow()
    for (let n = from; n < to; n++) {
      const row = this.at(n)
      if (!row) continue
      row.element.hidden = false
      if (this.#drawRow(row, n, theme)) this.#events.redrawn(n)
    }
  }

  #drawRow(row: LogRow, n: number, theme: Theme): boolean {
    const { lines, partial, version } = this.#source
    const text = n < lines ? this.#source.line(n) : n === lines && partial !== null ? partial : null
    if (text === null) return row.drawEnd(`end ${n} ${this.endText ?? ''}`, this.endText ?? '')
    const marked = n === this.marked
    if (text === undefined) return row.draw(`${n} missing`, n, null, marked, theme)
    const styled = tokenise(text, this.#styles.startOf(n))
    const { pattern, current } = this.#find
    const hits = hitsIn(styled.text, pattern, current?.line === n ? current.column : null)
    const found = hits.length > 0 ? `${this.#findVersion}` : ''
    const changing = n >= lines ? text : `${text.length}`
    const role = roleOf(styled.text, this.#ofAgent)
    this.#events.wide(Math.min(styled.text.length, MOST_CELLS))
    const key = `${n} ${found} ${marked} ${version} ${changing}`
    return row.draw(key, n, { line: styled, hits, role }, marked, theme)
  }
}

function themeNow(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return (chosen ? chosen === 'dark' : systemDark.matches) ? darkLog : lightLog
}
