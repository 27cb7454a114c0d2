import { FailureDetail } from '../../reading/failure-detail.ts'
import { TestUnits } from '../../tests-run.ts'
import { MAX_FINDINGS } from '../../digest-tool.ts'
import { FailedTests } from '../../reading/run-report.ts'
import { StillFailing } from '../../reading/still-failing.ts'

const POINT = /^(not )?ok\b(?: {0,4}(\d{1,9}))?(?: {1,4}- )?(.{0,1000})$/
const PLAN = /^1\.\.(\d{1,9})\b/
const COUNT = /^# (tests|pass|fail|cancelled|skipped|skip|todo)\s{1,4}(\d{1,9})$/
/** Comments that are not names of groups. */
const REMARK =
  /^(?:SKIP|TODO|ok$|Subtest:|Looks like|(?:tests|suites|pass|fail|failed|cancelled|skipped|skip|todo|time|duration_ms)\b)/
const THROWN = /^(?:Uncaught )?\w{0,80}(?:Error|Exception)\b.{0,20}: /
/** Keys of a diagnosis with the error, and keys with the place. */
const SAID = new Set([
  'error',
  'message',
  'name',
  'expected',
  'wanted',
  'actual',
  'found',
  'diff',
  'compare',
  'exitcode',
])
const SCRIPT = /^\S+\.[cm]?[jt]sx?$/
const PLACES = new Set(['at', 'location', 'stack', 'source'])
const MAX_DEPTH = 30

/** The first line that Node prints for an uncaught error. */
export const isThrown = (line: string): boolean =>
  isWord(line.charCodeAt(0)) && (line.includes('Error') || line.includes('Exception')) && THROWN.test(line)

const isWord = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

const MAX_BLOCK = 80
/** The first characters of lines of the protocol: a comment, "ok", "not ok", a plan, a version, "Bail out!". */
const MEANT = new Set([...'#on1TB'].map((char) => char.charCodeAt(0)))
const NO_FIELDS: ReadonlyMap<string, string[]> = new Map()

type Point = { path: string[]; lines: string[] | null; inner: boolean; thrown: FailureDetail | null }

/** Test points of the Test Anything Protocol, nested as Node's runner, Vitest and node-tap nest them. */
export class TapReader {
  readonly tests: FailedTests
  /** Lines of the form "# fail 3", as the tool counts. */
  counts = new Map<string, number>()
  version = false
  /** Node's runner names a test before it ends. */
  subtests = false
  plan: number | null = null
  points = 0
  topPoints = 0
  failed = 0
  readonly stillFailing = new StillFailing(MAX_FINDINGS)
  /** Points that report no result. */
  skipped = 0
  readonly units = new TestUnits()
  bailedOut: string | null = null
  /** An error outside of every test. */
  thrown: FailureDetail | null = null
  readonly #groups: string[] = []
  #heading: string | null = null
  #last: Point | null = null
  /** Depth of the last point: a point one level further out is its group. */
  #depth = -1
  #braces = false
  #block: { indent: number } | null = null
  readonly #detailed: boolean

  constructor(detailed = true) {
    this.tests = new FailedTests(detailed)
    this.#detailed = detailed
  }

