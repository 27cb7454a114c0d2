import { DrawPace } from './draw-pace.ts'
import type { Lines } from '../lines/line-selection.ts'
import type { LineMap } from '../folds/line-map.ts'
import { LogChoice } from '../lines/log-choice.ts'
import { LogDrawing } from './log-drawing.ts'
import { LogFolding } from '../folds/log-folding.ts'
import { sectionsAt } from '../folds/log-folds.ts'
import { listenForGestures } from './log-gestures.ts'
import { LogLooks } from './log-looks.ts'
import { LogMoves } from './log-moves.ts'
import { LogOverlay } from './log-overlay.ts'
import type { TimesBy } from '../lines/log-times.ts'
import type { Find, TextChoice } from './log-rows.ts'
import type { LogSource } from './log-source.ts'
import { LogShape } from '../folds/log-shape.ts'

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
  /** The log is an agent's: lines are styled by their roles. */
  ofAgent: boolean
  onState(state: LogViewState): void
  /** A person has selected lines; null: cleared the selection. */
  onSelect(lines: Lines | null): void
  /** A person wants to see a whole line. */
  onOpen(line: number): void
  onCopy(lines: Lines): void
}

/**
 * The pane of a log: recycled rows of a fixed height, outside of React. The layer of rows sticks to the view, so while
 * the main thread is busy, the view may be late but never blank.
 */
export class LogView {
  readonly moves: LogMoves
  readonly choice: LogChoice
  readonly folding: LogFolding
  readonly #host: HTMLElement
  readonly #options: LogViewOptions
  readonly #source: LogSource
  readonly #shape: LogShape
  readonly #looks: LogLooks
  readonly #drawing: LogDrawing
  readonly #overlay: LogOverlay
  readonly #stop = new AbortController()
  readonly #observer: ResizeObserver
  readonly #pace = new DrawPace({ draw: () => this.refresh(), after })

  #frame = 0
  #told = ''

  constructor(host: HTMLElement, source: LogSource, options: LogViewOptions) {
    this.#host = host
    this.#options = options
    this.#source = source
    this.#shape = new LogShape(source)
    this.#looks = new LogLooks(this.#shape, source.marks)
    this.#drawing = new LogDrawing(source, this.#shape, { ...options, look: this.#looks.of })
    host.replaceChildren(this.#drawing.viewport)
    this.#overlay = new LogOverlay(host, (line) => this.goTo(line))
    const refresh = () => this.refresh()
    this.moves = new LogMoves(source, this.#drawing, {
      refresh,
      far: () => this.#overlay.showPlace(this.#drawing.visibleLines().first, source.lines),
    })
    this.choice = new LogChoice(source, this.#shape, this.#looks, {
      hold: () => this.moves.hold(),
      chosen: (lines) => options.onSelect(lines),
      refresh,
    })
    const parts = { source, shape: this.#shape, drawing: this.#drawing, looks: this.#looks, moves: this.moves }
    this.folding = new LogFolding(parts, refresh)
    this.#listen()
    this.#observer = new ResizeObserver(() => this.#resized())
    this.#observer.observe(this.#drawing.viewport)
    this.refresh()
  }

