import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'

const RESULT = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (.{1,500}?)(?: \[[\d.]{1,12}m?s\])?$/
const TOTAL = /^Ran (\d{1,9}) tests? across \d{1,9} files?\./
const COUNT = /^ {0,9}(\d{1,9}) (fail|errors?)$/
const SOURCE = /^\d{1,7} \||^ {1,2000}\^$/

/** Tests that are skipped or to do are counted, but do not run. */
const IDLE: ReadonlySet<string> = new Set(['skip', 'todo', '»', '✎'])

/** `bun test`: the error comes before the name of the test. */
export const bunTest: DigestTool = {
  name: 'bun-test',
  type: 'test',
  command: /\bbun\s+test\b/,
  signs: ['bun test v', '(fail) ', ' expect() calls'],
  scan: () =>
    scanRuns({
      command: /\bbun\s+test\b/,
      begins: (line) => line.startsWith('bun test v'),
      run: (detailed) => new BunRun(detailed),
    }),
}

class BunRun implements RunScanner {
  concluded = 0
  readonly #tests: FailedTests
  #detail: FailureDetail | null = null
  #file: string | null = null
  #failed = 0
  #total: number | null = null
  readonly #units = new TestUnits()
  #idle = 0

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    const result = text.charCodeAt(0) === 0x28 || text.charCodeAt(0) > 0x80 ? RESULT.exec(text) : null
    if (result) return this.#result(result[1] ?? result[2] ?? '', result[3] ?? '')
    const total = text.startsWith('Ran ') ? TOTAL.exec(text) : null
    if (total) {
      this.concluded += 1
      this.#total = Number(total[1])
    } else if (text === 'No tests found!') {
      this.concluded += 1
      this.#total ??= 0
    } else if (COUNT.test(text)) this.#failed += Number(COUNT.exec(text)?.[1] ?? 0)
    else if (/^\S.{0,300}\.\w{1,5}:$/.test(text)) this.#file = text.slice(0, -1)
    else if (text.startsWith('error: ')) {
      this.#detail = this.#tests.detail()
      this.#detail.line(text)
    } else if (!SOURCE.test(text)) this.#detail?.line(text)
  }

  end(): ToolReport | null {
    if (this.concluded === 0 && this.#tests.length === 0) return null
    const ran = this.#total === null ? null : Math.max(0, this.#total - this.#idle)
    const run = testsRun(ran, this.#failed, this.#units)
    return testReport(this.#failed, this.#tests.list(), this.#total, undefined, run)
  }

  #result(kind: string, name: string): void {
    const path = [...(this.#file === null ? [] : [this.#file]), ...name.split(' > ')]
    if (IDLE.has(kind)) this.#idle += 1
    else this.#units.add(path.join(' > '))
    if (kind === 'fail' || kind === '✗') {
      this.#tests.add(path, path.join(' > '), this.#detail?.toString() ?? '')
    }
    this.#detail = null
  }
}
