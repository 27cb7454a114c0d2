import { MAX_FINDINGS, MAX_NAMED, type DigestTool, type ToolReport } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { JestDocument, type JestNaming } from './jest-json.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { TestUnits, testsRun, type TestsRun } from '../../tests-run.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { StillFailing } from '../../reading/still-failing.ts'

const FILE = /^ ?(PASS|FAIL) {1,4}(\S.{0,400})$/
const SCRIPT = /\.[cm]?[jt]sx?$/
const BULLET = /^ {2}● (.{1,500})$/
const SUITES = /^Test Suites:\s{1,10}(.{1,200})$/
const TESTS = /^Tests:\s{1,10}(.{1,200})$/
const TIME = /^Time:\s{1,10}\d/
const BROKEN = 'Test suite failed to run'
/** Jest's message when the code ends its process: any earlier counts are not Jest's. */
const EXITED = /^ ?process\.exit called with "/
/** With `--bail` it ends before the last files: "1 failed, 1 of 3 total". */
const STOPPED = /\b\d{1,9} of \d{1,9} total\b/
/** Bullets that are not failures. */
const NOTES = /^(?:Console$|Cannot log after|.{0,200}(?:Warning|Warnings|obsolete):?$)/
const NOTHING = /^No tests found, exiting with code (\d)/

/** Jest's default and verbose reporters, and its JSON. */
export const jest: DigestTool = {
  name: 'jest',
  type: 'test',
  command: /\b(?:jest|react-scripts\s+test)\b/,
  signs: ['FAIL ', '● ', 'Test Suites: ', 'No tests found, exiting', '"numFailedTestSuites"'],
  scan: () =>
    scanRuns({
      command: /\b(?:jest|react-scripts test)\b/,
      run: (detailed) => new JestRun(detailed),
      json: { firstKeys: ['numFailedTestSuites'], read: (done) => new JestDocument(naming, done) },
    }),
}

/** As Jest prints it, with its file. */
const titleOf = (file: string, name: string): string => `● ${name}${file === '' ? '' : ` (${file})`}`

const naming: JestNaming = {
  path: (_file, groups, name) => [...groups, name],
  title: (file, groups, name) => titleOf(file, [...groups, name].join(' › ')),
  broken: BROKEN,
  summary: (failed, passed, total) => `Tests: ${failed} failed, ${passed} passed, ${total} total`,
}

