import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { MAX_UNITS, TestUnits, testsRun } from '../../tests-run.ts'
import { detached } from '../../reading/detached.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'

const RULE = /^-{79}$/
const END = /^={79}$/
const FAILED = /^(\S.{0,500}?(?::\d{1,9}|\(\d{1,9}\))): FAILED:$/
const TOTAL = /^test cases: {1,9}(\d{1,9}) \|(.{0,200})$/
/** With `--durations yes`: a line for a test case, or a section, each time it was entered. */
const LASTED = /^\d{1,9}\.\d{3} s: (\S.{0,300})$/
const NOTHING = 'No tests ran'
const PASSED = /^All tests passed \(.{0,60}assertions? in (\d{1,9}) test cases?\)$/

/** Catch2: the names of a test case and its sections between rules, then its failed assertions. */
export const catch2: DigestTool = {
  name: 'catch2',
  type: 'test',
  command: null,
  signs: ['test cases: ', ': FAILED:', 'All tests passed (', 'No tests ran'],
  scan: () => scanRuns({ command: /\bcatch2\b/, run: (detailed) => new CatchRun(detailed) }),
}

class CatchRun implements RunScanner {
  concluded = 0
  readonly #tests: FailedTests
  #names: string[] = []
  #naming = false
  /** The assertions of one test case make one failed test. */
  #detail: FailureDetail | null = null
  #failed = 0
  #total: number | null = null
  /** True if it died in a test: later tests are not counted. */
  #died = false
  readonly #named = new Set<string>()

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    if (RULE.test(text)) this.#rule()
    else if (END.test(text)) this.#close()
    else if (LASTED.test(text)) this.#lasted(text)
    else if (this.#naming) {
      if (text !== '' && this.#names.length < 20) this.#names.push(text.trim())
    } else if (text.endsWith(': FAILED:')) {
      this.#detail ??= this.#tests.detail()
      this.#detail.line(`${FAILED.exec(text)?.[1] ?? text}:`)
    } else if (text.startsWith('test cases: ') || text.startsWith('All tests') || text === NOTHING) this.#sum(text)
    else {
      this.#died ||= text === 'due to a fatal error condition:'
      this.#detail?.line(text)
    }
  }

  end(): ToolReport | null {
    this.#close()
    if (this.concluded === 0 && this.#tests.length === 0) return null
    const units = new TestUnits()
    for (const name of this.#named) units.add(name)
    const run = testsRun(this.#total, this.#failed, units, { stopped: this.#died })
    return testReport(this.#failed, this.#tests.list(), this.#total, undefined, run)
  }

  #lasted(text: string): void {
    const name = LASTED.exec(text)?.[1]
    if (name !== undefined && this.#named.size < MAX_UNITS) this.#named.add(detached(name))
  }

  #rule(): void {
    if (this.#naming) {
      this.#naming = false
      return
    }
    this.#close()
    this.#naming = true
    this.#names = []
  }

  #close(): void {
    const detail = this.#detail
    this.#detail = null
    if (detail !== null && this.#names.length > 0)
      this.#tests.add(this.#names, this.#names.join(' > '), detail.toString())
  }

  #sum(text: string): void {
    const total = TOTAL.exec(text)
    const passed = PASSED.exec(text)
    if (!total && !passed && text !== NOTHING) return
    this.concluded += 1
    this.#total = Number(total?.[1] ?? passed?.[1] ?? 0)
    this.#failed += Number(/(\d{1,9}) failed/.exec(total?.[2] ?? '')?.[1] ?? 0)
  }
}
