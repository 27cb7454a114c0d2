import { editsOf, type CallEdit } from './call-words.ts'

/** A call of a tool, where the log has it: `line` from 0. */
export type CallAt<Place> = { at: Place; tool: string; given: string }

/**
 * Which call wrote a line. `by`: the last one that is known to have written exactly this text; `sure`: no other is known
 * to have, and none after it may have. `perhaps`: edits of this file of which the log has too little to tell, newest
 * first. Both empty: a command wrote it, or nobody knows.
 */
export type WhyLine<Place> = { by: Place | null; sure: boolean; perhaps: Place[] }

const MOST_PERHAPS = 5

/** Who wrote a line, call by call. A call is a claim of its agent, so is the answer. */
export class LineWriter<Place> {
  readonly #path: string
  readonly #wanted: string
  readonly #mostDiffs: number
  #written: { last: Place; count: number } | null = null
  #perhaps: Place[] = []
  #doubt = false
  /** Diffs that were made, each the work of up to 400 lines by 400. */
  diffs = 0

  /** `mostDiffs`: edits beyond them are like those of which the log has too little. */
  constructor(path: string, text: string, mostDiffs: number) {
    this.#path = path
    this.#wanted = text.trimEnd()
    this.#mostDiffs = mostDiffs
  }

  /** In the order in which they were made. */
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
