import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import { FailureDetail } from '../../reading/failure-detail.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { isNodeTap } from '../any/tap.ts'
import { isThrown, TapReader } from '../any/tap-reader.ts'
import { TestUnits, testsRun, type TestsRun } from '../../tests-run.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { StillFailing } from '../../reading/still-failing.ts'

const COUNT = /^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d{1,9})$/
const HEADER = /^(?:✖ failing|Failed) tests:$/
const LINE = /^( {0,60})([▶✖✔﹣⚠]) (.{1,1000})$/
const PLACE = /^test at (\S.{0,400}):(\d{1,9}:\d{1,9})$/
const TIME = / \([\d.]{1,30}ms\)$/
/** A file that could not be loaded is listed among the tests. A test may have such a name, too. */
const SCRIPT = /^\S+\.[cm]?[jt]sx?$/
const CROSS = 0x2716 // ✖
const INFO = 0x2139 // ℹ
/** The most names that are kept to find the groups of a failed test. */
const MAX_KNOWN = 2000

/** Node's own runner: its reporters for people, and TAP. */
export const nodeTest: DigestTool = {
  name: 'node-test',
  type: 'test',
  command: /\b(?:node|tsx)\s(?:\S{1,200}\s){0,10}--test\b/,
  signs: ['ℹ tests ', '✖ ', '# Subtest: ', 'Failed tests:', '# cancelled '],
  scan: () =>
    scanRuns({
      command: /\bnode .{0,200}--test\b/,
      begins: (line) => line.startsWith('TAP version 1'),
      run: (detailed) => new NodeRun(detailed),
    }),
}

class NodeRun implements RunScanner {
  concluded = 0
  readonly #tap: TapReader
  readonly #tests: FailedTests
  #counts = new Map<string, number>()
  readonly #groups: string[] = []
  /** The groups and the crash of each test that failed, by its line without indentation. */
  readonly #known = new Map<string, { groups: string[]; thrown: string }>()
  #thrown: FailureDetail | null = null
  #listing = false
  #file = ''
  /** True at the start of a file; it is the place of a file that could not be loaded. */
  #atStart = false
  #failure: { text: string; detail: FailureDetail } | null = null
  #skipping = false
  readonly #units = new TestUnits()
  /** Failures that may be files, until the list of failures shows their places. */
  readonly #maybeFiles = new Set<string>()
  readonly #stillFailing = new StillFailing(MAX_KNOWN)
  #named = 0
  /** The last of its counts was there. */
  #over = false

