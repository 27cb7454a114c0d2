import { extended, linesOf, sameLines } from './line-selection.ts'
import type { Lines, LineSelection } from './line-selection.ts'
import type { LogLooks } from '../view/log-looks.ts'
import type { LogSource } from '../view/log-source.ts'
import type { LogShape } from '../folds/log-shape.ts'

type Events = {
  /** Stops the view from following, so that the selection stays in place. */
  hold(): void
  /** A person has selected lines; null: cleared the selection. */
  chosen(lines: Lines | null): void
  refresh(): void
}

/** The selected lines: chosen by a person, or by the page's address. */
export class LogChoice {
  readonly #source: LogSource
  readonly #shape: LogShape
  readonly #looks: LogLooks
  readonly #events: Events

  constructor(source: LogSource, shape: LogShape, looks: LogLooks, events: Events) {
    this.#source = source
    this.#shape = shape
    this.#looks = looks
    this.#events = events
  }

  get lines(): Lines | null {
    const { selection } = this.#looks
    return selection && linesOf(selection)
  }

  /** The end of the selection that moves. */
  get head(): number | null {
    return this.#looks.selection?.head ?? null
  }

  /** Selects lines from the page's address; false if they are what a person has just selected. */
  put(lines: Lines | null): boolean {
    if (sameLines(lines, this.lines)) return false
    this.#looks.selection = lines && { anchor: lines.first, head: lines.last }
    this.#events.refresh()
    return true
  }

  /** Moves the end by visible lines, for a key. Without a selection it starts at `from`. Null in an empty log. */
  extend(by: number, from: number): number | null {
    const { lines } = this.#source
    if (lines === 0) return null
    this.#events.hold()
    const head = this.head ?? from
    const goal = this.#shape.lineNear(this.#shape.map.rowOf(head) + by)
    // Skips hidden lines in one step; if no visible line follows that way, moves by plain lines.
    const follows = Math.sign(goal - head) === Math.sign(by)
    const selection = extended(this.#looks.selection, follows ? goal - head : by, from, lines)
    this.#choose(selection)
    return selection.head
  }

  all(): void {
    if (this.#source.lines === 0) return
    this.#events.hold()
    this.#choose({ anchor: 0, head: this.#source.lines - 1 })
  }

  clear(): void {
    this.#choose(null)
  }

  /** Called while a pointer drags; the selection is reported when the pointer is released. */
  drag(line: number, how: 'begin' | 'extend'): void {
    this.#events.hold()
    const anchor = how === 'extend' ? (this.#looks.selection?.anchor ?? line) : line
    this.#looks.selection = { anchor, head: line }
    this.#events.refresh()
  }

  dragged(): void {
    this.#choose(this.#looks.selection)
  }

  #choose(selection: LineSelection | null): void {
    this.#looks.selection = selection
    this.#events.chosen(this.lines)
    this.#events.refresh()
  }
}
