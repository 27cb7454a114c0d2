import type { LogSection } from '@beadloom/core/api.ts'
import { nextFollow, unseenLines } from './follow.ts'
import type { Follow, FollowEvent } from './follow.ts'
import { extended, linesOf, sameLines } from './line-selection.ts'
import type { Lines, LineSelection } from './line-selection.ts'
import type { LineMap } from './line-map.ts'
import { LogDrawing } from './log-drawing.ts'
import { sectionsAt, sectionStep } from './log-folds.ts'
import { listenForGestures } from './log-gestures.ts'
import { LogLooks } from './log-looks.ts'
import { LogOverlay } from './log-overlay.ts'
import type { Find, LogSource, TextChoice } from './log-rows.ts'
import type { Moved } from './log-scroll.ts'
import { LogShape } from './log-shape.ts'
import { ROW_PX } from './scroll-space.ts'

export type LogViewState = {
  following: boolean
  unseen: number
  /** Visible lines, [first, last). */
  firstLine: number
  lastLine: number
  selected: Lines | null
}
export type LogViewOptions = {
  label: string
  /** The log of an agent: its lines are told apart by what they are. */
  ofAgent: boolean
  onState(state: LogViewState): void
  /** A person has chosen lines, or none. */
  onSelect(lines: Lines | null): void
  /** A person wants to see the whole of a line. */
  onOpen(line: number): void
  onCopy(lines: Lines): void
}

/**
 * The pane of a log: rows of a fixed height, recycled, outside of React. The layer of rows sticks to the view, so what
 * is seen while the main thread is busy is late, but never blank.
 */
export class LogView {
  readonly #host: HTMLElement
  readonly #source: LogSource
  readonly #options: LogViewOptions
  readonly #shape: LogShape
  readonly #looks: LogLooks
  readonly #drawing: LogDrawing
  readonly #overlay: LogOverlay
  readonly #stop = new AbortController()
  readonly #observer: ResizeObserver

  #follow: Follow = { is: 'following' }
  #frame = 0
  #told = ''

