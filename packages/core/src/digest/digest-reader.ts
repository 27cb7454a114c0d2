import { stripAnsi } from '../text/ansi.ts'
import { capDigest } from './cap.ts'
import { composeDigest, type Digest } from './compose.ts'
import type { DigestTool, StepType } from './digest-tool.ts'
import { causeSigns, GenericScanner } from './generic.ts'
import type { KnownFailures } from './known-failures.ts'
import { carryAfter, cleanText, lastLinesOf, linesOf, type Chunk } from './reading/lines.ts'
import { withoutStamps, withoutStampsIn } from './reading/line-stamp.ts'
import { PackageLines, type Section } from './reading/package-lines.ts'
import { SignSearch } from './reading/sign-search.ts'
import { ToolRun } from './tool-run.ts'
import { digestTools } from './tools.ts'

export type { Digest } from './compose.ts'

export type DigestOptions = {
  /** The command line that printed the output, if known. */
  command?: string
  /** Only this tool; `generic` for none. */
  tool?: string
  type?: StepType
  /** Prefixes to remove from paths. */
  roots?: readonly string[]
  /** Known failures: the digest is about the others, if there are any. */
  known?: KnownFailures
}

/** Characters that are read together. */
const CHUNK = 64 * 1024
/** An escape sequence that begins this near the end of a chunk without a newline waits for the next one. */
const ESCAPE_ROOM = 64
/** The part of a command line that is searched for names of tools; nobody writes a longer one. */
const MAX_COMMAND = 10_000

/** The number of lines at the end of a chunk that may become the end of the output. */
const TAIL = 60

const causeSearch = new SignSearch([causeSigns])

/** Reads the output of a command as it comes, in memory that does not grow with it. */
export class DigestReader {
  readonly #options: DigestOptions
  readonly #generic = new GenericScanner()
  readonly #packages = new PackageLines()
  readonly #running: ToolRun[] = []
  /** Tools that the command line names. */
  readonly #named: DigestTool[]
  #waiting: DigestTool[]
  #signs: SignSearch
  #pending = ''
  /** The previous piece, for tools that this one wakes; its sections once it was split. */
  #previous: { chunk: Chunk; sections: readonly Piece[] | null } | null = null
  #carry = ''
  #overlap = ''
  #blank = true

  constructor(options: DigestOptions = {}) {
    this.#options = options
    const command = (options.command ?? '').slice(0, MAX_COMMAND)
    const offered = options.tool === undefined ? digestTools : digestTools.filter(({ name }) => name === options.tool)
    this.#named = options.tool === undefined ? offered.filter((tool) => tool.command?.test(command)) : [...offered]
    // A tool that was asked for by name is fed from the first line. Nearly all others must show a sign, even if the
    // command names them.
    const atOnce = options.tool === undefined ? this.#named.filter(({ fromStart }) => fromStart === true) : offered
    this.#waiting = options.tool === undefined ? offered.filter((tool) => !atOnce.includes(tool)) : []
    for (const tool of atOnce) this.#running.push(new ToolRun(tool))
    this.#signs = searchFor(this.#waiting)
  }

  /** Text in pieces of any size, cut anywhere. */
  push(text: string): void {
    let from = 0
    while (this.#pending.length + text.length - from >= CHUNK) {
      // Without anything pending a chunk is a view of `text`; with it, it is a copy.
      const held = this.#pending
      const whole = held + text.slice(from, from + CHUNK - held.length)
      const cut = cutAt(whole)
      this.#pending = ''
      if (cut < held.length) this.#pending = whole.slice(cut)
      from += cut < held.length ? whole.length - held.length : cut - held.length
      this.#chunk(whole.slice(0, cut))
    }
    this.#pending += text.slice(from)
  }

