import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import { FailureDetail } from '../../reading/failure-detail.ts'
import type { JsonScalar, JsonVisitor } from '../../reading/json-document.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { MAX_UNITS, TestUnits, testsRun } from '../../tests-run.ts'
import { detached } from '../../reading/detached.ts'
import { FailedTests, mergeReports, testReport } from '../../reading/run-report.ts'

const PASSING = /^ {2}(\d{1,9}) passing \(.{1,20}\)$/
/** "    ✔ adds (12ms)", and before the epilogue "    1) adds": its groups are above it, each less indented. */
const PASSED = /^( {2,40})[✔✓√] (\S.{0,500}?)(?: \(\d{1,9}ms\))?$/
const FAILED_TEST = /^( {2,40})\d{1,9}\) (\S.{0,500})$/
const GROUP = /^( {2,40})(\S.{0,300})$/
/** The most nested groups, and the most runs, that are told apart. */
const MOST_DEPTH = 20
const MOST_RUNS = 50
const PENDING = /^ {2}(\d{1,9}) pending$/
const FAILING = /^ {2}(\d{1,9}) failing$/
const FAILURE = /^ {2}(\d{1,9})\) (.{1,1000})$/
const CRASH = /^ ?Exception during run: (.{0,1000})$/
const NOTHING = /^(?:Error: )?No test files found: /

/** Mocha's reporters that end with an epilogue (spec, dot, min, …), and its JSON. */
export const mocha: DigestTool = {
  name: 'mocha',
  type: 'test',
  command: /\bmocha\b/,
  signs: ['    ✔ ', '    ✓ ', ' passing (', 'Exception during run:', 'No test files found:', '"stats": {'],
  scan: () =>
    scanRuns({
      command: /\bmocha\b/,
      run: (detailed) => new MochaRun(detailed),
      json: { firstKeys: ['stats'], read: (done) => new MochaDocument(done) },
    }),
}

