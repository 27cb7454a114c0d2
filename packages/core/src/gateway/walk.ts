import { headAt, kindAt, rawAt, type Tape } from '../text/json-tape.ts'
import type { HostedTool } from './hosted-tools.ts'
import { FREE, SCHEMA, type Kinds, type Member, type Members, type Shape } from './shape.ts'

/** A replacement of a part of the text. */
export type Edit = { from: number; to: number; text: string }
export type Refusal = { what: string; why: string }

type Fate = 'keep' | 'drop'
/**
 * `isRepeated`: a later member has the same key. Parsers disagree about which one counts: the last one stays, as in
 * most.
 */
type Own = { key: string; keyPlace: number; place: number; isRepeated: boolean }

/** The most names that one request reports; further ones are counted as one. */
const MOST_NAMES = 50
const LONGEST_NAME = 80

/**
 * Compares a request with a shape and notes the parts to cut out of its text. Every value that a shape names is looked
 * at once, and free values are skipped: the work is linear in the request's length, and the depth of calls is the
 * shape's.
 */
export class Walk {
  edits: Edit[] = []
  readonly dropped = new Set<string>()
  refused: Refusal | null = null
  readonly #tape: Tape
  readonly #open: ReadonlySet<HostedTool>

  constructor(tape: Tape, open: Iterable<HostedTool>) {
    this.#tape = tape
    this.#open = new Set(open)
  }

  /**
   * The request itself. `set`: members with their new JSON, which replaces any value. `alone`: members that are left
   * out together with another one.
   */
  root(
    shape: Members,
    set: Readonly<Record<string, string>>,
    alone: Readonly<Record<string, readonly string[]>>,
  ): void {
    const all = this.#membersAt(0)
    const out = new Set<Own>()
    const gone = new Set<string>()
    const first = (own: Own) => (Object.hasOwn(alone, own.key) ? 0 : 1)
    for (const own of all.toSorted((a, b) => first(a) - first(b))) {
      const isGone = this.#isRepeated(own, '') || gone.has(own.key)
      if (!isGone && Object.hasOwn(set, own.key)) this.#replace(own, set[own.key] ?? 'null', shape.members[own.key])
      else if (isGone || this.#member(own, shape, '') === 'drop') {
        out.add(own)
        if (Object.hasOwn(alone, own.key)) for (const other of alone[own.key] ?? []) gone.add(other)
      }
    }
    this.#cut(all.map((own) => ({ from: own.keyPlace, to: own.place, isOut: out.has(own) })))
    const missing = Object.keys(set).filter((key) => !all.some((own) => own.key === key))
    const added = missing.map((key) => `${JSON.stringify(key)}:${set[key]}`).join(',')
    const at = all.length === 0 ? this.#start(0) + 1 : this.#end(all.at(-1)!.place)
    if (added !== '') this.edits.push({ from: at, to: at, text: (all.length > out.size ? ',' : '') + added })
    this.edits.sort((a, b) => a.from - b.from || a.to - b.to)
  }

