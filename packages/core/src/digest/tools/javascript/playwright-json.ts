import { stripAnsi } from '../../../text/ansi.ts'
import type { ToolReport } from '../../digest-tool.ts'
import { FailureDetail } from '../../reading/failure-detail.ts'
import type { JsonScalar, JsonVisitor } from '../../reading/json-document.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'

type Spec = { title: string; status: string; project: string; messages: string[] }

/** The document of Playwright's JSON reporter: suites in suites, with specs, with one test for each project. */
export class PlaywrightDocument implements JsonVisitor {
  readonly #done: (report: () => ToolReport) => void
  readonly #tests = new FailedTests()
  readonly #stats = new Map<string, number>()
  readonly #suites: string[] = []
  #spec: Spec = { title: '', status: '', project: '', messages: [] }
  #error = ''
  #errorFile = ''
  #errors = 0

  constructor(done: (report: () => ToolReport) => void) {
    this.#done = done
  }

  open(path: string): void {
    if (path.endsWith('suites.[]') && isSuite(path)) this.#suites.push('')
    else if (path.endsWith('.specs.[]')) this.#spec = { title: '', status: '', project: '', messages: [] }
  }

  scalar(path: string, value: JsonScalar): void {
    if (path.startsWith('stats.') && typeof value === 'number') this.#stats.set(path.slice(6, 30), value)
    if (typeof value !== 'string') return
    if (path === 'errors.[].message') this.#error = value
    else if (path === 'errors.[].location.file') this.#errorFile = value.replace(/^\/workspace\//, '')
    else if (path.endsWith('.specs.[].title')) this.#spec.title = value
    else if (path.endsWith('.specs.[].tests.[].projectName')) this.#spec.project = value
    else if (path.endsWith('.specs.[].tests.[].status')) this.#spec.status = value
    // The first error has the stack; the list of errors repeats it.
    else if (path.endsWith('.results.[].error.stack') || path.endsWith('.results.[].error.message'))
      this.#message(value)
    else if (path.endsWith('.title') && isSuite(path.slice(0, -6))) this.#suites[this.#suites.length - 1] = value
  }

  close(path: string): void {
    if (path.endsWith('.specs.[].tests.[]')) this.#endTest()
    else if (path === 'errors.[]') this.#endError()
    else if (path.endsWith('suites.[]') && isSuite(path)) this.#suites.pop()
  }

  done(): void {
    const stat = (name: string): number => Math.max(0, Math.trunc(this.#stats.get(name) ?? 0))
    const total = stat('expected') + stat('unexpected') + stat('flaky') + stat('skipped')
    this.#done(() => testReport(stat('unexpected') + this.#errors, this.#tests.list(), total))
  }

  #message(value: string): void {
    const { messages } = this.#spec
    if (messages.length < 2) messages.push(stripAnsi(value))
  }

  #endTest(): void {
    const { title, status, project, messages } = this.#spec
    this.#spec = { title, status: '', project: '', messages: [] }
    if (status !== 'unexpected') return
    const path = [...this.#suites, title].filter((name) => name !== '')
    const longest = messages.toSorted((one, other) => other.length - one.length)[0] ?? ''
    const name = `${project === '' ? '' : `[${project}] › `}${path.join(' › ')}`
    this.#tests.add(path, name, () => new FailureDetail().text(longest).toString())
  }

  /** Errors outside of tests: a file that does not load, or a run without tests. */
  #endError(): void {
    const [first = '', ...rest] = this.#error.split('\n')
    const file = this.#errorFile
    this.#error = ''
    this.#errorFile = ''
    if (first === '' || (first === 'Error: No tests found' && this.#errors > 0)) return
    this.#errors += 1
    if (file === '') this.#tests.add([first], first, () => new FailureDetail().text(rest.join('\n')).toString())
    else
      this.#tests.add([file], `${file} failed to load`, () =>
        new FailureDetail().text([first, ...rest].join('\n')).toString(),
      )
  }
}

const isSuite = (path: string): boolean => path.replaceAll('.suites.[]', '') === 'suites.[]'
