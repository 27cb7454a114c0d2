import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureDetail } from '../../reading/failure-detail.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { XmlStream, type XmlTag } from '../../reading/xml-stream.ts'

/** JUnit XML from any tool, in an output or as a file's text. Several documents are one report. */
export const junitXml: DigestTool = {
  name: 'junit-xml',
  type: 'test',
  command: null,
  signs: ['<testsuite'],
  scan: () => new JunitScanner(),
}

type Case = { tag: XmlTag; failed: boolean; skipped: boolean; message: string; text: string }

class JunitScanner implements ToolScanner {
  readonly #tests = new FailedTests()
  readonly #xml: XmlStream
  #failures = 0
  #collected = 0
  #ran = 0
  readonly #units = new TestUnits()
  /** Open suites; anything outside of them is not part of the document. */
  #depth = 0
  #seen = false
  #case: Case | null = null
  #inFailure = false

  constructor() {
    this.#xml = new XmlStream('<testsuite', {
      open: (tag) => this.#open(tag),
      text: (text) => this.#text(text),
      close: (name) => this.#close(name),
      finished: () => this.#depth === 0,
    })
  }

  raw(text: string): void {
    this.#xml.push(text)
  }

  line(): void {
    // Attributes span lines, so single lines mean nothing here.
  }

  end(): ToolReport | null {
    this.#endCase()
    if (!this.#seen) return null
    const run = testsRun(this.#ran, this.#failures, this.#units)
    return testReport(this.#failures, this.#failures === 0 ? [] : this.#tests.list(), this.#collected, undefined, run)
  }

  #open(tag: XmlTag): void {
    const { name } = tag
    if (name === 'testsuite' || name === 'testsuites') {
      this.#seen = true
      if (!tag.empty) this.#depth += 1
    } else if (name === 'testcase') {
      this.#endCase()
      this.#collected += 1
      this.#case = { tag, failed: false, skipped: false, message: '', text: '' }
      if (tag.empty) this.#endCase()
    } else if (this.#case !== null && (name === 'failure' || name === 'error')) {
      if (!this.#case.failed && !this.#tests.full) this.#case.message = tag.attributes.get('message') ?? ''
      this.#inFailure = !tag.empty && !this.#case.failed && !this.#tests.full
      this.#case.failed = true
    } else if (this.#case !== null && name === 'skipped') this.#case.skipped = true
  }

  #text(text: string): void {
    if (this.#case !== null && this.#inFailure && this.#case.text.length < 8000) this.#case.text += text
  }

  #close(name: string): void {
    if (name === 'failure' || name === 'error') this.#inFailure = false
    else if (name === 'testcase') this.#endCase()
    else if (name === 'testsuite' || name === 'testsuites') {
      this.#endCase()
      this.#depth = Math.max(0, this.#depth - 1)
    }
  }

  #endCase(): void {
    const test = this.#case
    this.#case = null
    this.#inFailure = false
    if (test !== null && !test.skipped) {
      this.#ran += 1
      this.#units.add(pathOf(test.tag.attributes).join(' > ').replace(DATA_SET, '[$1]'))
    }
    // A "todo" test may fail; its tool says "skipped" too.
    if (test === null || !test.failed || test.skipped) return
    this.#failures += 1
    const { attributes } = test.tag
    const path = pathOf(attributes)
    const file = attributes.get('file')?.replace(/^\/workspace\//, '')
    const title = path.join(' > ')
    const detail = this.#tests.full ? '' : detailOf(test)
    this.#tests.add(path, file === undefined || title.includes(file) ? title : `${title} (${file})`, detail)
  }
}

/** PHPUnit's data sets of one test; all other runners use brackets. */
const DATA_SET = / with data set (?:#|(?="))(.{1,200})$/

function pathOf(attributes: XmlTag['attributes']): string[] {
  const name = attributes.get('name') ?? ''
  const group = attributes.get('classname') ?? ''
  // Node calls the suite of a test without one "test"; Vitest names a file that did not load after itself.
  return group === '' || group === 'test' || group === name ? [name] : [group, name]
}

function detailOf({ message, text }: Case): string {
  const first = message.trim().split('\n')[0] ?? ''
  const body = reasonOf(text)
  return new FailureDetail().text(body.includes(first) ? body : `${message}\n${body}`).toString()
}

/** Node prints its own error first; the test's error is its cause. */
function reasonOf(text: string): string {
  const cause = text.indexOf('\n  cause: ')
  if (cause >= 0) return text.slice(cause + 10)
  return text.includes("{ code: 'ERR_TEST_FAILURE'") ? '' : text
}
