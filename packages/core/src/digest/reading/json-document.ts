import { stripAnsi } from '../../text/ansi.ts'
import { detached } from './detached.ts'

export type JsonScalar = string | number | boolean | null

/** Receives the content of one document. Paths are keys joined by dots, with `[]` for an element of a list. */
export interface JsonVisitor {
  open?(path: string): void
  scalar(path: string, value: JsonScalar): void
  close?(path: string): void
  /** The document is complete. */
  done(): void
}

/** A document nested deeper than this is not a tool's report. */
const MAX_DEPTH = 60
const MAX_KEY = 100
const MAX_STRING = 8000
const MAX_WORD = 40

/** Paths that are remembered: a document has few, and joining them again would take longer than reading. */
const MAX_KNOWN = 300

/** An open object or list, and the paths of members seen at its own path so far. */
type Level = { path: string; prefix: string; list: boolean; paths: Map<string, string> }

type Expects = 'start' | 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next' | 'string' | 'word'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
const WORDS: ReadonlyMap<string, JsonScalar> = new Map<string, JsonScalar>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/**
 * Finds JSON documents in output, each beginning at the start of a line, and reads them as they come: in memory that
 * does not grow with them, with long strings cut. A document that turns out not to be JSON is given up, and the search
 * continues.
 */
export class JsonDocuments {
  readonly #firstKeys: readonly string[]
  readonly #begin: () => JsonVisitor
  #visitor: JsonVisitor | null = null
  #expects: Expects = 'start'
  #stack: Level[] = []
  #path = ''
  #text = ''
  #isKey = false
  #escape = ''
  #lineStart = true
  #remembered = 0
  readonly #known = new Map<string, Map<string, string>>()

  /** @param firstKeys a document counts only if its first key is one of these */
  constructor(firstKeys: readonly string[], begin: () => JsonVisitor) {
    this.#firstKeys = firstKeys
    this.#begin = begin
  }

  /** Output in pieces, cut anywhere. */
  push(text: string): void {
    let at = 0
    while (at < text.length) at = this.#expects === 'start' ? this.#seek(text, at) : this.#step(text, at)
    this.#lineStart = text.endsWith('\n')
  }

  #seek(text: string, from: number): number {
    let at = from
    if (text[at] !== '{' || !(at === 0 ? this.#lineStart : text[at - 1] === '\n')) {
      const found = text.indexOf('\n{', at)
      if (found < 0) return text.length
      at = found + 1
    }
    this.#visitor = null
    this.#stack = [{ path: '', prefix: '', list: false, paths: this.#pathsBelow('') }]
    this.#expects = 'first key'
    return at + 1
  }

  #step(text: string, at: number): number {
    if (this.#expects === 'string') return this.#string(text, at)
    if (this.#expects === 'word') return this.#word(text, at)
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d) {
      let next = at + 1
      while (text.charCodeAt(next) === 0x20) next += 1
      return next
    }
    return this.#structure(text[at] ?? '') ? at + 1 : this.#giveUp(at)
  }