  line(text: string): void {
    const indent = indentOf(text)
    if (this.#block !== null ? this.#inBlock(text, indent, this.#block.indent) : this.#begins(text, indent)) return
    const first = text.charCodeAt(indent)
    if (!MEANT.has(first)) return this.#other(text, indent)
    const content = indent === 0 ? text : text.slice(indent)
    if (first === 0x23) return this.#comment(content, indent)
    const point = content.startsWith('ok') || content.startsWith('not ok') ? POINT.exec(content) : null
    if (point && indent <= 4 * MAX_DEPTH) return this.#point(point, indent)
    const plan = content.startsWith('1..') ? PLAN.exec(content) : null
    if (plan && indent === 0) this.plan = Number(plan[1])
    else if (content.startsWith('TAP version ')) this.version = true
    else if (content.startsWith('Bail out!')) this.bailedOut = content.slice(9, 200).trim()
    else this.#other(text, indent)
  }

  #other(text: string, indent: number): void {
    if (indent === 0) this.#outside(text)
    else if (this.#last?.lines) this.#keep(text)
    else this.thrown?.line(text)
  }

  end(): void {
    this.#endPoint()
  }

  #comment(content: string, indent: number): void {
    // Test::More explains a failure in comments that are indented.
    if (content.startsWith('#  ') && this.#last?.lines && !this.subtests && !COUNT.test(content))
      return this.#keep(content.slice(1))
    const text = content.replace(/^#\s{0,4}/, '')
    const count = indent === 0 ? COUNT.exec(content) : null
    if (count) {
      // Something that a test printed in this form came earlier.
      if (count[1] === 'tests') this.counts = new Map()
      this.counts.set(count[1] ?? '', Number(count[2]))
    }
    if (text.startsWith('Subtest: ')) {
      this.subtests = true
      this.#endPoint()
      this.#name(indent, text.slice(9))
      this.#heading = null
    } else if (indent === 0) {
      this.#outside(content.slice(2))
      if (this.subtests || REMARK.test(text)) return
      this.#endPoint()
      this.#heading = text.slice(0, 300)
    }
  }

  #name(indent: number, name: string): void {
    const depth = Math.floor(indent / 4)
    this.#groups.length = Math.min(this.#groups.length, depth)
    if (depth < MAX_DEPTH) this.#groups[depth] = unescaped(name.slice(0, 500))
  }

  #point([, not, , rest = '']: RegExpExecArray, indent: number): void {
    this.#endPoint()
    const { name, directive, opens } = partsOf(rest)
    const depth = Math.floor(indent / 4)
    const path = [...this.#groups.slice(0, depth).filter((group) => group !== undefined), name]
    if (this.#heading !== null && indent === 0) path.unshift(this.#heading)
    if (indent === 0) this.topPoints += 1
    // Vitest opens a group with its point; Node ends one with it.
    if (opens) this.#braces = true
    const isGroup = opens || (!this.#braces && depth < this.#depth)
    this.#depth = depth
    if (opens) this.#name(indent, name)
    if (!isGroup) this.points += 1
    if (!isGroup && directive !== '') this.skipped += 1
    else if (!isGroup) this.units.add(path.join(' > '))
    const isFailure = not !== undefined && directive === ''
    if (isFailure && !isGroup) this.failed += 1
    if (!isGroup && (isFailure || not === undefined)) this.stillFailing.add(path.join(' > '), isFailure)
    const { thrown } = this
    this.thrown = null
    this.#last = { path, lines: isFailure && !opens ? [] : null, inner: isGroup, thrown }
  }

  /** Anything may come inside a diagnosis; it ends at a line indented like its first. */
  #inBlock(text: string, indent: number, outer: number): boolean {
    if (indent === outer && text.length === indent + 3 && text.endsWith('...')) this.#block = null
    // A point at the same level or further out: the diagnosis was cut off.
    else if (indent < outer && /^(?:not )?ok \d/.test(text.slice(indent))) {
      this.#block = null
      return false
    } else if (this.#last?.lines) this.#keep(text.slice(Math.min(indent, outer)))
    return true
  }

  #begins(text: string, indent: number): boolean {
    if (text.length !== indent + 3 || this.#last === null || !text.endsWith('---')) return false
    this.#block = { indent }
    return true
  }

  #keep(text: string): void {
    const lines = this.#last?.lines
    if (lines && lines.length < MAX_BLOCK) lines.push(text.slice(0, 500))
  }

  #outside(text: string): void {
    if (isThrown(text)) this.thrown = new FailureDetail()
    this.thrown?.line(text)
  }

  #endPoint(): void {
    const last = this.#last
    this.#last = null
    this.#block = null
    if (last === null || last.lines === null) return
    const [name = ''] = last.path
    // Node reports a file that it could not load as a test, at the first position of the file.
    if (last.path.length === 1 && SCRIPT.test(name) && last.lines.some((line) => line.endsWith(`${name}:1:1'`)))
      this.units.lacks(name)
    const detailed = this.#detailed && !this.tests.full
    const fields = last.inner || detailed ? fieldsOf(last.lines) : NO_FIELDS
    // A group fails because of its tests, which are listed, or because of its own hook.
    if (last.inner && !/hookFailed|testCodeFailure/.test(fields.get('failureType')?.[0] ?? '')) return
    const detail = detailed ? detailOf(last.lines, fields, last.thrown) : ''
    this.tests.add(last.path, last.path.join(' > '), detail)
  }
}

