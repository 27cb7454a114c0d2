import { nextFollow, unseenLines } from './follow.ts'
import type { Follow, FollowEvent } from './follow.ts'
import { LineHeights } from './line-heights.ts'
import { LogRows, systemDark } from './log-rows.ts'
import type { Find, LogSource } from './log-rows.ts'
import css from './log-view.module.css'
import { clampTop, isScaled, lastTop, ROW_PX, scrollOf, spacerPx, topOf, visibleRows } from './scroll-space.ts'
import type { Space } from './scroll-space.ts'
import { endTop, lastFrom, moved, placeOf, topOfPlace } from './wrap-space.ts'

export type LogViewState = { following: boolean; unseen: number; firstLine: number; lastLine: number; atStart: boolean }
export type LogViewOptions = {
  label: string
  /** The log of an agent: its lines are told apart by what they are. */
  ofAgent: boolean
  onState(state: LogViewState): void
  onPermalink(line: number): void
}

const OVERSCAN = 6
/** Each pass knows more heights than the one before; two are enough unless lines are higher than the view. */
const MOST_PASSES = 4
/** Lines that are seen (`first` to before `last`), and those that are drawn. */
type Range = { first: number; last: number; from: number; to: number }
/** Rows are placed relative to a base, so that a row moves only when it is used for another line. */
const REBASE_PX = 400_000

/**
 * The pane of a log: rows of a fixed height, recycled, outside of React. The layer of rows sticks to the view, so what
 * is seen while the main thread is busy is late, but never blank.
 */
export class LogView {
  readonly #host: HTMLElement
  readonly #source: LogSource
  readonly #options: LogViewOptions
  readonly #viewport = document.createElement('div')
  readonly #layer = document.createElement('div')
  readonly #spacer = document.createElement('div')
  readonly #heights: LineHeights
  readonly #rows: LogRows
  readonly #stop = new AbortController()
  readonly #observer: ResizeObserver

  #follow: Follow = { is: 'following' }
  #top = 0
  /** The scroll position that we set ourselves: its event is no movement of a person. */
  #expected = -1
  #base = 0
  #viewPx = 0
  #cells = 0
  #version = -1
  #frame = 0
  #told = ''
  #wrap = false

