import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'
import { ENDED_EARLY } from '../../reading/failure-blocks.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'

/** "[ RUN      ] Cart.Sums", "[  FAILED  ] Cart.Sums (0 ms)": GoogleTest's lines; cmocka's look alike. */
const MARK =
  /^\[( RUN {6}|  FAILED  |       OK |  SKIPPED |  PASSED  |  ERROR {3}|   LINE {3}|={10}|-{10})\] ?(.{0,1000})$/
const TIME = / \(\d{1,9} ms\)$/
const TOTAL = '[==========] '
const RAN = /^(?:\S.{0,200}: )?(\d{1,9}) tests?(?: from \d{1,9} test (?:suites?|cases?) ran\.|\(s\) run\.)/
const RUNNING = /^(?:\S.{0,200}: )?Running \d{1,9} test/
const LISTED = /^\d{1,9} (?:tests?|test\(s\)), listed below/
const PLACE = /^(\S.{0,300}?)(?::(\d{1,9})|\((\d{1,9})\)): (?:error: )?(Failure|Skipped)!?$/

/** GoogleTest's output for people, and cmocka's. */
export const googletest: DigestTool = {
  name: 'googletest',
  type: 'test',
  command: null,
  signs: ['[ RUN      ] ', '[  FAILED  ] ', '[==========] '],
  scan: () => scanRuns({ command: /\bgtest\b/, run: (detailed) => new GoogleTestRun(detailed) }),
}

class GoogleTestRun implements RunScanner {
  concluded = 0
  readonly #tests: FailedTests
  /** The running test and its output; null between tests. */
  #open: { name: string; detail: FailureDetail } | null = null
  #detail: FailureDetail
  #failed = 0
  #ran = 0
  #total: number | null = null
  /** After the total, the failed tests are only repeated. */
  #closed = false
  #seen = false
  /** From here on lines explain failures: with --gtest_brief no line announces a test. */
  #started = false
  #skipped = false
  #aborted = false
  readonly #units = new TestUnits()
  #idle = 0
  /** Programs that began, and those that ended or died in a test. */
  #programs = 0
  #programsEnded = 0
  #stopped = false

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
    this.#detail = this.#tests.detail()
  }

  line(text: string): void {
    const mark = text.charCodeAt(0) === 0x5b ? MARK.exec(text) : null
    // A test may have left an unfinished line in front of it.
    if (!mark && text.includes(TOTAL)) this.#programsEnded += 1
    if (mark) return this.#mark((mark[1] ?? '').trim(), mark[2] ?? '')
    this.#started ||= this.#seen || text.endsWith(': Failure')
    if (this.#started) this.#said(text)
  }

  end(): ToolReport | null {
    if (!this.#seen) return null
    this.#died()
    // Its tests have ended, but the program has not: a program may print such lines itself, and end.
    if (this.#programs > this.#programsEnded) {
      this.#stopped = true
      this.#failed += 1
      this.#tests.add([ENDED_EARLY], ENDED_EARLY, '')
    }
    const all = this.#total ?? this.#ran
    const run = testsRun(Math.max(0, all - this.#idle), this.#failed, this.#units, { stopped: this.#stopped })
    return testReport(this.#failed, this.#tests.list(), all, undefined, run)
  }

  /** A test that began and did not end has failed. It counts as one that ran: the tests after it are missing. */
  #died(): void {
    const open = this.#open
    if (open === null) return
    this.#stopped = true
    this.#failed += 1
    this.#programsEnded += 1
    this.#units.add(open.name)
    this.#tests.add(pathOf(open.name), open.name, `the program ended in this test\n${open.detail.toString()}`.trim())
    this.#open = null
  }

  #mark(kind: string, rest: string): void {
    if (kind === 'RUN') {
      this.#seen = true
      this.#programs = Math.max(1, this.#programs)
      this.#closed = this.#skipped = this.#aborted = false
      this.#ran += 1
      this.#detail = this.#tests.detail()
      this.#open = { name: rest, detail: this.#detail }
    } else if (kind === 'ERROR' || kind === 'LINE') {
      this.#said(rest.replace(/^--- /, ''))
    } else if (kind === 'FAILED') this.#fail(rest)
    else if (kind === 'OK' || (kind === 'SKIPPED' && this.#open !== null)) this.#ended(kind, rest)
    else if (kind.startsWith('==')) this.#sum(rest)
    else {
      this.#open = null
      this.#detail = this.#tests.detail()
    }
  }

  /** The place comes before the error, and "Skipped" is no failure. */
  #said(text: string): void {
    // The sanitizer's tool reports a program that a sanitizer ended.
    this.#aborted ||= /^={60,}$|^==\d{1,9}==/.test(text)
    if (this.#aborted) return
    const [, file, line, row, what] = (/(?:Failure!?|Skipped)$/.test(text) ? PLACE.exec(text) : null) ?? []
    if (what === 'Skipped') this.#skipped = true
    else if (file !== undefined) this.#skipped = false
    if (this.#skipped) return
    if (file !== undefined) this.#detail.line(`${file}:${line ?? row}`)
    else if (text !== 'unknown file: Failure') this.#detail.line(text)
  }

  #ended(kind: string, rest: string): void {
    if (kind === 'OK') this.#units.add(rest.replace(TIME, ''))
    else this.#idle += 1
    this.#open = null
    this.#detail = this.#tests.detail()
  }

  #fail(rest: string): void {
    this.#seen = true
    if (this.#closed || LISTED.test(rest)) return
    this.#units.add(rest.replace(TIME, '').split(', where ')[0] ?? '')
    const [name = ''] = rest.replace(TIME, '').split(', where ')
    const value = /, where (.{1,200})$/.exec(rest.replace(TIME, ''))?.[1]
    this.#failed += 1
    const title = value === undefined ? name : `${name} (${value.replace(/^\w+\(\) = /, '')})`
    this.#tests.add(pathOf(name), title, this.#detail.toString())
    this.#open = null
    this.#detail = this.#tests.detail()
  }

  #sum(rest: string): void {
    // Another program begins.
    if (RUNNING.test(rest)) {
      this.#died()
      this.#programs += 1
    } else this.#programsEnded += 1
    const ran = RAN.exec(rest)?.[1]
    if (ran === undefined) return
    this.#seen = true
    this.#total = (this.#total ?? 0) + Number(ran)
    this.#closed = true
    this.concluded += 1
  }
}

/** "Numbers/Even.IsEven/1" is the test "IsEven/1" of "Numbers/Even". */
function pathOf(name: string): string[] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)]
}
