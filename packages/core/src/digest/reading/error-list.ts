import { detached } from './detached.ts'
import { MAX_FINDINGS, type Finding } from '../digest-tool.ts'

const MAX_TITLE = 500
const DETAIL_LINES = 4

/** Errors of compilers and linters: all are counted, even equal ones, and the first ones are kept. */
export class ErrorList {
  readonly kept: Finding[] = []
  count = 0
  #open = false

  add(title: string): void {
    this.count += 1
    this.#open = this.kept.length < MAX_FINDINGS
    if (this.#open) this.kept.push({ title: detached(title.slice(0, MAX_TITLE)), detail: '' })
  }

  /** Another line about the last error; false when it has enough lines. */
  explain(line: string): boolean {
    const last = this.kept.at(-1)
    if (!this.#open || !last) return false
    const lines = last.detail === '' ? 1 : last.detail.split('\n').length + 1
    if (lines > DETAIL_LINES) return false
    last.detail =
      last.detail === '' ? detached(line.slice(0, MAX_TITLE)) : detached(`${last.detail}\n${line.slice(0, MAX_TITLE)}`)
    return true
  }

  /** Puts the place in front of the last error, once it is known. */
  locate(place: string): void {
    const last = this.kept.at(-1)
    if (this.#open && last && !last.title.includes(place))
      last.title = detached(`${place}: ${last.title}`.slice(0, MAX_TITLE))
  }
}
