import { counted } from '@beadloom/core/text/count-text.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { Matches } from './match-lines.ts'

/** Longer lines are shown around the match. */
const MAX_LINE = 300
const BEFORE_MATCH = 100

export const NARROW = 'narrow it with path or glob'

/** The result of a search for the model: the first lines that match, and how many there are. */
export class SearchResults {
  searched = 0
  readonly skipped = { binary: 0, large: 0, other: 0 }
  /** Why the search was not finished; null: it was. */
  stopped: string | null = null
  nothingToSearch = false
  #most: number
  #context: number
  #shown = 0
  #lines = 0
  #files = 0
  #parts: string[] = []

  constructor(most: number, context: number) {
    this.#most = most
    this.#context = context
  }

  get text(): string {
    return this.#parts.join('\n')
  }

  add({ name, text, matches, count }: Matches): void {
    this.#files += 1
    this.#lines += count
    const places = new Map(matches.slice(0, this.#most - this.#shown).map(({ line, at }) => [line, at]))
    this.#shown += places.size
    if (places.size === 0) return
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    let last = 0
    for (const line of places.keys()) {
      const from = Math.max(last + 1, line - this.#context)
      const isApart = last === 0 || from > last + 1
      if (this.#context > 0 && this.#parts.length > 0 && isApart) this.#parts.push('--')
      last = Math.max(last, Math.min(line + this.#context, lines.length))
      for (let number = from; number <= last; number++) {
        const at = places.get(number)
        const sign = at === undefined ? '-' : ':'
        this.#parts.push(`${oneLine(name)}${sign}${number}${sign} ${excerpt(lines[number - 1] ?? '', at ?? 0)}`)
      }
    }
  }

  get notes(): string[] {
    const found = counted(this.#lines, 'matching line')
    const inFiles = counted(this.#files, 'file')
    const cut = `the first ${this.#most} of ${found} in ${inFiles}; ${NARROW}, take a more exact pattern, or raise max_results`
    const all = `${found}${this.#lines > 0 ? ` in ${inFiles}` : ''}; ${counted(this.searched, 'file')} searched`
    const { binary, large } = this.skipped
    const left = [
      ...(binary > 0 ? [counted(binary, 'binary file')] : []),
      ...(large > 0 ? [`${counted(large, 'file')} of more than 2 MiB`] : []),
    ]
    return [
      this.#lines > this.#most ? cut : all,
      ...(this.nothingToSearch ? [NOTHING] : []),
      ...(left.length > 0 ? [`left out: ${left.join(', ')}`] : []),
      ...(this.stopped === null ? [] : [this.stopped]),
    ]
  }
}

const NOTHING =
  'there is no such file: check path and glob; of what git ignores, only a file that path names itself is searched'

/** A line, or the part of a long one with the match. */
function excerpt(whole: string, at: number): string {
  const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
  if (line.length <= MAX_LINE) return line
  const start = Math.max(0, Math.min(at - BEFORE_MATCH, line.length - MAX_LINE))
  const end = start + MAX_LINE
  return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed()}${end < line.length ? '…' : ''}`
}
