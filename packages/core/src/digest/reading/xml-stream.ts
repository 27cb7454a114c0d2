/** Attributes are read from the text on each call. */
export type XmlTag = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly empty: boolean
}

export type XmlHandler = {
  open(tag: XmlTag): void
  text(text: string): void
  close(name: string): void
  /** True if the document is complete; later text is output again. */
  finished(): boolean
}

/** A tag with longer attributes is cut, with its message. */
const MAX_TAG = 16_000
const MAX_MARK = 16
const MAX_ENTITY = 10

type Inside = 'output' | 'text' | 'tag' | 'cdata' | 'comment'
const ENDS = { cdata: ']]>', comment: '-->' } as const
const ATTRIBUTE = /([\w:.-]{1,100})\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)')/g
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Finds XML that begins with a mark in output, and reads it as it comes, in bounded memory. */
export class XmlStream {
  readonly #begin: string
  readonly #handler: XmlHandler
  #inside: Inside = 'output'
  /** A possible start of a mark that the next piece completes, or the part of a tag so far. */
  #held = ''
  #quote = ''

  /** @param begin the first characters of a document */
  constructor(begin: string, handler: XmlHandler) {
    this.#begin = begin
    this.#handler = handler
  }

  /** Output in pieces, cut anywhere. */
  push(piece: string): void {
    const keepsTag = this.#inside === 'tag'
    const text = keepsTag ? piece : this.#held + piece
    if (!keepsTag) this.#held = ''
    let at = 0
    while (at < text.length) {
      if (this.#inside === 'output') at = this.#seek(text, at)
      else if (this.#inside === 'tag') at = this.#tag(text, at)
      else if (this.#inside === 'text') at = this.#text(text, at)
      else at = this.#section(text, at, ENDS[this.#inside])
    }
  }

  #seek(text: string, from: number): number {
    const found = text.indexOf(this.#begin, from)
    if (found < 0) {
      this.#held = text.slice(Math.max(from, text.length - this.#begin.length + 1))
      return text.length
    }
    this.#inside = 'text'
    return found
  }

  #text(text: string, from: number): number {
    const found = text.indexOf('<', from)
    const end = found < 0 ? beforeEntity(text, from) : found
    if (end > from) this.#handler.text(decode(text.slice(from, end)))
    if (found < 0) {
      this.#held = text.slice(end)
      return text.length
    }
    // "<![CDATA[" has nine characters; with fewer it is too early to tell.
    if (text.length - found < 9 && !text.includes('>', found)) {
      this.#held = text.slice(found)
      return text.length
    }
    if (text.startsWith('<![CDATA[', found)) return this.#enter('cdata', found + 9)
    if (text.startsWith('<!--', found)) return this.#enter('comment', found + 4)
    this.#held = ''
    this.#quote = ''
    return this.#enter('tag', found + 1)
  }

  #enter(inside: Inside, at: number): number {
    this.#inside = inside
    return at
  }

  #section(text: string, from: number, end: string): number {
    const found = text.indexOf(end, from)
    const to = found >= 0 ? found : Math.max(from, text.length - end.length + 1)
    if (this.#inside === 'cdata' && to > from) this.#handler.text(text.slice(from, to))
    if (found >= 0) return this.#enter('text', found + end.length)
    this.#held = text.slice(to, to + MAX_MARK)
    return text.length
  }

  #tag(text: string, from: number): number {
    let at = from
    for (; at < text.length; at++) {
      if (this.#quote !== '') {
        const close = text.indexOf(this.#quote, at)
        at = close < 0 ? text.length - 1 : close
        if (close >= 0) this.#quote = ''
        continue
      }
      const code = text.charCodeAt(at)
      if (code === 0x22) this.#quote = '"'
      else if (code === 0x27) this.#quote = "'"
      else if (code === 0x3e) break
    }
    const room = MAX_TAG - this.#held.length
    if (room > 0) this.#held += text.slice(from, Math.min(at, from + room))
    if (at === text.length) return at
    const source = this.#held
    this.#held = ''
    this.#inside = 'text'
    this.#end(source)
    if (this.#handler.finished()) this.#inside = 'output'
    return at + 1
  }

  #end(source: string): void {
    if (source.startsWith('/')) return this.#handler.close(source.slice(1).trim())
    if (source.startsWith('?') || source.startsWith('!')) return
    const name = /^[\w:.-]{1,100}/.exec(source)?.[0]
    if (name === undefined) return
    this.#handler.open(new Tag(name, source))
  }
}

/** Most tags are for passing tests, whose attributes nobody reads. */
class Tag implements XmlTag {
  readonly name: string
  readonly #source: string

  constructor(name: string, source: string) {
    this.name = name
    this.#source = source
  }

  get empty(): boolean {
    return this.#source.endsWith('/')
  }

  get attributes(): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>()
    for (const [, key = '', double, single] of this.#source.slice(this.name.length).matchAll(ATTRIBUTE)) {
      if (attributes.size < 50) attributes.set(key, decode(double ?? single ?? ''))
    }
    return attributes
  }
}

/** The end of the text, before an entity that may be cut in half. */
function beforeEntity(text: string, from: number): number {
  const entity = text.lastIndexOf('&')
  return entity >= from && text.length - entity <= MAX_ENTITY && !text.includes(';', entity) ? entity : text.length
}

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    ENTITY,
    (_all, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? ''
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code).toWellFormed()
    },
  )
}
