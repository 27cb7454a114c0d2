import { MAX_FINDINGS, MAX_NAMED, type ToolReport } from '../../digest-tool.ts'
import { FailureDetail } from '../../reading/failure-detail.ts'
import type { JsonScalar, JsonVisitor } from '../../reading/json-document.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'

const FILE = 'testResults.[]'
const TEST = `${FILE}.assertionResults.[]`
const GROUPS = `${TEST}.ancestorTitles.[]`
const MESSAGES = `${TEST}.failureMessages.[]`
const OF_TEST: ReadonlyMap<string, string> = keysBelow(TEST, ['status', 'title'])
const OF_FILE: ReadonlyMap<string, string> = keysBelow(FILE, ['name', 'status', 'message'])

function keysBelow(path: string, keys: readonly string[]): Map<string, string> {
  return new Map(keys.map((key) => [`${path}.${key}`, key]))
}

/** The parts of a failed test's name: file, groups and title. */
export type JestNaming = {
  path(file: string, groups: readonly string[], name: string): string[]
  title(file: string, groups: readonly string[], name: string): string
  /** The name of a file that did not run. */
  broken: string | null
  summary?(failed: number, passed: number, total: number): string
}

type Pending = { groups: string[]; name: string; detail: () => string }

/** The document of `jest --json`, which Vitest prints too. A file's name comes after its tests. */
export class JestDocument implements JsonVisitor {
  readonly #naming: JestNaming
  readonly #done: (report: () => ToolReport) => void
  readonly #tests = new FailedTests()
  readonly #numbers = new Map<string, number>()
  #pending: Pending[] = []
  #groups: string[] = []
  #messages: string[] = []
  #fields = new Map<string, JsonScalar>()
  #test = new Map<string, JsonScalar>()
  #failedInFile = 0
  #brokenFiles = 0
  #success = true

  constructor(naming: JestNaming, done: (report: () => ToolReport) => void) {
    this.#naming = naming
    this.#done = done
  }

  scalar(path: string, value: JsonScalar): void {
    const ofTest = OF_TEST.get(path)
    const ofFile = OF_FILE.get(path)
    if (path === GROUPS) this.#push(this.#groups, value)
    else if (path === MESSAGES) this.#push(this.#messages, value)
    else if (ofTest !== undefined) this.#test.set(ofTest, value)
    else if (ofFile !== undefined) this.#fields.set(ofFile, value)
    else if (path === 'success') this.#success = value !== false
    else if (path.startsWith('num') && typeof value === 'number' && this.#numbers.size < 20)
      this.#numbers.set(path, value)
  }

  close(path: string): void {
    if (path === TEST) this.#endTest()
    else if (path === FILE) this.#endFile()
  }

  done(): void {
    const number = (key: string): number => Math.max(0, Math.trunc(this.#numbers.get(key) ?? 0))
    const failed = number('numFailedTests')
    // A run can fail without a failed test, by an uncaught error.
    const failures = failed + this.#brokenFiles || (this.#success ? 0 : 1)
    const total = number('numTotalTests')
    const summary = failed > 0 ? this.#naming.summary?.(failed, number('numPassedTests'), total) : undefined
    this.#done(() => testReport(failures, failures === 0 ? [] : this.#tests.list(), total, summary))
  }

  #push(list: string[], value: JsonScalar): void {
    if (typeof value === 'string' && list.length < 20) list.push(value)
  }

  #endTest(): void {
    if (this.#test.get('status') === 'failed') {
      this.#failedInFile += 1
      if (this.#pending.length < MAX_NAMED) {
        const messages = this.#tests.length + this.#pending.length < MAX_FINDINGS ? this.#messages : []
        const detail = (): string => new FailureDetail().text(messages.join('\n')).toString()
        this.#pending.push({ groups: this.#groups, name: String(this.#test.get('title') ?? ''), detail })
      }
    }
    this.#groups = []
    this.#messages = []
    this.#test = new Map()
  }

  #endFile(): void {
    const file = String(this.#fields.get('name') ?? '').replace(/^\/workspace\//, '')
    const { path, title, broken } = this.#naming
    for (const { groups, name, detail } of this.#pending)
      this.#tests.add(path(file, groups, name), title(file, groups, name), detail)
    if (this.#fields.get('status') === 'failed' && this.#failedInFile === 0) {
      this.#brokenFiles += 1
      const message = String(this.#fields.get('message') ?? '')
      const detail = (): string => new FailureDetail().text(reasonOf(message)).toString()
      this.#tests.add([file], broken === null ? file : title(file, [], broken), detail)
    }
    this.#pending = []
    this.#failedInFile = 0
    this.#fields = new Map()
  }
}

/** Removes the bullet that repeats the name, and Jest's advice, which ends with "Details:". */
function reasonOf(message: string): string {
  const details = message.indexOf('\n    Details:\n')
  return details >= 0 ? message.slice(details + 14) : message.replace(/^ {0,2}● .{1,500}\n/, '')
}