class JestRun implements RunScanner {
  concluded = 0
  readonly #tests: FailedTests
  readonly #seen = new Set<string>()
  #file = ''
  #name: string | null = null
  #detail: FailureDetail
  #inFile = false
  #failedSuites = 0
  #broken = 0
  #failedTests = 0
  #total: number | null = null
  #summaryLine = ''
  #nothing: number | null = null
  /** Files that ended; their tests are named only with `--verbose`, for people. */
  #units = new TestUnits()
  /** By file. */
  readonly #stillFailing = new StillFailing(MAX_FINDINGS)
  #idle = 0
  #stopped = false
  #suites = 0
  /** Nothing of Jest's own came after the end of its process. */
  #exited = false
  /** The line after its counts was there. */
  #timed = false

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
    this.#detail = this.#tests.detail()
  }

  line(text: string): void {
    const file = /^ ?[PF]/.test(text) ? FILE.exec(text) : null
    const bullet = text.startsWith('  ●') ? BULLET.exec(text) : null
    if (file) this.#startFile(file[2] ?? '', file[1] === 'FAIL')
    else if (bullet) this.#startFailure(bullet[1] ?? '')
    // Jest explains syntax errors at length before it names the place.
    else if (text === '    Details:' && this.#name === BROKEN) this.#detail = this.#tests.detail()
    else if (!this.#summary(text) && this.#name !== null) this.#detail.line(text)
  }

  /** A run that a test starts and prints has fewer files than are listed above it. */
  isFollowedBy(text: string): boolean {
    return this.#timed && /^ ?[PF]/.test(text) && FILE.test(text) && this.#units.size <= this.#suites
  }

  end(): ToolReport | null {
    this.#endFailure()
    if (this.concluded === 0) {
      if (this.#nothing !== null) return testReport(this.#nothing, [], 0, 'no tests found')
      // Without a summary, only lines below a file's FAIL are surely Jest's.
      return this.#inFile && this.#tests.length > 0 ? testReport(0, this.#tests.list(), null) : null
    }
    const run = this.#run()
    if (this.#exited) {
      const unknown = testsRun(null, 0, null, { stopped: true })
      return testReport(1, this.#tests.list().slice(-1), null, undefined, unknown)
    }
    if (this.#failedSuites === 0 && this.#failedTests === 0) {
      // If the counts disagree, something else printed them: the lines of the files count.
      const failed = this.#stillFailing.names.size
      return testReport(failed, failed === 0 ? [] : this.#tests.list(), this.#total, undefined, run)
    }
    const failures = Math.max(1, this.#failedTests + this.#broken)
    const summary = this.#failedTests > 0 ? this.#summaryLine : undefined
    return testReport(failures, this.#tests.list(failures), this.#total, summary, run)
  }

  #run(): TestsRun {
    const ran = this.#total === null ? null : Math.max(0, this.#total - this.#idle)
    return testsRun(ran, this.#failedTests, this.#units, { coarse: true, stopped: this.#stopped })
  }

  #startFile(text: string, failed: boolean): void {
    this.#endFailure()
    this.#inFile = true
    // "unit ./a.test.js (5.2 s)": a project's name comes first, the time last.
    const name = text.replace(/ \(\d[\d.]{0,10} m?s\)$/, '')
    this.#file = name.slice(name.lastIndexOf(' ') + 1).replace(/^\.\//, '')
    this.#units.add(this.#file)
    if (!failed || SCRIPT.test(this.#file)) this.#stillFailing.add(this.#file, failed)
  }

  #startFailure(text: string): void {
    this.#endFailure()
    if (NOTES.test(text)) return
    this.#exited ||= EXITED.test(text)
    this.#name = text.trim()
  }

  #endFailure(): void {
    const name = this.#name
    if (name === null) return
    const detail = this.#detail.toString()
    this.#name = null
    this.#detail = this.#tests.detail()
    // If there are many files, Jest repeats all failures at the end.
    const title = titleOf(this.#file, name)
    const key = this.#tests.full ? title : `${title}\n${detail}`
    if (this.#seen.has(key)) return
    if (this.#seen.size < 2 * MAX_NAMED) this.#seen.add(key).add(title)
    if (name === BROKEN) {
      this.#broken += 1
      this.#units.lacks(this.#file)
    }
    this.#tests.add(name === BROKEN ? [this.#file] : name.split(' › '), title, detail)
  }

  #summary(text: string): boolean {
    // A summary begins with "Tests", "Test Suites", "No tests", "Summary" or "Snapshot".
    const first = text.charCodeAt(0)
    if (first !== 0x54 && first !== 0x4e && first !== 0x53) return false
    this.#timed ||= this.concluded > 0 && TIME.test(text)
    const nothing = NOTHING.exec(text)
    if (nothing) this.#nothing = Number(nothing[1]) === 0 ? 0 : 1
    const suites = SUITES.exec(text)
    if (suites) {
      this.#endFailure()
      this.concluded += 1
      this.#exited = false
      this.#failedSuites = count(suites[1], 'failed')
      this.#suites = count(suites[1], 'total')
      this.#failedTests = 0
      this.#stopped = STOPPED.test(suites[1] ?? '')
    }
    const tests = TESTS.exec(text)
    if (tests && this.concluded > 0) {
      this.#failedTests = count(tests[1], 'failed')
      this.#total = count(tests[1], 'total')
      this.#idle = count(tests[1], 'skipped') + count(tests[1], 'todo')
      this.#summaryLine = text
    }
    if (text === 'Summary of all failing tests' || text === 'Snapshot Summary') this.#endFailure()
    return nothing !== null || suites !== null || tests !== null
  }
}

function count(text: string | undefined, what: string): number {
  const found = new RegExp(`\\b(\\d{1,9}) ${what}\\b`).exec(text ?? '')
  return found ? Number(found[1]) : 0
}
