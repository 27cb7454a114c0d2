import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'

/** XCTest; on macOS a name is `-[KitTests.T testOne]`. */
const CASE = /^Test Case '(.{1,300})' (started|passed|failed|skipped)\b/
const ERROR = /^(.{1,300}:\d{1,9}): error: (\S.{0,300}?) : (.*)$/
/** Swift Testing, with its own mark: `✔ Test "two of it" passed after 0.001 seconds.` */
const TEST = /^\S{1,4} Test (?!run (?:started|with))(\S.{0,300}?) (started|passed|failed|skipped)\b/
const ISSUE =
  /^\S{1,4} Test (\S.{0,300}?) recorded an issue (?:with \d{1,9} arguments? .{0,200} )?at (\S{1,300}): (.*)$/
const SUMMED = /^\S{1,4} Test run with \d{1,9} tests? |^\t Executed \d{1,9} tests?, with /

/** `swift test`, with tests of XCTest and of Swift Testing. */
class SwiftTestScanner implements ToolScanner {
  readonly #failed = new FailedTests()
  readonly #units = new TestUnits()
  readonly #details = new Map<string, FailureDetail>()
  /** The running test of XCTest, which runs one after the other. */
  #open: string | null = null
  #ran = 0
  #skipped = 0
  #failures = 0
  #seen = false

  line(text: string): void {
    if (text.includes(' Test ') || text.startsWith('Test Case ')) this.#test(text)
    else if (text.includes(': error: ')) this.#error(text)
    this.#seen ||= text.includes(' with ') && SUMMED.test(text)
  }

  end(): ToolReport | null {
    if (this.#open !== null) this.#ends(this.#open, 'failed', 'the program ended in this test')
    if (!this.#seen && this.#ran + this.#skipped === 0) return null
    const tests = testsRun(this.#ran, this.#failures, this.#units)
    return testReport(this.#failures, this.#failed.list(), this.#ran + this.#skipped, undefined, tests)
  }

  #test(text: string): void {
    const [, name, place, said] = text.includes(' recorded an issue ') ? (ISSUE.exec(text) ?? []) : []
    if (name !== undefined) return this.#detail(name, `${place}: ${said}`)
    const [, test, state] = CASE.exec(text) ?? TEST.exec(text) ?? []
    if (test === undefined || state === undefined) return
    const isCase = text.startsWith('Test Case ')
    if (state === 'started') this.#open = isCase ? test : this.#open
    else this.#ends(test, state, null)
  }

  #ends(name: string, state: string, why: string | null): void {
    if (this.#open === name) this.#open = null
    if (state === 'skipped') {
      this.#skipped += 1
      return
    }
    this.#ran += 1
    this.#units.add(name)
    if (state !== 'failed') return
    if (why !== null) this.#detail(name, why)
    this.#failures += 1
    this.#failed.add([name], name, this.#details.get(name)?.toString() ?? '')
    this.#details.delete(name)
  }

  #error(text: string): void {
    const [, place, name, said] = ERROR.exec(text) ?? []
    if (name !== undefined) this.#detail(name, `${place}: ${said}`)
  }

  #detail(name: string, line: string): void {
    if (this.#details.size >= MOST_OPEN && !this.#details.has(name)) return
    const detail = this.#details.get(name) ?? this.#failed.detail()
    this.#details.set(name, detail)
    detail.line(line)
  }
}

/** Tests of Swift Testing run in parallel. */
const MOST_OPEN = 1000

export const swiftTest: DigestTool = {
  name: 'swift-test',
  type: 'test',
  command: /(?:^|[\s;&|/])swift\s+test(?=\s|$)/,
  signs: ["Test Case '", ' Test run started', ' Test run with ', '\t Executed 0 tests, with '],
  scan: () => new SwiftTestScanner(),
}
