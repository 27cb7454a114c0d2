import type { ToolReport } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'

/** "#   Failed test 'adds up'", which Test::More prints past `prove`. */
const FAILED = /^# {3}Failed (?:TODO )?test(?: '(.{1,500})')?/
/** "t/auth.t (Wstat: 512 (exited 2) Tests: 4 Failed: 2)" */
const FILE = /^(\S{1,300}) {1,40}\(Wstat: .{1,60} Tests: (\d{1,9}) Failed: (\d{1,9})\)$/
const TOTAL = /^Files=\d{1,9}, Tests=(\d{1,9}),/
const REASON = /^ {2}(Non-zero exit status|Non-zero wait status|Parse errors): {1,4}(.{1,300})$/

/** Reads the summary that `prove` prints about its TAP. */
export class ProveReader {
  readonly #tests: FailedTests
  #detail: FailureDetail | null = null
  #name = ''
  #failures = 0
  #total: number | null = null
  #result: boolean | null = null
  #file: { name: string; reasons: string[] } | null = null

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    if (text.charCodeAt(0) === 0x23) return this.#diagnosis(text)
    if (this.#detail !== null) this.#endFailure()
    const file = text.endsWith(')') && text.includes('(Wstat: ') ? FILE.exec(text) : null
    if (file) {
      this.#endFile()
      this.#failures += Number(file[3])
      // All tests of this file passed; it failed by its exit.
      if (Number(file[3]) === 0) this.#file = { name: file[1] ?? '', reasons: [] }
    } else if (text.startsWith('  ')) {
      const reason = this.#file === null ? null : REASON.exec(text)
      if (reason && (this.#file?.reasons.length ?? 0) < 5) this.#file?.reasons.push(`${reason[1]}: ${reason[2]}`)
    } else if (text.startsWith('Files=')) this.#total = Number(TOTAL.exec(text)?.[1] ?? this.#total)
    else if (text.startsWith('Result: ')) this.#result = text === 'Result: PASS'
  }

  end(): ToolReport | null {
    this.#endFailure()
    this.#endFile()
    if (this.#result === null || this.#total === null) return null
    if (this.#result) return testReport(0, [], this.#total)
    return testReport(Math.max(1, this.#failures), this.#tests.list(), this.#total)
  }

  #diagnosis(text: string): void {
    const failed = text.startsWith('#   Failed ') ? FAILED.exec(text) : null
    if (failed) {
      this.#endFailure()
      this.#name = failed[1] ?? 'a test without a name'
      this.#detail = this.#tests.detail()
    } else if (text.startsWith('#  ')) this.#detail?.line(text.slice(1))
  }

  #endFailure(): void {
    if (this.#detail === null) return
    this.#tests.add([this.#name], this.#name, this.#detail.toString())
    this.#detail = null
  }

  #endFile(): void {
    if (this.#file === null || this.#file.reasons.length === 0) return
    this.#failures += 1
    this.#tests.add([this.#file.name], this.#file.name, this.#file.reasons.join('\n'))
    this.#file = null
  }
}