  /** False for a character that is not allowed here. */
  #structure(char: string): boolean {
    const expects = this.#expects
    if (expects === 'colon') return char === ':' && this.#expect('value')
    if (expects === 'key' || expects === 'first key') {
      if (char === '"') return this.#startString(true)
      return char === '}' && expects === 'first key' && this.#close()
    }
    const level = this.#stack.at(-1)
    const list = level?.list === true
    if (expects === 'next') {
      if (char === ',') return this.#expect(list ? 'value' : 'key')
      return char === (list ? ']' : '}') && this.#close()
    }
    if (level && list) this.#path = this.#pathIn(level, '[]')
    if (char === '"') return this.#startString(false)
    if (char === '{' || char === '[') return this.#open(char === '[')
    if (char === ']') return expects === 'first value' && this.#close()
    if (!'-0123456789tfn'.includes(char)) return false
    this.#text = char
    return this.#expect('word')
  }

  #expect(what: Expects): boolean {
    this.#expects = what
    return true
  }

  #startString(isKey: boolean): boolean {
    this.#isKey = isKey
    this.#text = ''
    return this.#expect('string')
  }

  #open(list: boolean): boolean {
    if (this.#stack.length >= MAX_DEPTH) return false
    this.#visitor?.open?.(this.#path)
    const path = this.#path
    this.#stack.push({ path, prefix: `${path}.`, list, paths: this.#pathsBelow(path) })
    return this.#expect(list ? 'first value' : 'first key')
  }

  #close(): boolean {
    const closed = this.#stack.pop()
    if (this.#stack.length === 0) {
      this.#visitor?.done()
      this.#visitor = null
      return this.#expect('start')
    }
    this.#visitor?.close?.(closed?.path ?? '')
    return this.#expect('next')
  }

  #string(text: string, from: number): number {
    if (this.#escape !== '') return this.#escaped(text, from)
    let at = from
    while (at < text.length) {
      const code = text.charCodeAt(at)
      // A string never has a newline in it, so this was not JSON.
      if (code === 0x22 || code === 0x5c || code === 0x0a) break
      at += 1
    }
    this.#keep(text, from, at)
    if (at === text.length) return at
    if (text[at] === '\n') return this.#giveUp(at)
    if (text[at] === '\\') return this.#startEscape(text, at + 1)
    return this.#endString() ? at + 1 : this.#giveUp(at)
  }

  #startEscape(text: string, at: number): number {
    const char = text[at]
    if (char === undefined || char === 'u') {
      this.#escape = '\\'
      return at
    }
    this.#keep(ESCAPES[char] ?? char)
    return at + 1
  }

  #escaped(text: string, at: number): number {
    const char = text[at] ?? ''
    if (this.#escape === '\\' && char !== 'u') {
      this.#escape = ''
      this.#keep(ESCAPES[char] ?? char)
    } else {
      this.#escape += char
      if (this.#escape.length === 6) {
        const code = Number.parseInt(this.#escape.slice(2), 16)
        this.#escape = ''
        this.#keep(Number.isNaN(code) ? '\ufffd' : String.fromCharCode(code))
      }
    }
    return at + 1
  }

  #keep(part: string, from = 0, to = part.length): void {
    const room = (this.#isKey ? MAX_KEY : MAX_STRING) - this.#text.length
    if (room > 0 && to > from) this.#text += part.slice(from, Math.min(to, from + room))
  }

  #endString(): boolean {
    if (!this.#isKey) return this.#scalar(this.#text.includes('\x1b') ? stripAnsi(this.#text) : this.#text)
    if (this.#stack.length === 1 && this.#visitor === null) {
      if (!this.#firstKeys.includes(this.#text)) return false
      this.#visitor = this.#begin()
    }
    const level = this.#stack.at(-1)
    this.#path = level ? this.#pathIn(level, this.#text) : this.#text
    return this.#expect('colon')
  }

  #word(text: string, from: number): number {
    let at = from
    while (isWord(text.charCodeAt(at))) at += 1
    this.#text += text.slice(from, at)
    if (this.#text.length > MAX_WORD) return this.#giveUp(at)
    if (at === text.length) return at
    const value = WORDS.has(this.#text) ? WORDS.get(this.#text) : Number(this.#text)
    if (value === undefined || Number.isNaN(value)) return this.#giveUp(at)
    this.#scalar(value)
    return at
  }

  #scalar(value: JsonScalar): boolean {
    this.#visitor?.scalar(this.#path, value)
    return this.#expect('next')
  }

  #pathIn({ prefix, paths }: Level, key: string): string {
    const known = paths.get(key)
    if (known !== undefined) return known
    const joined = detached(prefix + key)
    if (this.#remembered >= MAX_KNOWN) return joined
    this.#remembered += 1
    paths.set(joined.slice(prefix.length), joined)
    return joined
  }

  #pathsBelow(path: string): Map<string, string> {
    const known = this.#known.get(path)
    if (known) return known
    const paths = new Map<string, string>()
    if (this.#known.size < MAX_KNOWN) this.#known.set(path, paths)
    return paths
  }

  #giveUp(at: number): number {
    this.#visitor = null
    this.#expects = 'start'
    this.#escape = ''
    // This may be the newline before a document; a brace in the middle of a line is skipped.
    return at
  }
}

/** Letters, digits and "+-._" as in numbers, true, false and null. */
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x2e ||
  code === 0x5f
