import { nextFollow, unseenLines } from './follow.ts'
import type { Follow, FollowEvent } from './follow.ts'
import type { LogDrawing } from './log-drawing.ts'
import type { LogSource } from './log-source.ts'
import type { Moved } from './log-scroll.ts'
import { ROW_PX } from './scroll-space.ts'

type Events = {
  refresh(): void
  /** Reports a move so far that the person may have lost the place. */
  far(): void
}

/** Movement through a log, and whether the view stays at its end. */
export class LogMoves {
  readonly #source: LogSource
  readonly #drawing: LogDrawing
  readonly #events: Events
  #follow: Follow = { is: 'following' }

  constructor(source: LogSource, drawing: LogDrawing, events: Events) {
    this.#source = source
    this.#drawing = drawing
    this.#events = events
  }

  get isFollowing(): boolean {
    return this.#follow.is === 'following'
  }

  /** Lines that arrived while the view did not follow. */
  get unseen(): number {
    return unseenLines(this.#follow, this.#source.lines)
  }

  /** Stops following. */
  hold(): void {
    this.#tell({ type: 'held' })
  }

  lines(lines: number): void {
    this.#byPerson(this.#drawing.scroll.away(this.#drawing.scroll.top, lines * ROW_PX))
  }

  pages(pages: number): void {
    this.lines(Math.round(pages * Math.max(1, Math.floor(this.#drawing.scroll.viewPx / ROW_PX) - 1)))
  }

  toStart(): void {
    this.#byPerson(0)
  }

  toEnd(): void {
    this.#tell({ type: 'to-end' })
    this.#events.refresh()
  }

  /** True if the browser must not scroll by itself. */
  wheel(px: number): boolean {
    const { scroll } = this.#drawing
    if (px < 0) this.#tell({ type: 'moved', up: true, atEnd: scroll.top <= 0 })
    // In a scaled space, one notch of the wheel would be hundreds of lines.
    if (!scroll.isScaled) return false
    this.#byPerson(scroll.away(scroll.top, px))
    return true
  }

  /** The browser has scrolled, or we have. */
  scrolled(): void {
    const move = this.#drawing.scroll.scrolled()
    if (move === null) return // a drawing has put it there and is done
    this.#tellMove(move)
    if (move.far) this.#events.far()
    this.#events.refresh()
  }

  #byPerson(target: number): void {
    this.#tellMove(this.#drawing.scroll.towards(target))
    this.#drawing.scroll.moveTo(target)
    this.#events.refresh()
  }

  #tellMove({ up, atEnd }: Moved): void {
    this.#tell({ type: 'moved', up, atEnd })
  }

  #tell(event: FollowEvent): void {
    this.#follow = nextFollow(this.#follow, event, this.#source.lines)
  }
}
