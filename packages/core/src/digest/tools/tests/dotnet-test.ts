import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { ENDED_EARLY } from '../../reading/failure-blocks.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'

/** "  Failed Shop.Tests.Adds(a: 1) [7 ms]" of VSTest; "failed Shop.Tests.Adds (7ms)" of Microsoft.Testing.Platform. */
const VERDICT =
  /^(?: {2}(Passed|Failed|Skipped) (\S.{0,600}) \[[^[\]]{1,40}\]|(passed|failed) (\S.{0,600}) \([^()]{1,40}\))$/
/** A test whose class could not be set up has no time; the next line shows that it is a test. */
const UNTIMED = /^ {2}Failed (\S.{0,600})$/
/** A line of the terminal logger: "Shop.CartTests.Adds (7ms): Error Message: Assert.Equal() Failure". */
const LOGGED = /^ *(?:\S.{0,400}: error TESTERROR: )?(\S.{0,600}?) \([^()]{1,40}\): Error Message: (.*)$/
const OF_ASSEMBLY =
  /^ {0,4}(?:Passed|Failed|Skipped|Aborted)! {1,3}- Failed: +(\d{1,9}), Passed: +(\d{1,9}), Skipped: +(\d{1,9}), Total: +\d{1,9}\b/
const OF_ALL = /^ {0,4}Test summary: total: \d{1,9}, failed: (\d{1,9}), succeeded: (\d{1,9}), skipped: (\d{1,9})\b/
/** The first lines of the counts, on either platform. */
const COUNTS = /^(?:Total tests: (?:\d{1,9}|Unknown)|Test run summary: .*)$/
const COUNT = /^ {1,12}(total|Passed|Failed|Skipped|failed|succeeded|skipped|error): {1,4}(\d{1,9})$/
const NOTHING = /^ {0,4}No test (?:is available in|matches the given testcase filter) /
const BEGINS = 'Starting test execution, please wait...'
const ABORTED = /^(?:The active test run was aborted\.|Test Run Aborted\b|Test run summary: Aborted\b)/
const PLACE = / in (\S{1,400}\.(?:cs|fs|vb)):(?:line )?(\d{1,9})$/
const NOISE = /^\[xUnit\.net |^ *(?:Error Message:|Stack Trace:|from .*|--- End of stack trace .*)$|^ *at /

type Counts = { failed: number; passed: number; skipped: number }
const none = (): Counts => ({ failed: 0, passed: 0, skipped: 0 })

class DotnetTestScanner implements ToolScanner {
  readonly #failed = new FailedTests()
  readonly #units = new TestUnits()
  #verdicts = 0
  #open: { name: string; detail: FailureDetail; place: string | null } | null = null
  #untimed: string | null = null
  /** Added up over assemblies. The terminal logger repeats the sum. */
  readonly #each = none()
  readonly #all = none()
  #counting = false
  #began = 0
  #ended = 0
  #errors = 0
  #aborted: string | null = null

  line(text: string): void {
    if (this.#counting && this.#count(text)) return
    this.#counting = COUNTS.test(text)
    if (this.#counting || this.#summed(text)) return this.#ends()
    if (text === BEGINS) this.#began += 1
    else if (ABORTED.test(text)) this.#aborted ??= text.slice(0, 300)
    const untimed = this.#untimed
    this.#untimed = null
    if (untimed !== null && text === '  Error Message:') return this.#fails(untimed)
    if (this.#told(text)) return
    this.#untimed = text.startsWith('  Failed ') ? (UNTIMED.exec(text)?.[1] ?? null) : null
    if (this.#untimed === null) this.#explains(text)
  }

  end(): ToolReport | null {
    this.#close()
    // Other outputs have similar names, but not the runner's own words.
    if (this.#began + this.#ended === 0) return null
    if (this.#aborted !== null) this.#failed.add([WAS_ABORTED], WAS_ABORTED, this.#aborted)
    else if (this.#ended === 0 && this.#verdicts > 0) this.#failed.add([ENDED_EARLY], ENDED_EARLY, '')
    if (this.#errors > 0) this.#failed.add([NOT_RUN], NOT_RUN, '')
    const isCut = this.#aborted !== null || this.#ended === 0
    const { failed, passed, skipped } = largest(this.#each, this.#all)
    const ran = failed + passed
    // A run that was cut off has no counts.
    const isList = this.#verdicts > 0 && (isCut || this.#verdicts >= ran)
    const known = isCut ? Math.max(ran, this.#verdicts) : ran
    const broken =
      (this.#aborted !== null || (this.#ended === 0 && this.#verdicts > 0) ? 1 : 0) + (this.#errors > 0 ? 1 : 0)
    const failures = Math.max(failed + broken, this.#failed.length)
    const tests = testsRun(known, Math.min(known, failures - broken), isList ? this.#units : null, {
      stopped: isCut && broken > 0,
    })
    return testReport(failures, this.#failed.list(), known + skipped, undefined, tests)
  }

  /** Whether a line names a test with its verdict. */
  #told(text: string): boolean {
    const [, said, name, word, other] = VERDICT.exec(text) ?? []
    const [test, state] = [name ?? other, (said ?? word)?.toLowerCase()]
    if (test !== undefined) {
      if (state === 'failed') this.#fails(test)
      else this.#close()
      if (state === 'passed') this.#ran(test)
      return true
    }
    const [, logged, why = ''] = text.includes('): Error Message: ') ? (LOGGED.exec(text) ?? []) : []
    if (logged === undefined) return false
    this.#fails(logged)
    this.#explains(why)
    return true
  }

  #ran(name: string): void {
    this.#verdicts += 1
    this.#units.add(name)
  }

  #fails(name: string): void {
    this.#close()
    this.#ran(name)
    this.#open = { name, detail: this.#failed.detail(), place: null }
  }

  #explains(text: string): void {
    if (this.#open === null) return
    const [, file, row] = this.#open.place === null && text.includes(' in ') ? (PLACE.exec(text) ?? []) : []
    if (file !== undefined) this.#open.place = `${file}:${row}`
    else if (!NOISE.test(text)) this.#open.detail.line(text)
  }

  #close(): void {
    const open = this.#open
    this.#open = null
    if (open === null) return
    const said = [open.detail.toString(), open.place === null ? '' : `at ${open.place}`].filter((part) => part !== '')
    this.#failed.add([open.name], open.name, said.join('\n'))
  }

  #ends(): void {
    this.#close()
    this.#ended += 1
  }

  #summed(text: string): boolean {
    const one = text.includes('! ') ? OF_ASSEMBLY.exec(text) : null
    const all = text.includes('Test summary: ') ? OF_ALL.exec(text) : null
    const [, failed, passed, skipped] = one ?? all ?? []
    if (one !== null || all !== null)
      add(one === null ? this.#all : this.#each, {
        failed: Number(failed),
        passed: Number(passed),
        skipped: Number(skipped),
      })
    return one !== null || all !== null || NOTHING.test(text)
  }

  #count(text: string): boolean {
    const [, what = '', count] = COUNT.exec(text) ?? []
    if (count === undefined) return false
    const kind = what.toLowerCase()
    if (kind === 'passed' || kind === 'succeeded') this.#each.passed += Number(count)
    else if (kind === 'failed' || kind === 'skipped') this.#each[kind] += Number(count)
    else if (kind === 'error') this.#errors += Number(count)
    return true
  }
}

const WAS_ABORTED = 'the test run was aborted'
const NOT_RUN = 'an assembly of tests did not run to its end'

function add(sum: Counts, { failed, passed, skipped }: Counts): void {
  sum.failed += failed
  sum.passed += passed
  sum.skipped += skipped
}

const sizeOf = ({ failed, passed, skipped }: Counts): number => failed + passed + skipped
const largest = (one: Counts, other: Counts): Counts => (sizeOf(other) > sizeOf(one) ? other : one)

/** `dotnet test`, with VSTest or Microsoft.Testing.Platform, and test programs of the latter that are run directly. */
export const dotnetTest: DigestTool = {
  name: 'dotnet-test',
  type: 'test',
  command: /(?:^|[\s;&|/])dotnet\s+(?:vs)?test(?=\s|$)/,
  signs: [BEGINS, 'Test run summary: ', 'Test summary: total: ', '!  - Failed: ', '! - Failed: '],
  scan: () => new DotnetTestScanner(),
}