  #replace({ key, place }: Own, json: string, member: Member | undefined): void {
    if (rawAt(this.#tape, place) === json) return
    this.edits.push({ from: this.#start(place), to: this.#end(place), text: json })
    if (typeof member === 'object' && 'only' in member) this.#as(member, place, key) // reports the other value
  }

  #value(place: number, shape: Shape, path: string): Fate {
    switch (kindAt(this.#tape, place)) {
      case 'text':
        return shape.text ? this.#text(place, shape.text, path) : 'keep'
      case 'list':
        return shape.list ? this.#list(place, shape.list, shape.noneLeft, path) : this.#refuse(path, 'it is a list')
      case 'object':
        return shape.object ? this.#object(place, shape.object, path) : this.#refuse(path, 'it is an object')
      case 'other':
        return 'keep'
    }
  }

  #text(place: number, rule: NonNullable<Shape['text']>, path: string): Fate {
    const head = headAt(this.#tape, place)
    const said = head?.trim() ?? ''
    // Anything may follow a head of only white space.
    const isHidden = head === null || (said === '' && head !== '')
    const verdict = isHidden ? { refuse: 'it cannot be read' } : rule(said)
    if (verdict === null) return 'keep'
    return 'drop' in verdict ? this.#drop(verdict.drop) : this.#refuse(path, verdict.refuse)
  }

  #list(place: number, of: Shape, noneLeft: 'drop' | undefined, path: string): Fate {
    const all: { from: number; to: number; isOut: boolean }[] = []
    const before = this.edits.length
    for (let at = place + 1; at < this.#next(place) && !this.refused; at = this.#next(at))
      all.push({ from: at, to: at, isOut: this.#value(at, of, path) === 'drop' })
    if (noneLeft && all.length > 0 && all.every(({ isOut }) => isOut)) {
      this.edits.length = before
      return 'drop'
    }
    this.#cut(all)
    return 'keep'
  }

  #object(place: number, shape: Members | Kinds, path: string): Fate {
    const all = this.#membersAt(place)
    if (!('kinds' in shape)) return this.#members(all, shape, path) ?? this.#refuse(path, 'a part of it is missing')
    const typed = all.findLast(({ key }) => key === 'type')
    const isText = typed !== undefined && kindAt(this.#tape, typed.place) === 'text'
    const type = isText ? headAt(this.#tape, typed.place) : null
    const isOdd = typed !== undefined && !isText && rawAt(this.#tape, typed.place) !== 'null'
    const kind = isOdd || (isText && type === null) ? null : shape.kinds(type)
    const name = `${shape.word} ${type ?? this.#firstKey(all)}`
    const isClosed = kind?.needs !== undefined && !this.#open.has(kind.needs)
    const fate = kind === null || isClosed ? null : this.#members(all, kind, path)
    if (fate !== null) return fate
    const why = isClosed ? `the server's owner has not opened ${kind.needs}` : 'it is not known to be harmless'
    return shape.otherwise === 'drop' ? this.#drop(name) : this.#refuse(name, why)
  }

  /** The best description of an object without a type. */
  #firstKey(all: readonly Own[]): string {
    return all.length === 0 ? 'without a type' : `with ${all.find(({ key }) => key !== 'type')?.key ?? 'an odd type'}`
  }

  /** Null: a required member is missing. */
  #members(all: readonly Own[], shape: Members, path: string): Fate | null {
    const { required = [] } = shape
    if (required.some((key) => !all.some((own) => own.key === key))) return null
    this.#cut(
      all.map((own) => {
        const isOut = this.refused !== null || this.#isRepeated(own, path) || this.#member(own, shape, path) === 'drop'
        return { from: own.keyPlace, to: own.place, isOut }
      }),
    )
    return 'keep'
  }

  #member({ key, place }: Own, { members }: Members, path: string): Fate {
    const name = path === '' ? key : `${path}.${key}`
    const member = Object.hasOwn(members, key) ? members[key] : undefined
    return member === undefined ? this.#unknown(place, name) : this.#as(member, place, name)
  }

  #as(member: Member, place: number, name: string): Fate {
    if (member === FREE) return 'keep'
    if (member === SCHEMA) return this.#schema(place, name)
    if ('needs' in member) return this.#open.has(member.needs) ? this.#as(member.may, place, name) : this.#drop(name)
    if ('refused' in member) return this.#isEmpty(place) ? 'drop' : this.#refuse(name, member.refused)
    if ('only' in member) return member.only.includes(rawAt(this.#tape, place)) ? 'keep' : this.#unknown(place, name)
    return this.#value(place, member, name)
  }

  /** An empty wish is not reported. */
  #unknown(place: number, name: string): Fate {
    return this.#isEmpty(place) ? 'drop' : this.#drop(name)
  }

  #isEmpty(place: number): boolean {
    const raw = rawAt(this.#tape, place)
    return raw === 'null' || raw === 'false' || raw === '""' || this.#isHollow(place)
  }

  #isHollow(place: number): boolean {
    const kind = kindAt(this.#tape, place)
    return (kind === 'list' || kind === 'object') && this.#next(place) === place + 1
  }

  /**
   * A program that compiles a schema may fetch its references. The schema's own address becomes empty, because
   * references count from there: those within the schema mean the same without it.
   */
  #schema(place: number, name: string): Fate {
    for (let at = place; at < this.#next(place); at += 1) {
      if (kindAt(this.#tape, at) !== 'object') continue
      for (let key = at + 1; key < this.#next(at); key = this.#next(key + 1)) {
        const isShort = this.#end(key) - this.#start(key) < LONGEST_KEY
        const word = isShort && kindAt(this.#tape, key + 1) === 'text' ? (headAt(this.#tape, key) ?? '') : ''
        if (!REFERS.test(word) && !ADDRESSED.test(word)) continue
        const said = headAt(this.#tape, key + 1)
        if (REFERS.test(word) && said?.startsWith('#') !== true)
          return this.#refuse(`${name} with a reference`, 'the referenced part is elsewhere: put it into the schema')
        if (ADDRESSED.test(word) && isElsewhere(said, word)) this.#empty(key + 1, `${name} with an ${word} elsewhere`)
      }
    }
    return 'keep'
  }

  #empty(place: number, name: string): void {
    this.edits.push({ from: this.#start(place), to: this.#end(place), text: '""' })
    this.#drop(name)
  }

  #membersAt(place: number): Own[] {
    const all: Own[] = []
    const last = new Map<string, Own>()
    for (let at = place + 1; at < this.#next(place); at = this.#next(at + 1)) {
      const own = { key: headAt(this.#tape, at) ?? '', keyPlace: at, place: at + 1, isRepeated: false }
      const before = last.get(own.key)
      if (before) before.isRepeated = true
      last.set(own.key, own)
      all.push(own)
    }
    return all
  }

  #isRepeated({ key, isRepeated }: Own, path: string): boolean {
    if (isRepeated) this.#drop(`${path === '' ? '' : `${path}.`}${key} twice`)
    return isRepeated
  }

  /** Cuts elements out, each with its comma. */
  #cut(all: readonly { from: number; to: number; isOut: boolean }[]): void {
    const firstKept = all.findIndex(({ isOut }) => !isOut)
    const leading = firstKept === -1 ? all.length : firstKept
    if (leading > 0) {
      const to = firstKept === -1 ? this.#end(all.at(-1)!.to) : this.#start(all[firstKept]!.from)
      this.edits.push({ from: this.#start(all[0]!.from), to, text: '' })
    }
    for (let at = leading + 1; at < all.length; at += 1) {
      if (!all[at]!.isOut) continue
      const before = at - 1
      while (at + 1 < all.length && all[at + 1]!.isOut) at += 1
      this.edits.push({ from: this.#end(all[before]!.to), to: this.#end(all[at]!.to), text: '' })
    }
  }

  #drop(name: string): Fate {
    if (this.dropped.size < MOST_NAMES) this.dropped.add(plainName(name))
    return 'drop'
  }

  #refuse(name: string, why: string): Fate {
    this.refused ??= { what: plainName(name), why }
    return 'keep'
  }

  #start(place: number): number {
    return this.#tape.start[place] ?? 0
  }
  #end(place: number): number {
    return this.#tape.end[place] ?? 0
  }
  #next(place: number): number {
    return this.#tape.next[place] ?? 0
  }
}

const LONGEST_KEY = 100
const REFERS = /^\$(?:ref|dynamicRef|recursiveRef)$/
/** Members with an address in them: the schema's own, by its old and new name, and that of its language. */
const ADDRESSED = /^(?:\$?id|\$schema)$/
/** An address that can be fetched, and not only a name. */
const FETCHABLE = /^(?:https?|ftps?|wss?|file|data):|^[a-z][a-z\d+.-]*:[\\/]{2}|^[\\/]{2}/i
const LANGUAGE = /^https?:\/\/json-schema\.org\//

/** `said` null: it cannot be read. Programs that read an address skip spaces and control characters. */
function isElsewhere(said: string | null, word: string): boolean {
  if (said === null) return true
  return FETCHABLE.test(said.replaceAll(/[\s\p{Cc}]/gu, '')) && !(word === '$schema' && LANGUAGE.test(said))
}

/** A name in a form that is safe to show: the sender may have chosen anything. */
export const plainName = (name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '?')
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME - 1)}…` : plain
}