  constructor(detailed: boolean) {
    this.#tap = new TapReader(detailed)
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    this.#tap.line(text)
    const first = text.charCodeAt(0)
    if ((first === CROSS || first === 0x46) && HEADER.test(text)) return this.#startList()
    const count = first === INFO ? COUNT.exec(text) : null
    if (count) return this.#count(count[1] ?? '', Number(count[2]))
    if (first === INFO && this.concluded > 0 && text.startsWith('ℹ duration_ms ')) this.#over = true
    if (this.#listing) this.#listed(text)
    else this.#live(text)
  }

  /** A run that a test starts and prints counts fewer tests than are listed above it. */
  isFollowedBy(text: string): boolean {
    if (!this.#over || this.#named > (this.#counts.get('tests') ?? 0)) return false
    const mark = lineOf(text)?.[2]
    return mark === '✔' || mark === '▶' || (mark === '✖' && !this.#listing && !HEADER.test(text))
  }

  end(): ToolReport | null {
    this.#tap.end()
    this.#endFailure()
    if (!this.#listing) for (const name of this.#maybeFiles) this.#units.lacks(name)
    const total = this.#counts.get('tests')
    if (total !== undefined && this.#counts.has('cancelled')) {
      const failures = (this.#counts.get('fail') ?? 0) + (this.#counts.get('cancelled') ?? 0)
      // If the counts disagree with the tests, something else printed them, unless a failure is no test.
      const found = this.#stillFailing.count(failures, this.#named - ranOf(this.#counts, total))
      const units = failures > 0 ? this.#units : this.#units.without(this.#stillFailing.names)
      const run = runOf(this.#counts, total, found, units)
      return testReport(found, found === 0 ? [] : this.#tests.list(found), total, undefined, run)
    }
    if (isNodeTap(this.#tap) && (this.#tap.points > 0 || this.#tap.counts.get('tests') === 0))
      return tapReport(this.#tap)
    // The dot reporter prints no counts.
    return this.#tests.length > 0 ? testReport(0, this.#tests.list(), null) : null
  }

  #count(what: string, number: number): void {
    this.#endFailure()
    if (what === 'tests') {
      this.#counts = new Map()
      this.#listing = false
      this.concluded += 1
    }
    this.#counts.set(what, number)
  }

  #startList(): void {
    this.#endFailure()
    this.#tests.clear()
    this.#listing = true
    this.#file = ''
  }

  /** "✖ name (3ms)" below the group "▶ name", printed as tests end. */
  #live(text: string): void {
    const line = lineOf(text)
    if (line === null) {
      if (isThrown(text)) this.#thrown = new FailureDetail()
      this.#thrown?.line(text)
      return
    }
    const [, indent = '', mark, name = ''] = line
    const depth = indent.length / 2
    const bare = name.replace(TIME, '')
    const endsGroup = mark !== '▶' && this.#groups[depth] === bare
    this.#groups.length = Math.min(this.#groups.length, Math.floor(depth))
    if (mark === '▶') this.#groups.push(name)
    else if (!endsGroup && (mark === '✔' || mark === '✖')) {
      this.#named += 1
      const path = [...this.#groups, bare].join(' > ')
      this.#stillFailing.add(path, mark === '✖')
      this.#units.add(path)
    }
    if (mark === '▶') {
      this.#thrown = null
      return
    }
    if (mark === '✖' && depth === 0 && SCRIPT.test(bare) && this.#maybeFiles.size < MAX_KNOWN)
      this.#maybeFiles.add(bare)
    if (mark === '✖' && this.#known.size < MAX_KNOWN)
      this.#known.set(name, { groups: [...this.#groups], thrown: this.#thrown?.toString() ?? '' })
    this.#thrown = null
  }

  #listed(text: string): void {
    const place = text.startsWith('test at ') ? PLACE.exec(text) : null
    if (place) {
      this.#endFailure()
      this.#file = place[1] ?? ''
      this.#atStart = place[2] === '1:1'
      return
    }
    const line = lineOf(text)
    if (line && line[1] === '') {
      this.#endFailure()
      // A "todo" test is listed too, with another mark.
      this.#skipping = line[2] !== '✖'
      if (!this.#skipping) this.#failure = { text: line[3] ?? '', detail: this.#tests.detail() }
    } else if (!this.#skipping) this.#failure?.detail.line(text)
  }

  #endFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure === null) return
    const known = this.#known.get(failure.text)
    const name = failure.text.replace(TIME, '')
    const path = [...(known?.groups ?? []), name]
    if (this.#atStart && this.#maybeFiles.has(name) && isSameFile(this.#file, name)) this.#units.lacks(name)
    const title = path.join(' > ')
    const said = failure.detail.toString()
    const detail = said === "'test failed'" && known?.thrown ? known.thrown : said
    // The dot reporter also lists groups that failed because of their tests.
    if (/\b\d{1,9} subtests? failed'?$/.test(said.split('\n')[0] ?? '')) return
    this.#tests.add(path, this.#file === '' || title.includes(this.#file) ? title : `${title} (${this.#file})`, detail)
  }
}

const isSameFile = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)

/** Marks are beyond U+2000; hardly any other line begins with such a character. */
function lineOf(text: string): RegExpExecArray | null {
  let at = 0
  while (text.charCodeAt(at) === 0x20) at += 1
  return text.charCodeAt(at) > 0x2000 ? LINE.exec(text) : null
}

function tapReport(tap: TapReader): ToolReport {
  const counted = tap.counts.get('tests')
  const said = (tap.counts.get('fail') ?? 0) + (tap.counts.get('cancelled') ?? 0)
  const failures = counted === undefined ? tap.failed : tap.stillFailing.count(said, tap.points - counted)
  const total = counted ?? tap.points
  const run = runOf(tap.counts, total, failures, said > 0 ? tap.units : tap.units.without(tap.stillFailing.names))
  return testReport(failures, failures === 0 ? [] : tap.tests.list(), total, undefined, run)
}

const runOf = (counts: ReadonlyMap<string, number>, total: number, failures: number, units: TestUnits): TestsRun =>
  testsRun(ranOf(counts, total), failures, units)

/** The tests that ran, without skipped and "todo" ones. */
const ranOf = (counts: ReadonlyMap<string, number>, total: number): number =>
  Math.max(0, total - (counts.get('skipped') ?? 0) - (counts.get('todo') ?? 0))
