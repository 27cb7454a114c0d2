import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import { FailureDetail } from '../../reading/failure-detail.ts'
import { PlaywrightDocument } from './playwright-json.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'

const BEGIN = /^Running (\d{1,9}) tests? using \d{1,4} workers?/
/** "  1) [chromium] › a.spec.ts:3:3 › group › test ─────" */
const FAILURE = /^ {2}\d{1,9}\) (.{1,1000})$/
const COUNT =
  /^ {2}(\d{1,9}) (failed|interrupted|flaky|skipped|did not run|passed|errors? (?:was|were) not a part of any test.{0,50})(?: \([\d.]{1,12}\w{1,3}\))?$/
const LISTED = /^ {4}(\S.{0,1000})$/
/** The end of a test, in the list and line reporters: a test printed all earlier counts. */
const PROGRESS = /^(?: {2}(?:✓|✘|-|ok|x) {1,6}\d{1,9} |\[\d{1,9}\/\d{1,9}\] )/
/** The list reporter names each test as it ends; a retried test has a line for each try. */
const ENDED = /^ {2}(?:✓|✘|ok|x) {1,6}\d{1,9} (.{1,1000}?)(?: \([\d.]{1,12}\w{1,3}\))?$/
const AGAIN = / \(retry #\d{1,4}\)$/
const LOADING = /^(?:\w{0,80}Error): (.{0,1000})$/
const LOADED_FROM = /^ {3}at (\S.{0,400}:\d{1,9})$/
const NOTHING = 'Error: No tests found'
const MAX_LOADING = 50

/** Playwright's list, line and dot reporters, and its JSON. */
export const playwright: DigestTool = {
  name: 'playwright',
  type: 'test',
  command: /\bplaywright\s+test\b/,
  signs: ['Running ', NOTHING, '"configFile": ', '"rootDir": '],
  scan: () =>
    scanRuns({
      command: /\bplaywright\b/,
      begins: (line) => line.startsWith('Running ') && BEGIN.test(line),
      run: (detailed) => new PlaywrightRun(detailed),
      json: { firstKeys: ['config'], read: (done) => new PlaywrightDocument(done) },
    }),
}

type Loading = { message: string; place: string; detail: FailureDetail }

class PlaywrightRun implements RunScanner {
  concluded = 0
  readonly #tests: FailedTests
  #total: number | null = null
  #counts = new Map<string, number>()
  /** Tests that failed in the end, by the summary; a flaky one also has a failure above. */
  readonly #failed = new Set<string>()
  #listing = ''
  #failure: { name: string; detail: FailureDetail; retried: boolean } | null = null
  #loading: Loading[] = []
  #nothing = false
  readonly #units = new TestUnits()

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    const begin = text.startsWith('Running ') ? BEGIN.exec(text) : null
    if (begin) this.#total = Number(begin[1])
    else if (this.#total === null) this.#beforeTests(text)
    else if (isProgress(text)) this.#ended(text)
    else if (!this.#summary(text)) this.#inFailure(text)
  }

  end(): ToolReport | null {
    this.#endFailure()
    if (this.#total === null) return this.#nothing ? this.#notLoaded() : null
    const lost = (this.#counts.get('failed') ?? 0) + (this.#counts.get('interrupted') ?? 0)
    const failures = lost + (this.#counts.get('errors') ?? 0)
    if (this.#counts.size === 0) {
      return this.#tests.length > 0 ? testReport(0, this.#tests.list(), this.#total) : null
    }
    const all = this.#tests.list()
    const tests = this.#failed.size === 0 ? all : all.filter(({ title }) => this.#failed.has(title))
    const ran = lost + (this.#counts.get('passed') ?? 0) + (this.#counts.get('flaky') ?? 0)
    const run = testsRun(ran, lost, this.#units)
    return testReport(failures, tests.slice(0, failures), this.#total, undefined, run)
  }

  #ended(text: string): void {
    this.#restart()
    const ended = ENDED.exec(text)?.[1]
    if (ended !== undefined && !AGAIN.test(ended)) this.#units.add(unitOf(ended))
  }

  #restart(): void {
    this.#endFailure()
    this.#counts.clear()
    this.#failed.clear()
    this.#listing = ''
  }

  #summary(text: string): boolean {
    if (!text.startsWith('  ')) return false
    const count = text.charCodeAt(2) >= 0x30 && text.charCodeAt(2) <= 0x39 ? COUNT.exec(text) : null
    if (count) {
      this.#endFailure()
      this.concluded += 1
      const what = count[2] ?? ''
      this.#listing = what
      this.#counts.set(what.startsWith('error') ? 'errors' : what, Number(count[1]))
      return true
    }
    const listed = this.#listing === 'failed' || this.#listing === 'interrupted' ? LISTED.exec(text) : null
    if (listed && this.#failed.size < 1000) this.#failed.add(nameOf(listed[1] ?? ''))
    return listed !== null
  }

  #inFailure(text: string): void {
    const failure = FAILURE.exec(text)
    if (failure && failure[1]?.includes(' › ')) {
      // The dot reporter shows no progress: failures come after all output of tests.
      this.#restart()
      this.#failure = { name: nameOf(failure[1]), detail: this.#tests.detail(), retried: false }
    } else if (this.#failure !== null) {
      // The first try is enough.
      if (text.startsWith('    ') && /^ {4}(?:Retry #\d|Error Context: |attachment #\d)/.test(text))
        this.#failure.retried = true
      if (!this.#failure.retried) this.#failure.detail.line(text)
    }
  }

  #endFailure(): void {
    const failure = this.#failure
    this.#failure = null
    if (failure === null) return
    this.#tests.add(pathOf(failure.name), failure.name, () => failure.detail.toString())
  }

  /** Files that do not load are listed before any test runs. */
  #beforeTests(text: string): void {
    if (text === NOTHING) {
      this.#nothing = true
      this.concluded += 1
      return
    }
    const loading = text.includes('Error: ') ? LOADING.exec(text) : null
    const last = this.#loading.at(-1)
    const place = text.startsWith('   at ') ? LOADED_FROM.exec(text) : null
    if (loading) {
      this.#loading.push({ message: text, place: '', detail: new FailureDetail() })
      if (this.#loading.length > MAX_LOADING) this.#loading.shift()
    } else if (place && last && last.place === '') last.place = place[1] ?? ''
    this.#loading.at(-1)?.detail.line(text)
  }

  #notLoaded(): ToolReport {
    // Other tools print errors too; Playwright adds the place to each of its own.
    const own = this.#loading.filter(({ place }) => place !== '')
    const tests = own.map(({ place, detail }) => {
      const file = place.replace(/:\d{1,9}$/, '')
      return { path: [file], title: `${file} failed to load`, detail: detail.toString() }
    })
    return testReport(Math.max(1, tests.length), tests, 0, tests.length === 0 ? 'no tests found' : undefined)
  }
}

/** A list's mark is in the third column, a counter in the first. */
function isProgress(text: string): boolean {
  const mark = text.charCodeAt(0) === 0x5b || (text.startsWith('  ') && text.charCodeAt(2) > 0x20)
  return mark && PROGRESS.test(text)
}

/** `[chromium] › a.spec.ts:3:3 › group › test` as `a.spec.ts › group › test [chromium]`, once for each browser. */
function unitOf(text: string): string {
  const [, project = '', rest = text] = /^(\[[^\]]{1,100}\]) › (.*)$/.exec(text) ?? []
  return `${rest.replace(/(?::\d{1,9}){1,2}(?= › )/, '')}${project && ` ${project}`}`
}

const nameOf = (text: string): string => text.replace(/ ?─+$/, '').trim()

/** The groups and the name, without the project and the file, which most failures share. */
function pathOf(name: string): string[] {
  const parts = name.split(' › ')
  const from = parts[0]?.startsWith('[') ? 1 : 0
  return [(parts[from] ?? '').replace(/(?::\d{1,9}){1,2}$/, ''), ...parts.slice(from + 1)]
}
