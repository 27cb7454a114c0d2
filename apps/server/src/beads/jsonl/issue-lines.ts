import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { CONFLICT } from './conflicts.ts'
import { readJsonObject } from './json-object.ts'

export type FoundLine = { line: string; object: JsonObject }

/** The lines of an `issues.jsonl` for editing. Untouched lines are kept byte for byte. */
export class IssueLines {
  /** Number of the line with the first conflict marker, from 1; 0 if there is none. */
  readonly conflict: number
  #lines: string[]
  readonly #ending: string
  #places: Map<string, number> | null = null
  #whole: Set<string> | null = null
  #lastCommentId: number | null = null

  /**
   * Ids of lines that had to be parsed for them: broken ones are expensive, and other versions of the file have the
   * same.
   */
  readonly #ids: Map<string, string | null>

  /**
   * @param comments the highest number of a comment that is not in this text
   * @param ids shared by versions of one file
   */
  constructor(text: string, comments: number | null = null, ids = new Map<string, string | null>()) {
    this.#lines = text.split('\n')
    this.#ids = ids
    this.#lastCommentId = comments
    this.conflict = this.#lines.findIndex((line) => CONFLICT.test(line)) + 1
    this.#ending = this.#lines[0]?.endsWith('\r') ? '\r' : ''
  }

  text(): string {
    return this.#lines.join('\n')
  }

  /** Finds a bead's line; the last one if several have the id. Also null if the line is not strict JSON. */
  find(id: string): FoundLine | null {
    const at = this.#index().get(id)
    if (at === undefined) return null
    const { body } = this.#parts(at)
    const read = readJsonObject(body)
    return 'object' in read && !read.mended ? { line: body, object: read.object } : null
  }

  /** The ids, in the order of the file. */
  ids(): string[] {
    return [...this.#index().keys()]
  }

  /** The object in a bead's line, without the text around it; null if there is none. */
  raw(id: string): string | null {
    const at = this.#index().get(id)
    return at === undefined ? null : this.#parts(at).body
  }

  /** A bead's whole line, or null. */
  whole(id: string): string | null {
    const at = this.#index().get(id)
    return at === undefined ? null : (this.#lines[at] ?? null)
  }

  /** Lines without a bead: other programs' notes, and unreadable lines. */
  otherLines(): string[] {
    return this.#lines.filter((line) => line.trim() !== '' && this.#idAt(line) === null)
  }

  hasLine(line: string): boolean {
    this.#whole ??= new Set(this.#lines.map((one) => one.trim()))
    return this.#whole.has(line.trim())
  }

  /** Appends a line without a bead. */
  append(line: string): void {
    if (this.#lines.at(-1) === '') this.#lines.splice(-1, 0, line)
    else this.#lines.push(line)
    this.#whole?.add(line.trim())
  }

  /** Removes every line with one of these ids. */
  remove(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return
    this.#lines = this.#lines.filter((line) => {
      const id = this.#idAt(line)
      return id === null || !ids.has(id)
    })
    this.#changed()
  }

  replace(id: string, line: string): void {
    const at = this.#index().get(id)
    if (at === undefined) return
    const { head, tail } = this.#parts(at)
    this.#lines[at] = head + line + tail
  }

  /** Inserts new beads, each in its place if the file is sorted by ids, otherwise at the end. */
  insert(beads: readonly { id: string; line: string }[]): void {
    if (beads.length === 0) return
    const places = [...this.#index()].sort((a, b) => a[1] - b[1])
    const sorted = places.every(([here], at) => at === 0 || (places[at - 1]?.[0] ?? '') < here)
    const added = sorted ? beads.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : beads
    const end = this.#lines.at(-1) === '' ? this.#lines.length - 1 : this.#lines.length
    const lines: string[] = []
    let [from, next] = [0, sorted ? 0 : places.length]
    for (const { id, line } of added) {
      while (next < places.length && (places[next]?.[0] ?? '') <= id) next += 1
      const at = places[next]?.[1] ?? end
      for (; from < at; from += 1) lines.push(this.#lines[from] ?? '')
      lines.push(line + this.#ending)
    }
    for (; from < this.#lines.length; from += 1) lines.push(this.#lines[from] ?? '')
    // A byte order mark stays at the very start.
    const [first = ''] = this.#lines
    if (first.startsWith('\uFEFF') && lines[0] !== first) {
      lines[lines.indexOf(first)] = first.slice(1)
      lines[0] = `\uFEFF${lines[0] ?? ''}`
    }
    if (this.#lines.length === 0) lines.push('')
    this.#lines = lines
    this.#changed()
  }

  /** One more than the highest number in the file: older versions of `bd` accept only numbers. */
  nextCommentId(): number {
    this.#lastCommentId ??= this.#lines.reduce((most, line) => Math.max(most, highestCommentId(line)), 0)
    this.#lastCommentId += 1
    return this.#lastCommentId
  }

  /** Separates a line's object from the text around it: a byte order mark, spaces, a carriage return. */
  #parts(at: number): { head: string; body: string; tail: string } {
    const line = this.#lines[at] ?? ''
    const head = /^\uFEFF?\s*/.exec(line)?.[0] ?? ''
    const body = line.slice(head.length).trimEnd()
    return { head, body, tail: line.slice(head.length + body.length) }
  }

  #index(): Map<string, number> {
    if (this.#places) return this.#places
    const places = new Map<string, number>()
    for (const [at, line] of this.#lines.entries()) {
      const id = this.#idAt(line)
      if (id !== null) places.set(id, at)
    }
    this.#places = places
    return places
  }

  #changed(): void {
    this.#places = null
    this.#whole = null
  }

  #idAt(line: string): string | null {
    const plain = /^\uFEFF?\{"id":"([\w.-]+)"/.exec(line)?.[1]
    if (plain !== undefined) return plain
    let id = this.#ids.get(line)
    if (id === undefined) {
      id = idOfLine(line)
      this.#ids.set(line, id)
    }
    return id
  }
}

// eslint-disable-next-line no-control-regex
const OBJECT_BEGINS = /^\uFEFF?[\s\x00-\x1f]*\{[\s\x00-\x1f]*"/
// eslint-disable-next-line no-control-regex
const OBJECT_ENDS = /\}[\s\x00-\x1f]*$/

/** The bead's id; null if it has none, or cannot be read. */
export function idOfLine(line: string): string | null {
  // Nothing else is an object, and reading a line without one is expensive.
  if (!OBJECT_BEGINS.test(line) || !OBJECT_ENDS.test(line)) return null
  const read = readJsonObject(line.replace(/^\uFEFF/, '').trim())
  if (!('object' in read)) return null
  const { id, _type: kind = 'issue' } = read.object
  return typeof id === 'string' && kind === 'issue' ? id : null
}

/** The highest number of a comment in this line; 0 if there is none. */
export function highestCommentId(line: string): number {
  if (!line.includes('"comments"')) return 0
  const read = readJsonObject(line.trim())
  if (!('object' in read) || !Array.isArray(read.object['comments'])) return 0
  return read.object['comments'].reduce((most: number, comment: unknown) => {
    const id: unknown = (comment as JsonObject | null)?.['id']
    return typeof id === 'number' && Number.isSafeInteger(id) ? Math.max(most, id) : most
  }, 0)
}
