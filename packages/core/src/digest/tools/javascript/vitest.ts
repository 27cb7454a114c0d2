import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { JestDocument } from './jest-json.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { TestUnits, testsRun, type TestsRun } from '../../tests-run.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'

const BEGIN = /^ ?(?:RUN|DEV)  v\d/
const FILES = /^ Test Files  (\d.{0,200})$/
const TESTS = /^ {6}Tests  (.{0,200})$/
const ERRORS = /^ {5}Errors  (\d{1,9}) errors?$/
const SECTION = /^Failed (?:Suites|Tests|Benchmarks) (\d{1,9})$/
/** Errors that belong to no test. */
const UNCAUGHT = /^(?:Startup Error|Unhandled (?:Error|Rejection)|Uncaught Exception|Unhandled Source Errors?)$/
/** " ✓ src/a.test.ts (3 tests | 1 skipped) 5ms"; with projects, the project's name is before the file. */
const FILE =
  /^ [✓❯×] (?:\|?[\w@/.-]{1,80}\|? {1,2})?(\S.{0,300}?) {1,2}\((\d{1,7}) tests?((?: \| \d{1,7} (?:failed|skipped|passed|todo))*)\)/
const NOTHING = /^No test (?:files|suite) found/

/** Vitest's reporters for people, and its JSON. */
export const vitest: DigestTool = {
  name: 'vitest',
  type: 'test',
  command: /\bvitest\b/,
  signs: [' RUN  v', ' DEV  v', '⎯ Failed Tests ', '⎯ Failed Suites ', ' Test Files  ', '"numTotalTestSuites"'],
  scan: () =>
    scanRuns({
      command: /\bvitest\b/,
      begins: (line) => isBegin(line),
      run: (detailed) => new VitestRun(detailed),
      json: { firstKeys: ['numTotalTestSuites'], read: (done) => new JestDocument(naming, done) },
    }),
}

const isBegin = (line: string): boolean =>
  (line.startsWith(' RUN') || line.startsWith('RUN') || line.startsWith(' DEV')) && BEGIN.test(line)

const naming = {
  path: (file: string, groups: readonly string[], name: string) => [file, ...groups, name],
  title: (file: string, groups: readonly string[], name: string) => [file, ...groups, name].join(' > '),
  broken: null,
}

class VitestRun implements RunScanner {
  concluded = 0
  readonly #tests: FailedTests
  /** Tests that fail in the same way are listed together, above one error. */
  #names: string[] = []
  #detail: FailureDetail | null = null
  #headers = 0
  /** Failures are listed below a title; earlier lines that look like them are printed by a test. */
  #listing = false
  #began = false
  #failed = { files: 0, tests: 0, errors: 0 }
  #suites = 0
  #total: number | null = null
  #nothing: { failed: boolean } | null = null
  readonly #units = new TestUnits()
  #idle = 0

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    if (text.startsWith('⎯⎯⎯')) return this.#rule(text)
    if (this.#listing && text.startsWith(' FAIL  ')) return this.#name(text.slice(7).trim())
    if (isBegin(text)) this.#began = true
    else if (text.startsWith('No test') && NOTHING.test(text)) this.#nothing = { failed: !text.endsWith('code 0') }
    else if (!this.#summary(text)) this.#detail?.line(text)
  }

  end(): ToolReport | null {
    this.#endFailure()
    if (this.concluded === 0 && this.#tests.length === 0) {
      if (this.#nothing === null || !this.#began) return null
      return testReport(this.#nothing.failed ? 1 : 0, [], 0, 'no test files found')
    }
    if (this.concluded === 0) return testReport(Math.max(this.#headers, this.#tests.length), this.#tests.list(), null)
    const { files, tests, errors } = this.#failed
    const failures = tests + errors + (files > 0 ? this.#suites : 0)
    const run = this.#run()
    if (failures === 0 && files === 0) {
      // If the counts disagree with the list of failures, something else printed them.
      const listed = this.#headers
      return testReport(listed, listed === 0 ? [] : this.#tests.list(listed), this.#total, undefined, run)
    }
    const count = Math.max(failures, 1)
    return testReport(count, this.#tests.list(count), this.#total, undefined, run)
  }

  #run(): TestsRun {
    const ran = this.#total === null ? null : Math.max(0, this.#total - this.#idle)
    return testsRun(ran, this.#failed.tests, this.#units)
  }

  /** "⎯⎯⎯ Failed Tests 3 ⎯⎯⎯" before failures, "⎯⎯⎯⎯[1/3]⎯" after each. */
  #rule(text: string): void {
    this.#endFailure()
    const title = text.replaceAll('⎯', '').trim()
    const section = SECTION.exec(title)
    if (section) {
      // A test printed any earlier lines of this form; only the tests may follow the suites.
      if (!title.startsWith('Failed Tests') || this.#suites === 0) this.#restart()
      this.#headers += Number(section[1])
      this.#listing = true
      if (title.startsWith('Failed Suites')) this.#suites = Number(section[1])
    } else if (UNCAUGHT.test(title)) {
      this.#names = [title]
      this.#detail = this.#tests.detail()
    }
  }

  #fileEnded(text: string): void {
    const mark = text.charCodeAt(1)
    const [, name, all, states = ''] = mark > 0x7f || mark === 0xd7 ? (FILE.exec(text) ?? []) : []
    if (name !== undefined) this.#units.add(name, Number(all) - count(states, 'skipped') - count(states, 'todo'))
  }

  #restart(): void {
    this.#tests.clear()
    this.#headers = 0
    this.#suites = 0
  }

  #name(text: string): void {
    if (this.#detail !== null && this.#detail.toString() !== '') this.#endFailure()
    // A file that could not be loaded is named twice: "a.test.ts [ a.test.ts ]".
    const name = text.endsWith(' ]') ? text.slice(0, Math.max(0, text.lastIndexOf(' [ '))) || text : text
    if (this.#names.length < 200) this.#names.push(name)
    this.#detail ??= this.#tests.detail()
  }

  #endFailure(): void {
    const detail = this.#detail?.toString() ?? ''
    for (const name of this.#names) {
      const uncaught = UNCAUGHT.test(name)
      const title = uncaught ? `${name}: ${detail.split('\n')[0] ?? ''}` : name
      this.#tests.add(uncaught ? [title] : name.split(' > '), title, detail)
    }
    this.#names = []
    this.#detail = null
  }

  #summary(text: string): boolean {
    this.#fileEnded(text)
    if (!text.startsWith('  ') && !text.startsWith(' Test')) return false
    const files = FILES.exec(text)
    if (files) {
      this.#endFailure()
      this.concluded += 1
      this.#failed = { files: count(files[1], 'failed'), tests: 0, errors: 0 }
      return true
    }
    if (this.concluded === 0) return false
    const tests = TESTS.exec(text)
    if (tests) {
      this.#failed.tests = count(tests[1], 'failed')
      const total = /\((\d{1,9})\)$/.exec(tests[1] ?? '')?.[1]
      this.#total = total === undefined ? 0 : Number(total)
      this.#idle = count(tests[1], 'skipped') + count(tests[1], 'todo')
      return true
    }
    const errors = ERRORS.exec(text)
    if (errors) this.#failed.errors = Number(errors[1])
    return errors !== null
  }
}

function count(text: string | undefined, what: string): number {
  const found = new RegExp(`\\b(\\d{1,9}) ${what}\\b`).exec(text ?? '')
  return found ? Number(found[1]) : 0
}
