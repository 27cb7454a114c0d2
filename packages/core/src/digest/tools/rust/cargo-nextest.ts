import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { ENDED_EARLY } from '../../reading/failure-blocks.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'

/** "    Starting 4 tests across 2 binaries (1 test skipped)" */
const STARTING = /^ {1,12}Starting (\d{1,9}) tests? across \d{1,9} binar/
/** "        PASS [   0.005s] (1/4) shop tests::adds", "  TRY 2 FAIL [   0.006s] shop tests::adds" */
const STATUS =
  /^ {1,12}(TRY \d{1,4} )?([A-Z][A-Z0-9+ -]{1,11}?) \[[ >\d.]{1,20}s\] {1,3}(?:\([^()]{1,30}\) {1,3})?(\S.*)$/
const PASSES: ReadonlySet<string> = new Set(['PASS', 'LEAK'])
const FAILS = /^(?:FAIL|FAIL \+ LEAK|FL\+LK|LEAK-FAIL|LFAIL|L-FAIL|ABORT|XFAIL|XFL|TIMEOUT|TMT|SIG\w*)$/
/** "     Summary [   0.012s] 3/4 tests run: 2 passed (1 slow), 1 failed, 1 timed out, 5 skipped" */
const SUMMARY = /^ {1,12}Summary \[[ \d.]{1,20}s\] {1,3}(\d{1,9})(?:\/(\d{1,9}))? tests? run: (.{0,400})$/
const PASSED = /^(\d{1,9}) passed\b/
const FAILED = /\b(\d{1,9}) (?:failed|timed out|exec failed|setup scripts? (?:failed|timed out|exec failed))\b/g
/** The line in front of a test's output, in older and newer forms. */
const PRINTED = /^(?:---|────) (?:TRY \d{1,4} )?STD(?:OUT|ERR): |^ {2}(?:stdout|stderr|output) ───/
const PANIC = /^ {0,4}thread '.*' (?:\(\d+\) )?(panicked at .+|has overflowed its stack)$/
const NOISE =
  /^ {0,4}(?:running \d+ tests?|test .* \.\.\. FAILED|test result: .*|failures:|---- .* ----|note: (?:run with|Some details).*|stack backtrace:|Error: test failed.*)$|^ {2,4}(?:Cancelling|TERMINATING) |^─{4,}/

const MOST_TRIED = 1000

/** A failed test whose output is being read. `again`: it was one of several tries. */
type Open = { name: string; detail: FailureDetail; again: boolean; panicked: boolean }

class CargoNextestScanner implements ToolScanner {
  readonly #failed = new FailedTests()
  readonly #units = new TestUnits()
  /** Tests that may be tried again, with their last output. */
  readonly #tried = new Map<string, FailureDetail>()
  #open: Open | null = null
  #verdicts = 0
  #fails = 0
  #started: number | null = null
  #unended = 0
  #planned = 0
  #ran = 0
  #passed = 0
  #failures = 0
  #summaries = 0
  #stopped = false
  /** After a summary, failures are only repeated. */
  #repeats = false

  line(text: string): void {
    if (text.charCodeAt(0) === 0x20) {
      const started = text.includes('Starting ') ? STARTING.exec(text)?.[1] : undefined
      if (started !== undefined) return this.#starts(Number(started))
      if (text.includes('Summary [')) {
        const summary = SUMMARY.exec(text)
        if (summary) return this.#summed(summary)
      }
      const status = !this.#repeats && text.includes('s] ') ? STATUS.exec(text) : null
      if (status) return this.#status(status)
    }
    if (this.#open !== null) this.#explains(this.#open, text)
  }

  end(): ToolReport | null {
    this.#close()
    if (this.#started !== null) this.#unended += 1
    if (this.#summaries + this.#unended === 0) return null
    for (const [name, detail] of this.#tried) this.#failed.add([name], name, () => detail.toString())
    const isCut = this.#unended > 0
    if (isCut) this.#failed.add([ENDED_EARLY], ENDED_EARLY, '')
    const fails = Math.max(this.#failures, this.#fails + this.#tried.size)
    const failures = Math.max(fails + (isCut ? 1 : 0), this.#failed.length)
    // If a run did not end, the named tests ran.
    const ran = isCut ? Math.max(this.#ran, this.#verdicts) : this.#ran
    const isList = this.#verdicts > 0 && this.#verdicts >= ran
    const tests = testsRun(ran, isCut ? fails : ran - this.#passed, isList ? this.#units : null, {
      stopped: this.#stopped || isCut,
    })
    return testReport(failures, this.#failed.list(), Math.max(this.#planned, ran), undefined, tests)
  }

  #starts(count: number): void {
    this.#close()
    if (this.#started !== null) this.#unended += 1
    this.#started = count
    this.#planned += count
    this.#repeats = false
  }

  #summed([, ran, planned, said = '']: RegExpExecArray): void {
    this.#close()
    this.#summaries += 1
    this.#started = null
    this.#repeats = true
    this.#ran += Number(ran)
    this.#passed += Number(PASSED.exec(said)?.[1] ?? 0)
    for (const [, count] of said.matchAll(FAILED)) this.#failures += Number(count)
    if (planned !== undefined && planned !== ran) this.#stopped = true
  }

  #status([, again, state = '', name = '']: RegExpExecArray): void {
    const isPass = PASSES.has(state)
    if (!isPass && !FAILS.test(state)) return
    this.#close()
    if (again === undefined || !this.#tried.has(name)) {
      this.#verdicts += 1
      this.#units.add(name)
    }
    if (isPass) this.#tried.delete(name)
    else this.#open = { name, detail: this.#failed.detail(), again: again !== undefined, panicked: false }
  }

  #explains(open: Open, text: string): void {
    const panic = text.includes("thread '") ? PANIC.exec(text)?.[1] : undefined
    if (panic !== undefined && !open.panicked) {
      open.detail = this.#failed.detail()
      open.panicked = true
      open.detail.line(panic)
    } else if (!PRINTED.test(text) && !NOISE.test(text) && text.trim() !== open.name.slice(open.name.indexOf(' ') + 1))
      open.detail.line(text)
  }

  #close(): void {
    const open = this.#open
    this.#open = null
    if (open === null) return
    if (open.again && (this.#tried.has(open.name) || this.#tried.size < MOST_TRIED)) {
      this.#tried.set(open.name, open.detail)
      return
    }
    this.#fails += 1
    this.#failed.add([open.name], open.name, open.detail.toString())
  }
}

/** `cargo nextest run`: it starts the harness of Rust's tests for each test, and shows its output on failure. */
export const cargoNextest: DigestTool = {
  name: 'cargo-nextest',
  type: 'test',
  command: /(?:^|[\s;&|/])cargo(?:\s+\+\S+\s+|\s+|-)(?:nextest|n)\s+(?:run|r)(?=\s|$)/,
  signs: [' tests across ', ' test across ', ' tests run: ', ' test run: ', ' tests were not run due to '],
  scan: () => new CargoNextestScanner(),
}
