import { editsOf, type CallEdit } from './call-words.ts'

/** A call of a tool, with its place in the log: `line` from 0. */
export type CallAt<Place> = { at: Place; tool: string; given: string }

/**
 * The call that wrote a line. `by`: the last call known to have written exactly this text; `sure`: no other call is
 * known to have written it, and no later call may have. `perhaps`: edits of this file with too little in the log to
 * tell, newest first. Both empty: a command wrote it, or nobody knows.
 */
export type WhyLine<Place> = { by: Place | null; sure: boolean; perhaps: Place[] }

const MOST_PERHAPS = 5

/** Finds the writer of a line, call by call. A call is its agent's claim, and so is the answer. */
export class LineWriter<Place> {
  readonly #path: string
  readonly #wanted: string
  readonly #mostDiffs: number
  #written: { last: Place; count: number } | null = null
  #perhaps: Place[] = []
  #doubt = false
  /** The number of computed diffs, each up to 400 × 400 steps. */
  diffs = 0

  /** `mostDiffs`: edits beyond this number count as edits with too little in the log. */
  constructor(path: string, text: string, mostDiffs: number) {
    this.#path = path
    this.#wanted = text.trimEnd()
    this.#mostDiffs = mostDiffs
  }

  /** Call it in the order of the calls. */
  take({ at, tool, given }: CallAt<Place>): void {
    for (const { file, diff } of editsOf(tool, given)) if (file === this.#path) this.#take(at, diff)
  }

  get found(): WhyLine<Place> {
    const written = this.#written
    return {
      by: written?.last ?? null,
      sure: written?.count === 1 && !this.#doubt,
      perhaps: this.#perhaps.toReversed(),
    }
  }

  #take(at: Place, diffOf: CallEdit['diff']): void {
    const isMade = this.diffs < this.#mostDiffs
    if (isMade) this.diffs += 1
    const diff = isMade ? diffOf() : null
    if (diff === null) {
      this.#perhaps = [...this.#perhaps, at].slice(-MOST_PERHAPS)
      this.#doubt = true
      return
    }
    if (!diff.lines.some((line) => line.kind === 'added' && line.text.trimEnd() === this.#wanted)) return
    this.#written = { last: at, count: (this.#written?.count ?? 0) + 1 }
    this.#doubt = false
  }
}