/** "adds up # SKIP no time": the name and whether it counts; Vitest adds its time and opens a group with a brace. */
function partsOf(rest: string): { name: string; directive: string; opens: boolean } {
  const text = rest.trim()
  const opens = text.endsWith(' {')
  const named = (opens ? text.slice(0, -2) : text).replace(/ # time=[\d.]{1,20}m?s$/, '')
  const mark = /(?:^|[^\\])#\s{0,4}(skip|todo)/i.exec(named)
  const name = mark ? named.slice(0, mark.index + (mark[0].startsWith('#') ? 0 : 1)) : named
  return { name: unescaped(name.trim()).slice(0, 500), directive: mark?.[1]?.toLowerCase() ?? '', opens }
}

const unescaped = (text: string): string => (text.includes('\\') ? text.replace(/\\([\\#])/g, '$1') : text)

/** The indentation of the first non-blank character. */
function indentOf(text: string): number {
  let at = 0
  while (text.charCodeAt(at) === 0x20) at += 1
  const next = text.charCodeAt(at)
  return next > 0x20 && next < 0x80 ? at : text.length - text.trimStart().length
}

/** The keys of a diagnosis with their lines. Values are for people, so the first level is enough. */
function fieldsOf(block: readonly string[]): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  const [first = ''] = block
  // tape indents the contents of a block, others do not.
  const indent = first.length - first.trimStart().length
  const lines = block.map((line) => (line.slice(0, indent).trim() === '' ? line.slice(indent) : line))
  let current: string[] | null = null
  for (const line of lines) {
    const field = /^([A-Za-z_]{1,40}):(?: (.{0,500}))?$/.exec(line)
    if (field) {
      const value = field[2] ?? ''
      current = value === '' || /^[|>][-+]?$/.test(value) ? [] : [unquoted(value)]
      if (fields.size < 40) fields.set(field[1] ?? '', current)
    } else current?.push(line)
  }
  return fields
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value.replace(/^["']/, '')

function detailOf(
  lines: readonly string[],
  fields: ReadonlyMap<string, string[]>,
  thrown: FailureDetail | null,
): string {
  const detail = new FailureDetail()
  if (fields.size === 0) return detail.text(lines.join('\n')).toString()
  const places = [...PLACES].flatMap((key) => fields.get(key) ?? [])
  for (const [key, value] of fields) if (SAID.has(key.toLowerCase())) said(detail, key, value)
  for (const place of [...(fields.get('stack') ?? []), ...places]) detail.frame(place.trim())
  const own = detail.toString()
  // A crashed file has "failed"; it printed the reason earlier.
  return thrown !== null && /^(?:exitCode: \d+\n)?test failed/.test(own) ? thrown.toString() : own
}

function said(detail: FailureDetail, key: string, value: readonly string[]): void {
  if (/^(?:error|message)$/.test(key)) {
    // Vitest nests the message below the error, in quotes that end several lines later.
    const nested = value.some((line) => /^\s{0,8}message: "/.test(line))
    for (const line of value) detail.line(nested ? withoutQuotes(line) : line)
  } else if (key === 'name' || key === 'exitCode') return
  else if (value.length === 1) detail.line(`${key}: ${value[0]?.trim() ?? ''}`)
  else if (value.length > 1) {
    detail.line(`${key}:`)
    for (const line of value.slice(0, 5)) detail.line(`  ${withoutQuotes(line).trim()}`)
  }
}

const withoutQuotes = (line: string): string =>
  line
    .replace(/^\s{0,8}(?:message|name): "/, '')
    .replace(/(?<!\\)"$/, '')
    .replaceAll('\\"', '"')
