import type { ToolReport, ToolScanner } from '../../digest-tool.ts'
import { mergeReports } from '../../reading/run-report.ts'

/** One session of pytest. `sums`: the number of lines so far that may be its last. */
export type PytestSession = ToolScanner & { readonly sums: number }

const BEGINS = /^=+ test session starts =+$/
/** "..F.    [ 40%]": with `-q` nothing is in front of the dots. */
const DOTS = /^[.FEsxXRu,-]+\s*\[ {0,2}\d{1,3}%\]$/
/** Sessions that are kept apart; later ones are read as one. */
const MOST = 50

/**
 * One session after the other, as in `pytest unit; pytest integration`: none hides an earlier one. A session that a
 * test starts and prints begins before the last line of the outer one, and is read with that.
 */
export class PytestRuns implements ToolScanner {
  readonly #begin: () => PytestSession
  readonly #earlier: ToolReport[] = []
  #current: PytestSession
  /** It began with a banner; a quiet session has none. */
  #announced = false
  /** Inner sessions that have begun and not ended. */
  #within = 0
  /** Its last line was there. */
  #over = false

  constructor(begin: () => PytestSession) {
    this.#begin = begin
    this.#current = begin()
  }

  line(text: string): void {
    const begins = text.startsWith('=') && BEGINS.test(text)
    if (this.#over && (begins || (!this.#announced && DOTS.test(text)))) this.#next()
    else if (begins && this.#announced) this.#within += 1
    this.#announced ||= begins
    const { sums } = this.#current
    this.#current.line(text)
    if (this.#current.sums === sums) return
    if (this.#within > 0) this.#within -= 1
    else this.#over = true
  }

  end(): ToolReport | null {
    const last = this.#current.end()
    return mergeReports(last === null ? this.#earlier : [...this.#earlier, last])
  }

  #next(): void {
    if (this.#earlier.length >= MOST) return
    const report = this.#current.end()
    if (report !== null) this.#earlier.push(report)
    this.#current = this.#begin()
    this.#announced = false
    this.#over = false
  }
}
