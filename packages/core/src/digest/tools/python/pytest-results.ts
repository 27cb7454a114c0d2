const HEAD = /^Results \(\d{1,7}\.\d\ds\):$/
const COUNT = /^ {1,12}((?:\d{1,9}|no) [a-z]+(?: [a-z]+){0,3})$/
/** pytest-sugar names the failed tests under their number. */
const NAME = /^ {1,12}- /

/** The last lines of pytest-pretty and pytest-sugar, which print one count to a line in place of pytest's sum. */
export class PytestResults {
  #counts: string[] | null = null

  /** The counts so far, as pytest writes them, and whether they are the first; null: the line is no such count. */
  line(text: string): { sum: string; first: boolean } | null {
    if (text.startsWith('Results (') && HEAD.test(text)) {
      this.#counts = []
      return null
    }
    if (this.#counts === null || (this.#counts.length > 0 && NAME.test(text))) return null
    const count = COUNT.exec(text)?.[1]
    if (count === undefined || this.#counts.length >= MOST) {
      this.#counts = null
      return null
    }
    this.#counts.push(count)
    return { sum: this.#counts.join(', '), first: this.#counts.length === 1 }
  }
}

const MOST = 20