  constructor(host: HTMLElement, source: LogSource, options: LogViewOptions) {
    this.#host = host
    this.#source = source
    this.#options = options
    this.#shape = new LogShape(source)
    this.#looks = new LogLooks(this.#shape)
    this.#drawing = new LogDrawing(source, this.#shape, { ...options, look: this.#looks.of })
    host.replaceChildren(this.#drawing.viewport)
    this.#overlay = new LogOverlay(host, (line) => this.goTo(line))
    this.#listen()
    this.#observer = new ResizeObserver(() => this.#resized())
    this.#observer.observe(this.#drawing.viewport)
    this.refresh()
  }

  destroy(): void {
    this.#stop.abort()
    this.#observer.disconnect()
    this.#overlay.destroy()
    cancelAnimationFrame(this.#frame)
    this.#host.replaceChildren()
  }

  /** Draws again before the next paint; call it as often as you like. */
  refresh(): void {
    this.#frame ||= requestAnimationFrame(() => this.#draw())
  }

  setEnd(text: string | null): void {
    this.#shape.endText = text
    this.#drawing.rows.endText = text
    this.refresh()
  }

  /** Long lines take as many rows as they need; the line at the top stays there. */
  setWrap(on: boolean): void {
    if (on === this.#drawing.scroll.wrap) return
    this.#drawing.setWrap(on)
    this.refresh()
  }

  setText(choice: TextChoice): void {
    this.#drawing.rows.setChoice(choice)
    this.refresh()
  }

  setFind(find: Find): void {
    this.#drawing.rows.setFind(find)
    if (find.current) this.goTo(find.current.line)
    this.refresh()
  }

  /** Only these lines, or all of them. */
  setFilter(filter: LineMap | null): void {
    this.#reshape(() => (this.#shape.filter = filter))
  }

  setErrors(isError: (line: number) => boolean): void {
    this.#looks.isError = isError
    this.refresh()
  }

  setSections(sections: readonly LogSection[]): void {
    this.#reshape(() => this.#shape.folds.setSections(sections))
  }

  setFoldFinished(on: boolean): void {
    this.#reshape(() => this.#shape.folds.setFoldFinished(on))
  }

  /** The innermost section around a line, or around what is at hand. */
  toggleFold(line = this.#lineInHand()): void {
    this.#tellFollow({ type: 'held' })
    this.#reshape(() => this.#shape.folds.toggle(line))
  }

  toggleAllFolds(): void {
    this.#tellFollow({ type: 'held' })
    this.#reshape(() => this.#shape.folds.toggleAll())
  }

  /** From here on is new to who comes back. */
  setSince(since: { line: number; text: string } | null): void {
    this.#looks.since = since
    this.refresh()
  }

  get selected(): Lines | null {
    const { selection } = this.#looks
    return selection && linesOf(selection)
  }

  /** Chooses lines (a permalink) and shows them; what a person has just chosen is not chosen again. */
  select(lines: Lines | null): void {
    if (sameLines(lines, this.selected)) return
    this.#looks.selection = lines && { anchor: lines.first, head: lines.last }
    if (lines !== null) this.goTo(lines.first)
    this.refresh()
  }

  /** By a key: the selection's end moves and stays visible. Without a selection it begins at the first visible line. */
  extend(by: number): void {
    if (this.#source.lines === 0) return
    this.#tellFollow({ type: 'held' })
    const selection = extended(this.#looks.selection, by, this.#lineInHand(), this.#source.lines)
    this.#choose(selection)
    this.#drawing.nudge(selection.head)
  }

  selectAll(): void {
    if (this.#source.lines === 0) return
    this.#tellFollow({ type: 'held' })
    this.#choose({ anchor: 0, head: this.#source.lines - 1 })
  }

  clearSelection(): void {
    this.#choose(null)
  }

  /** Puts a line into the middle, unless it is visible already. A fold that hides it opens. */
  goTo(line: number): void {
    this.#tellFollow({ type: 'held' })
    this.#reveal(line)
    this.#drawing.reveal(line)
    this.refresh()
  }

  /** To the head of the next section, or of the one before. */
  stepSection(by: 1 | -1): void {
    const line = sectionStep(this.#shape.folds.sections, this.#drawing.visibleLines().first, by)
    if (line === null) return
    this.#tellFollow({ type: 'held' })
    this.#reveal(line)
    this.#drawing.toTop(line)
    this.refresh()
  }

  moveLines(lines: number): void {
    this.#byPerson(this.#drawing.scroll.away(this.#drawing.scroll.top, lines * ROW_PX))
  }

  movePages(pages: number): void {
    this.moveLines(Math.round(pages * Math.max(1, Math.floor(this.#drawing.scroll.viewPx / ROW_PX) - 1)))
  }

  toStart(): void {
    this.#byPerson(0)
  }

  toEnd(): void {
    this.#tellFollow({ type: 'to-end' })
    this.refresh()
  }

  focus(): void {
    this.#drawing.viewport.focus()
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.#drawing.draw(this.#follow.is === 'following')
    this.#tell()
  }

  /** What comes and goes above the log (a banner at its end) leaves the text where it is being read. */
  #resized(): void {
    this.#drawing.stayInWindow(this.#follow.is === 'paused')
    this.#draw() // before the paint that shows the new size
  }

  #choose(selection: LineSelection | null): void {
    this.#looks.selection = selection
    this.#options.onSelect(this.selected)
    this.refresh()
  }

  #reveal(line: number): void {
    const { filter, folds } = this.#shape
    if (filter === null && !folds.map.shows(line)) this.#reshape(() => folds.reveal(line))
  }

  #reshape(change: () => void): void {
    this.#drawing.keepPlace(change)
    this.refresh()
  }

  /** What keys mean that act on a line. */
  #lineInHand(): number {
    return this.#looks.selection?.head ?? this.#drawing.visibleLines().first
  }

  #listen(): void {
    const { signal } = this.#stop
    const { viewport, scroll } = this.#drawing
    viewport.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true })
    listenForGestures(viewport, {
      signal,
      lineAt: (y) => this.#drawing.lineAt(y),
      wheel: (px) => {
        if (px < 0) this.#tellFollow({ type: 'moved', up: true, atEnd: scroll.top <= 0 })
        // Where the thumb is a proportion, one notch of the wheel would be hundreds of lines.
        if (!scroll.isScaled) return false
        this.#byPerson(scroll.away(scroll.top, px))
        return true
      },
      select: (line, how) => {
        this.#tellFollow({ type: 'held' })
        this.#looks.selection = {
          anchor: how === 'extend' ? (this.#looks.selection?.anchor ?? line) : line,
          head: line,
        }
        this.refresh()
      },
      selected: () => this.#choose(this.#looks.selection),
      selectAll: () => this.selectAll(),
      copy: () => {
        const lines = this.selected
        if (lines !== null) this.#options.onCopy(lines)
        return lines !== null
      },
      fold: (line) => this.toggleFold(line),
      open: (line) => this.#options.onOpen(line),
      textSelected: () => this.#tellFollow({ type: 'held' }),
      creep: (lines) => this.moveLines(lines),
    })
    this.#drawing.onTheme(() => this.refresh(), signal)
  }

  #scrolled(): void {
    const move = this.#drawing.scroll.scrolled()
    if (move) {
      this.#tellMove(move)
      if (move.far) this.#overlay.showPlace(this.#drawing.visibleLines().first, this.#source.lines)
    }
    this.refresh()
  }

  #byPerson(target: number): void {
    this.#tellMove(this.#drawing.scroll.towards(target))
    this.#drawing.scroll.moveTo(target)
    this.refresh()
  }

  #tellMove({ up, atEnd }: Moved): void {
    this.#tellFollow({ type: 'moved', up, atEnd })
  }

  #tellFollow(event: FollowEvent): void {
    this.#follow = nextFollow(this.#follow, event, this.#source.lines)
  }

  /** What is seen now. */
  get state(): LogViewState {
    const { first, last } = this.#drawing.visibleLines()
    return {
      following: this.#follow.is === 'following',
      unseen: unseenLines(this.#follow, this.#source.lines),
      firstLine: first,
      lastLine: last,
      selected: this.selected,
    }
  }

  #tell(): void {
    const { state } = this
    const around = this.#shape.filter ? [] : sectionsAt(this.#shape.folds.sections, state.firstLine)
    this.#overlay.showSections(around.some((section) => section.first === state.firstLine) ? [] : around)
    const { selected } = state
    const key = `${state.following} ${state.unseen} ${state.firstLine} ${state.lastLine} ${selected?.first} ${selected?.last}`
    if (key === this.#told) return
    this.#told = key
    this.#options.onState(state)
  }
}