  destroy(): void {
    this.#stop.abort()
    this.#observer.disconnect()
    this.#overlay.destroy()
    this.#pace.stop()
    cancelAnimationFrame(this.#frame)
    this.#host.replaceChildren()
  }

  /** Draws again before the next paint; call it as often as you like. */
  refresh(): void {
    this.#frame ||= requestAnimationFrame(() => this.#draw())
  }

  /** The log has changed by itself: draws as soon as a person could read it. */
  changed(): void {
    this.#pace.grew(this.#source.lines, this.#drawing.seenRows)
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

  /** The clock of the times beside the lines; null for none. */
  setTimes(by: TimesBy | null): void {
    this.#looks.times = by
    this.#drawing.setTimed(by !== null)
    this.refresh()
  }

  setFind(find: Find): void {
    this.#drawing.rows.setFind(find)
    if (find.current) this.goTo(find.current.line)
    this.refresh()
  }

  /** Shows only these lines; null: all. */
  setFilter(filter: LineMap | null): void {
    this.#drawing.keepPlace(() => (this.#shape.filter = filter))
    this.refresh()
  }

  setErrors(isError: (line: number) => boolean): void {
    this.#looks.isError = isError
    this.refresh()
  }

  /** Marks a line as the first new one for somebody who comes back. */
  setSince(since: { line: number; text: string } | null): void {
    this.#looks.since = since
    this.refresh()
  }

  /** Selects lines (a permalink) and shows them, unless a person has just selected the same. */
  select(lines: Lines | null): void {
    if (this.choice.put(lines) && lines !== null) this.goTo(lines.first)
  }

  /**
   * Moves the selection's end, for a key, and keeps it visible. Without a selection it starts at the first visible
   * line.
   */
  extend(by: number): void {
    const head = this.choice.extend(by, this.lineInHand)
    if (head !== null) this.#drawing.nudge(head)
  }

  /** Scrolls a line to the middle, unless it is visible already. Opens a fold that hides it. */
  goTo(line: number): void {
    this.moves.hold()
    this.folding.goal = line
    this.folding.reveal(line)
    this.#drawing.reveal(line)
    this.refresh()
  }

  focus(): void {
    this.#drawing.viewport.focus()
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.folding.foldNew()
    this.#drawing.draw(this.moves.isFollowing)
    this.folding.drawn()
    this.#tell()
    this.#pace.drawn(this.#source.lines, this.#drawing.seenRows)
  }

  /** Banners that come and go above the log leave the text in place for its reader. */
  #resized(): void {
    this.#drawing.stayInWindow(!this.moves.isFollowing)
    this.#draw() // before the paint with the new size
  }

  /** The line that keys act on. */
  get lineInHand(): number {
    return this.choice.head ?? this.#drawing.visibleLines().first
  }

  #listen(): void {
    const { signal } = this.#stop
    const { moves, choice } = this
    const { viewport } = this.#drawing
    viewport.addEventListener('scroll', () => moves.scrolled(), { signal, passive: true })
    listenForGestures(viewport, {
      signal,
      lineAt: (y) => this.#drawing.lineAt(y),
      wheel: (px) => moves.wheel(px),
      select: (line, how) => choice.drag(line, how),
      selected: () => choice.dragged(),
      selectAll: () => choice.all(),
      copy: () => {
        if (choice.lines !== null) this.#options.onCopy(choice.lines)
        return choice.lines !== null
      },
      fold: (line) => this.folding.toggle(line),
      open: (line) => this.#options.onOpen(line),
      textSelected: () => moves.hold(),
      creep: (lines) => moves.lines(lines),
    })
    this.#drawing.onTheme(() => this.refresh(), signal)
  }

  /** The view's current state. */
  get state(): LogViewState {
    const { first, last } = this.#drawing.visibleLines()
    return {
      following: this.moves.isFollowing,
      unseen: this.moves.unseen,
      firstLine: first,
      lastLine: last,
      selected: this.choice.lines,
    }
  }

  #tell(): void {
    const { state } = this
    const around = this.#shape.filter ? [] : sectionsAt(this.#shape.folds.sections, state.firstLine)
    this.#overlay.showSections(around.some((section) => section.first === state.firstLine) ? [] : around)
    if (this.#drawing.coveredPx !== this.#overlay.coveredPx) this.refresh()
    this.#drawing.coveredPx = this.#overlay.coveredPx
    const { selected } = state
    const key = `${state.following} ${state.unseen} ${state.firstLine} ${state.lastLine} ${selected?.first} ${selected?.last}`
    if (key === this.#told) return
    this.#told = key
    this.#options.onState(state)
  }
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