  /** @param exitCode the command's, if known; unless it is 0, nothing is reported as passed */
  end(exitCode: number | null = null): Digest {
    this.#chunk(this.#pending)
    this.#pending = ''
    if (this.#carry !== '') this.#chunk('\n')
    return composeDigest({
      outcomes: this.#running.flatMap((run) => run.end()),
      named: this.#named,
      generic: this.#generic,
      blank: this.#blank,
      exitCode,
      type: this.#options.type ?? null,
      roots: this.#options.roots ?? ['/workspace/'],
      known: this.#options.known,
    })
  }

  #chunk(raw: string): void {
    if (raw === '') return
    const chunk: Chunk = { carry: this.#carry, text: cleanText(raw.isWellFormed() ? raw : raw.toWellFormed()) }
    const boundary = this.#boundary(chunk.text)
    const woken = this.#wake([boundary, chunk.text])
    const suspicious = this.#suspicious([boundary, chunk.text])
    this.#carry = carryAfter(chunk)

    if (this.#running.length === 0 && woken.length === 0 && !suspicious && this.#isDull(chunk)) {
      this.#previous = { chunk, sections: null }
      return
    }
    const before = woken.length > 0 ? this.#previous : null
    if (before !== null) feed(woken, before.sections ?? this.#split(before.chunk, linesOf(before.chunk)).sections)
    const { lines, sections } = this.#split(chunk, linesOf(chunk))
    this.#running.push(...woken)
    // Signs at the start of a line are only found once prefixes are removed.
    if (sections.some(({ text }) => text !== chunk.text)) this.#running.push(...this.#wake(sections.map(textOf)))
    feed(this.#running, sections)
    if (suspicious) this.#generic.lines(lines)
    else this.#generic.plainLines(lines)
    // A package manager prints "> tsc -p ." before it runs a script.
    this.#blank &&= lines.every((line) => line === '' || line.startsWith('> '))
    this.#previous = { chunk, sections }
  }

  /** The lines of a piece without stamps, and the section of each. */
  #split({ text }: Chunk, stamped: readonly string[]): { lines: readonly string[]; sections: readonly Piece[] } {
    const lines = withoutStamps(stamped)
    const isStamped = lines !== stamped
    const sections = this.#packages.split(lines, isStamped ? null : text)
    const [only] = sections
    // An endless line is a document's; without an end it belongs to no package.
    if (only === undefined) return { lines, sections: [{ ...NO_PACKAGE, text }] }
    if (sections.length > 1 || only.key !== '')
      return { lines, sections: sections.map((one) => ({ ...one, text: null })) }
    return { lines, sections: [{ ...only, text: isStamped ? withoutStampsIn(text) : text }] }
  }

  /** Whether no tool needs these lines: then only the last ones are kept, in case the output ends here. */
  #isDull(chunk: Chunk): boolean {
    if (this.#blank || this.#generic.wantsContext || this.#packages.notices(chunk.text)) return false
    const last = lastLinesOf(chunk, TAIL)
    if (last === null) return false
    this.#generic.skip()
    this.#generic.plainLines(last)
    return true
  }

  /** The end of the last chunk and the start of this one: a sign may be split between them. */
  #boundary(text: string): string {
    const room = Math.max(this.#signs.longest, causeSearch.longest)
    const boundary = this.#overlap + text.slice(0, room)
    this.#overlap = text.length < room ? (this.#overlap + text).slice(-room) : text.slice(-room)
    return boundary
  }

  #suspicious(texts: readonly string[]): boolean {
    if (!this.#generic.wantsCauses) return false
    return texts.some((text) => causeSearch.find(text).length > 0)
  }

  /** Scanners for the tools whose sign is in the texts, in the order of their signs. */
  #wake(texts: readonly string[]): ToolRun[] {
    return texts.flatMap((text) => {
      const hits = this.#waiting.length === 0 ? [] : this.#signs.find(text)
      if (hits.length === 0) return []
      const owners = new Set(hits.map(({ owner }) => owner))
      const woken = hits
        .toSorted((one, other) => one.at - other.at)
        .flatMap(({ owner }) => this.#waiting[owner] ?? [])
        .map((tool) => new ToolRun(tool))
      this.#waiting = this.#waiting.filter((_, at) => !owners.has(at))
      this.#signs = searchFor(this.#waiting)
      return woken
    })
  }
}

/** The digest of a whole output. */
export function digestText(text: string, options: DigestOptions = {}, exitCode: number | null = null): Digest {
  const reader = new DigestReader(options)
  reader.push(text)
  return reader.end(exitCode)
}

/** The generic digest alone, from the end of a failed output, at most `limit` characters. */
export function genericDigest(text: string, limit?: number): string {
  const reader = new GenericScanner()
  const chunk = { carry: '', text: `${cleanText(text.toWellFormed())}\n` }
  reader.lines(linesOf(chunk))
  return capDigest(stripAnsi(reader.text(limit)), limit)
}

const searchFor = (tools: readonly DigestTool[]): SignSearch => new SignSearch(tools.map(({ signs }) => signs))

/** `text` is the whole piece, if all its lines are in one section and nothing was removed from them. */
type Piece = Section & { text: string | null }

const NO_PACKAGE: Section = { key: '', name: '', titled: false, lines: [] }

const textOf = ({ lines }: Section): string => `\n${lines.join('\n')}\n`

function feed(running: readonly ToolRun[], pieces: readonly Piece[]): void {
  for (const piece of pieces) for (const run of running) run.feed(piece, piece.text)
}

/** The place to cut a chunk: after its last line, or, in an endless line, outside of an escape sequence. */
function cutAt(text: string): number {
  const newline = text.lastIndexOf('\n')
  if (newline >= 0) return newline + 1
  const escape = text.indexOf('\x1b', text.length - ESCAPE_ROOM)
  if (escape > 0) return escape
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length
}
