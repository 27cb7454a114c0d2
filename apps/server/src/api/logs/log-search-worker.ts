import { parentPort } from 'node:worker_threads'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import type { SearchHits, SearchOrder, SearchStart } from './log-search-thread.ts'

const NEWLINE = 10

/** One search and its progress. */
class Search {
  readonly #pattern: RegExp
  #line: number
  #room: number
  /** The beginning of a line whose end has not come yet. */
  #rest: Buffer[] = []

  constructor({ pattern, line, room }: SearchStart) {
    this.#pattern = new RegExp(pattern.source, pattern.flags)
    this.#line = line
    this.#room = room
  }

  look(text: Buffer): SearchHits {
    const end = text.lastIndexOf(NEWLINE) + 1
    const whole =
      this.#rest.length === 0 ? text.subarray(0, end) : Buffer.concat([...this.#rest, text.subarray(0, end)])
    if (end > 0) this.#rest = []
    if (end < text.length) this.#rest.push(text.subarray(end))
    return end === 0 ? { hits: [], more: false, line: this.#line } : this.#lookAt(whole)
  }

  #lookAt(text: Buffer): SearchHits {
    const lines = stripAnsi(text.toString('utf8')).split('\n')
    lines.pop() // text after the last newline is not a line yet
    const hits: number[] = []
    const pattern = this.#pattern
    for (const line of lines) {
      pattern.lastIndex = 0
      for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
        if (this.#room === 0) return { hits, more: true, line: this.#line }
        this.#room -= 1
        hits.push(this.#line, found.index, found[0].length)
        if (found[0].length === 0) pattern.lastIndex += 1 // or it would match the same empty string for ever
      }
      this.#line += 1
    }
    return { hits, more: false, line: this.#line }
  }
}

let search: Search | null = null

parentPort?.on('message', (order: SearchOrder) => {
  if ('pattern' in order) {
    search = new Search(order)
    return
  }
  const { text } = order
  const answer = search?.look(Buffer.from(text.buffer, text.byteOffset, text.byteLength))
  parentPort?.postMessage(answer satisfies SearchHits | undefined)
})
