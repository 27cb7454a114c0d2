import type { LogSection } from '@beadloom/core/api/executions/log-api.ts'
import { BLOCK_LINES } from '../../../feed/log-cursor.ts'
import type { LineRange } from './line-map.ts'
import { linesOf } from '../lines/line-selection.ts'
import type { LogDrawing } from '../view/log-drawing.ts'
import { sectionStep } from './log-folds.ts'
import type { LogFolds } from './log-folds.ts'
import type { LogLooks } from '../view/log-looks.ts'
import type { LogMoves } from '../view/log-moves.ts'
import type { LogSource } from '../view/log-source.ts'
import type { LogShape } from './log-shape.ts'

/** Folding moves other lines into view, perhaps of another block. */
const MOST_PASSES = 4

type Parts = { source: LogSource; shape: LogShape; drawing: LogDrawing; looks: LogLooks; moves: LogMoves }

/**
 * Folding by a person, and automatic folding of finished sections and of stack traces that are about to be drawn. It
 * looks for no other traces, because a log may have a million lines.
 */
export class LogFolding {
  /** The line to which a person last jumped. */
  goal: number | null = null
  readonly #parts: Parts
  readonly #refresh: () => void
  /** Readable lines in view when it was last drawn. */
  #read: LineRange | null = null
  #lines = 0

  constructor(parts: Parts, refresh: () => void) {
    this.#parts = parts
    this.#refresh = refresh
  }

  setSections(sections: readonly LogSection[]): void {
    this.#reshape(() => this.#folds.setSections(sections))
  }

  setFoldFinished(on: boolean): void {
    this.#reshape(() => this.#folds.setFoldFinished(on))
  }

  /** The innermost section or stack trace around a line. */
  toggle(line: number): void {
    this.#parts.moves.hold()
    this.#reshape(() => this.#folds.toggle(line))
  }

  toggleAll(): void {
    this.#parts.moves.hold()
    this.#reshape(() => this.#folds.toggleAll())
  }

  /** Opens any fold that hides a line. */
  reveal(line: number): void {
    if (this.#parts.shape.filter === null && !this.#folds.map.shows(line)) this.#reshape(() => this.#folds.reveal(line))
  }

  /** Goes to the head of the next or previous section. */
  stepSection(by: 1 | -1): void {
    const { drawing, moves } = this.#parts
    const line = sectionStep(this.#folds.sections, drawing.visibleLines().first, by)
    if (line === null) return
    moves.hold()
    this.reveal(line)
    drawing.toTop(line)
    this.#refresh()
  }

  get #folds(): LogFolds {
    return this.#parts.shape.folds
  }

  #reshape(change: () => void): void {
    this.#parts.drawing.keepPlace(change)
    this.#refresh()
  }

  /** Folds new traces, but not around the line jumped to, selected lines, or lines being read without following. */
  foldNew(): void {
    const { source, shape, drawing, looks, moves } = this.#parts
    const { folds, filter } = shape
    const { lines } = source
    const following = moves.isFollowing
    if (lines < this.#lines) folds.traces.clear()
    this.#lines = lines
    if (filter !== null) return
    const { selection } = looks
    const chosen = selection && linesOf(selection)
    const spare = ({ first, end }: LineRange): boolean => {
      const meets = (range: LineRange | null) => range !== null && range.first < end && range.end > first
      return (
        (this.goal !== null && meets({ first: this.goal, end: this.goal + 1 })) ||
        meets(chosen && { first: chosen.first, end: chosen.last + 1 }) ||
        (!following && meets(this.#read))
      )
    }
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const blocks = new Set(drawing.nextLines(following).map((line) => Math.floor(line / BLOCK_LINES)))
      if (!folds.traces.look(blocks, lines, (n) => source.line(n), spare)) return
      drawing.keepPlace(() => folds.rebuild())
    }
  }

  drawn(): void {
    const { source, drawing } = this.#parts
    const { first, last } = drawing.visibleLines()
    let [from, to] = [first, last]
    while (from < to && source.line(from) === undefined) from++
    while (to > from && source.line(to - 1) === undefined) to--
    this.#read = from < to ? { first: from, end: to } : null
  }
}