  constructor(host: HTMLElement, source: LogSource, options: LogViewOptions) {
    this.#host = host
    this.#source = source
    this.#options = options
    this.#heights = new LineHeights((n) => (n === source.lines ? source.partial : source.line(n))?.length ?? 0)
    this.#viewport.className = css['viewport'] ?? ''
    this.#viewport.tabIndex = 0
    this.#viewport.setAttribute('role', 'region')
    this.#viewport.setAttribute('aria-label', options.label)
    this.#viewport.setAttribute('aria-live', 'off')
    this.#layer.className = css['layer'] ?? ''
    this.#spacer.className = css['spacer'] ?? ''
    this.#viewport.append(this.#layer, this.#spacer)
    this.#rows = new LogRows(this.#layer, source, options.ofAgent, {
      redrawn: (n) => this.#heights.forget(n),
      wide: (cells) => this.#widen(cells),
    })
    host.replaceChildren(this.#viewport)
    this.#listen()
    this.#observer = new ResizeObserver(() => this.refresh())
    this.#observer.observe(this.#viewport)
    this.refresh()
  }

  destroy(): void {
    this.#stop.abort()
    this.#observer.disconnect()
    cancelAnimationFrame(this.#frame)
    this.#host.replaceChildren()
  }

  /** Draws again before the next paint; call it as often as you like. */
  refresh(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      this.#draw()
    })
  }

  setEnd(text: string | null): void {
    this.#rows.endText = text
    this.refresh()
  }

  /** Long lines take as many rows as they need; the line at the top stays there. */
  setWrap(on: boolean): void {
    if (on === this.#wrap) return
    this.#wrap = on
    this.#viewport.classList.toggle(css['wrapped'] ?? '', on)
    this.#heights.clear()
    this.refresh()
  }

  setFind(find: Find): void {
    this.#rows.setFind(find)
    if (find.current) this.goTo(find.current.line)
    this.refresh()
  }

  /** Marks a line (a permalink) and shows it. */
  mark(line: number | null): void {
    this.#rows.marked = line
    if (line !== null) this.goTo(line)
    this.refresh()
  }

  /** Puts a line into the middle, unless it is visible already. */
  goTo(line: number): void {
    this.#tellFollow({ type: 'held' })
    const { first, last } = this.#visible(this.#space())
    if (line <= first || line >= last - 2) this.#moveTo(this.#away(line * ROW_PX, -this.#viewPx / 2))
    this.refresh()
  }

  moveLines(lines: number): void {
    this.#byPerson(this.#away(this.#top, lines * ROW_PX))
  }

  movePages(pages: number): void {
    this.moveLines(pages * Math.max(1, Math.floor(this.#viewPx / ROW_PX) - 1))
  }

  toStart(): void {
    this.#byPerson(0)
  }

  toEnd(): void {
    this.#tellFollow({ type: 'to-end' })
    this.refresh()
  }

  focus(): void {
    this.#viewport.focus()
  }

  #listen(): void {
    const { signal } = this.#stop
    const options = { signal, passive: true }
    this.#viewport.addEventListener('scroll', () => this.#scrolled(), options)
    this.#viewport.addEventListener(
      'wheel',
      (event) => {
        if (event.deltaY < 0) this.#tellFollow({ type: 'moved', up: true, atEnd: this.#top <= 0 })
        // Where the thumb is a proportion, one notch of the wheel would be hundreds of lines.
        if (!isScaled(this.#space()) || event.ctrlKey || event.deltaY === 0) return
        event.preventDefault()
        this.#byPerson(this.#away(this.#top, event.deltaY * (event.deltaMode === 1 ? ROW_PX : 1)))
      },
      { signal, passive: false },
    )
    this.#viewport.addEventListener(
      'click',
      (event) => {
        const number = event.target instanceof HTMLElement ? event.target.dataset['line'] : undefined
        if (number === undefined) return
        event.preventDefault()
        this.#options.onPermalink(Number(number))
      },
      { signal },
    )
    document.addEventListener(
      'selectionchange',
      () => {
        const selection = getSelection()
        if (selection && !selection.isCollapsed && this.#viewport.contains(selection.anchorNode))
          this.#tellFollow({ type: 'held' })
      },
      options,
    )
    const repaint = () => {
      this.#rows.forget()
      this.refresh()
    }
    systemDark.addEventListener('change', repaint, options)
    const themes = new MutationObserver(repaint)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    signal.addEventListener('abort', () => themes.disconnect())
  }

  #scrolled(): void {
    const scroll = this.#viewport.scrollTop
    if (Math.abs(scroll - this.#expected) > 1) {
      const space = this.#space()
      const top = topOf(space, scroll)
      this.#tellFollow({ type: 'moved', up: top < this.#top, atEnd: top >= lastTop(space) - 2 })
      this.#top = top
      this.#expected = scroll
    }
    this.refresh()
  }

  #byPerson(target: number): void {
    const space = this.#space()
    const top = clampTop(space, target)
    this.#tellFollow({ type: 'moved', up: target < this.#top, atEnd: top >= lastTop(space) - 2 })
    this.#moveTo(top)
    this.refresh()
  }

  #moveTo(top: number): void {
    const space = this.#space()
    this.#top = clampTop(space, top)
    this.#viewport.scrollTop = scrollOf(space, this.#top)
    this.#expected = this.#viewport.scrollTop // browsers round it
  }

  #tellFollow(event: FollowEvent): void {
    this.#follow = nextFollow(this.#follow, event, this.#source.lines)
  }

  #space(): Space {
    const extra = (this.#source.partial === null ? 0 : 1) + (this.#rows.endText === null ? 0 : 1)
    const rows = this.#source.lines + extra
    const space = { rows, viewPx: this.#viewPx }
    return this.#wrap ? { ...space, end: endTop(rows, this.#viewPx, this.#heights.of) } : space
  }

  /** The position that is so many pixels on the screen away from another. */
  #away(top: number, px: number): number {
    if (!this.#wrap) return top + px
    const { rows } = this.#space()
    return topOfPlace(moved(placeOf(top, this.#heights.of), px, rows, this.#heights.of), this.#heights.of)
  }

  #visible(space: Space): { first: number; last: number } {
    if (!this.#wrap) return visibleRows(space, this.#top)
    const place = placeOf(this.#top, this.#heights.of)
    return { first: place.line, last: lastFrom(place, space.viewPx, space.rows, this.#heights.of) }
  }

  #draw(): void {
    this.#viewPx = this.#viewport.clientHeight
    this.#heights.setWidth(this.#viewport.clientWidth)
    if (this.#version !== this.#source.version) {
      this.#version = this.#source.version
      this.#rows.forgetStyles()
    }
    this.#rows.grow(Math.ceil(this.#viewPx / ROW_PX) + 2 * OVERSCAN + 2)
    let range = this.#drawRows()
    // What was drawn is measured now, and what turned out higher pushes others out of the view.
    for (let pass = 0; this.#wrap && this.#measure(range) && pass < MOST_PASSES; pass++) range = this.#drawRows()
    this.#placeRows(range)
    this.#source.want(range.first, Math.min(range.last, this.#source.lines) - 1)
    this.#tell(range.first, range.last)
  }

  /** Draws what is to be seen from where the view stands now. */
  #drawRows(): Range {
    const space = this.#space()
    this.#spacer.style.height = `${spacerPx(space)}px`
    if (this.#follow.is === 'following') this.#moveTo(lastTop(space))
    else if (isScaled(space) || this.#top > lastTop(space)) this.#moveTo(this.#top)
    const { first, last } = this.#visible(space)
    const from = Math.max(0, first - OVERSCAN)
    const to = Math.min(space.rows, last + OVERSCAN)
    this.#rows.draw(from, to)
    return { first, last, from, to }
  }

  #placeRows({ first, from, to }: Range): void {
    if (!this.#wrap) {
      this.#rebase(from)
      this.#layer.style.transform = `translateY(${this.#base * ROW_PX - this.#top}px)`
      for (let n = from; n < to; n++) this.#rows.at(n)?.place((n - this.#base) * ROW_PX)
      return
    }
    const { px } = placeOf(this.#top, this.#heights.of)
    this.#layer.style.transform = 'none'
    let y = -px
    for (let n = first - 1; n >= from; n--) y -= this.#heights.of(n)
    for (let n = from; n < to; n++) {
      this.#rows.at(n)?.place(y)
      y += this.#heights.of(n)
    }
  }

  /** True when a line is of another height than was thought. */
  #measure({ from, to }: Range): boolean {
    let changed = false
    for (let n = from; n < to; n++) {
      const row = this.#rows.at(n)
      if (row && !this.#heights.has(n)) changed = this.#heights.measured(n, row.height) || changed
    }
    return changed
  }

  #rebase(first: number): void {
    if (Math.abs(first - this.#base) * ROW_PX > REBASE_PX) this.#base = first
  }

  /** Wide enough for the longest line seen, so that gutters stay at the left edge while scrolling sideways. */
  #widen(cells: number): void {
    if (cells <= this.#cells) return
    this.#cells = cells
    this.#viewport.style.setProperty('--cells', String(cells))
  }

  #tell(first: number, last: number): void {
    const { lines } = this.#source
    const state: LogViewState = {
      following: this.#follow.is === 'following',
      unseen: unseenLines(this.#follow, lines),
      firstLine: first,
      lastLine: Math.min(last, lines),
      atStart: this.#top <= 0,
    }
    const key = JSON.stringify(state)
    if (key === this.#told) return
    this.#told = key
    this.#options.onState(state)
  }
}