class MochaRun implements RunScanner {
  concluded = 0
  readonly #tests: FailedTests
  readonly #numbers = { passing: 0, pending: 0, failing: 0 }
  /** Names of groups and test, one a line; the last ends with a colon. */
  #path: string[] = []
  #isNamed = true
  #detail: FailureDetail | null = null
  #crash: { title: string; detail: FailureDetail } | null = null
  #nothing = false
  readonly #earlier: ToolReport[] = []
  /** Names of tests since the last epilogue, and before it. */
  #open: string[] = []
  #named: string[] = []
  #groups: string[] = []
  /** Names that are only repeated, in the list of failures. */
  #repeated = 0

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    if (this.#epilogue(text)) return
    if (text.startsWith('  ')) this.#progress(text)
    const crash = text.startsWith('Exc', text.charCodeAt(0) === 0x20 ? 1 : 0) ? CRASH.exec(text) : null
    if (crash) {
      this.#crash = { title: crash[1] ?? '', detail: this.#tests.detail() }
      return
    }
    if ((text.startsWith('No test files') || text.startsWith('Error: No test')) && NOTHING.test(text))
      this.#nothing = true
    this.#crash?.detail.line(text)
    if (this.#numbers.failing > 0) this.#failure(text)
  }

  end(): ToolReport | null {
    const last = this.#report()
    return mergeReports(last === null ? this.#earlier : [...this.#earlier, last])
  }

  #report(): ToolReport | null {
    if (this.#crash !== null) {
      const { title, detail } = this.#crash
      return testReport(1, [{ path: [title], title, detail: detail.toString() }], 0, 'mocha failed to load the tests')
    }
    if (this.concluded === 0) return this.#nothing ? testReport(1, [], 0, 'no test files found') : null
    this.#endFailure()
    const { passing, pending, failing } = this.#numbers
    const summary = failing > 0 ? `${failing} failing` : undefined
    const run = testsRun(passing + failing, failing, unitsOf(this.#named))
    return testReport(failing, this.#tests.list(failing), passing + pending + failing, summary, run)
  }

  /** The progress of the reporter `spec`. */
  #progress(text: string): void {
    const passed = PASSED.exec(text)
    const found = passed ?? FAILED_TEST.exec(text)
    if (found !== null) {
      if (passed === null && this.#repeated > 0) this.#repeated -= 1
      else {
        const groups = this.#groups.slice(0, depthOf(found[1]))
        if (this.#open.length <= MAX_UNITS) this.#open.push(detached([...groups, found[2] ?? ''].join(' > ')))
      }
      return
    }
    const [, indent, title = ''] = GROUP.exec(text) ?? []
    if (indent !== undefined && depthOf(indent) < MOST_DEPTH)
      this.#groups = [...this.#groups.slice(0, depthOf(indent)), title]
  }

  /** A run that names as many tests as it counts is Mocha's own, and was not printed by a test. */
  #close(): void {
    const { passing, failing } = this.#numbers
    const isNamed = this.#named.length > 0 && this.#named.length === passing + failing
    // Nothing came between: a later epilogue does not undo a failed run.
    const isRepeated = failing > 0 && this.#open.length === 0
    const isWhole = this.concluded > 0 && (isNamed || isRepeated)
    const report = isWhole && this.#earlier.length < MOST_RUNS ? this.#report() : null
    if (report !== null) this.#earlier.push(report)
    // In place: a test may print as many epilogues as there are names.
    if (report === null) for (const name of this.#open) this.#named.push(name)
    else this.#named = this.#open
    this.#open = []
    this.#groups = []
    this.#repeated = 0
  }

  /** Tests printed everything before the last epilogue, unless it was a run of its own. */
  #epilogue(text: string): boolean {
    if (!isNumbered(text)) return false
    const passing = PASSING.exec(text)
    if (passing) {
      this.#close()
      this.concluded += 1
      this.#tests.clear()
      this.#path = []
      this.#detail = null
      Object.assign(this.#numbers, { passing: Number(passing[1]), pending: 0, failing: 0 })
      return true
    }
    if (this.concluded === 0 || this.#detail !== null) return false
    const pending = PENDING.exec(text)
    if (pending) this.#numbers.pending = Number(pending[1])
    const failing = FAILING.exec(text)
    if (failing) this.#repeated = this.#numbers.failing = Number(failing[1])
    return pending !== null || failing !== null
  }

  #failure(text: string): void {
    const next = this.#tests.length + (this.#detail === null ? 1 : 2)
    const failure = isNumbered(text) ? FAILURE.exec(text) : null
    if (failure && Number(failure[1]) === next) {
      this.#endFailure()
      this.#detail = this.#tests.detail()
      this.#isNamed = false
      this.#name(failure[2] ?? '')
    } else if (!this.#isNamed) this.#name(text)
    else this.#detail?.line(text.startsWith('      ') ? text.slice(6) : text)
  }

  #name(text: string): void {
    this.#isNamed = text.endsWith(':') || this.#path.length >= 20
    this.#path.push(text.trim().replace(/:$/, ''))
  }

  #endFailure(): void {
    if (this.#detail === null) return
    const detail = this.#detail
    this.#tests.add(this.#path, this.#path.join(' > '), () => detail.toString())
    this.#path = []
    this.#detail = null
  }
}

function unitsOf(names: readonly string[]): TestUnits {
  const units = new TestUnits()
  for (const name of names) units.add(name)
  return units
}

const depthOf = (indent = ''): number => Math.max(0, Math.floor(indent.length / 2) - 1)

/** "  12 passing", "  3) name" */
function isNumbered(text: string): boolean {
  const third = text.charCodeAt(2)
  return third >= 0x30 && third <= 0x39 && text.startsWith('  ')
}

const FAILED = 'failures.[]'
const KEPT: ReadonlyMap<string, string> = new Map(
  ['title', 'fullTitle', 'err.stack', 'err.message'].map((key) => [`${FAILED}.${key}`, key]),
)

class MochaDocument implements JsonVisitor {
  readonly #done: (report: () => ToolReport) => void
  readonly #tests = new FailedTests()
  #test = new Map<string, string>()
  #failures = 0
  #total = 0

  constructor(done: (report: () => ToolReport) => void) {
    this.#done = done
  }

  scalar(path: string, value: JsonScalar): void {
    if (path === 'stats.failures') this.#failures = Math.max(0, Number(value) || 0)
    else if (path === 'stats.tests') this.#total = Math.max(0, Number(value) || 0)
    else {
      const key = KEPT.get(path)
      if (key !== undefined) this.#test.set(key, String(value))
    }
  }

  close(path: string): void {
    if (path !== FAILED) return
    const [name, full] = [this.#test.get('title') ?? '', this.#test.get('fullTitle') ?? '']
    const groups = full.endsWith(name) ? full.slice(0, full.length - name.length).trim() : ''
    const names = groups === '' ? [name] : [groups, name]
    const text = this.#test.get('err.stack') ?? this.#test.get('err.message') ?? ''
    this.#tests.add(names, names.join(' > '), () => new FailureDetail().text(text).toString())
    this.#test = new Map()
  }

  done(): void {
    const summary = this.#failures > 0 ? `${this.#failures} failing` : undefined
    this.#done(() => testReport(this.#failures, this.#tests.list(this.#failures), this.#total, summary))
  }
}
