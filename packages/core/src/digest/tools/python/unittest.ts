import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { TestUnits, testsRun, type TestsRun } from '../../tests-run.ts'
import { counted } from '../../../text/count-text.ts'

const RULE = '='.repeat(70)
const LINE = '-'.repeat(70)
const HEAD = /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$/
const RAN = /^Ran (\d+) tests? in [\d.]+s$/
const FAILED = /^FAILED \((.+)\)$/
const OK = /^(?:OK|NO TESTS RAN)(?: \(.+\))?$/
const FRAME = /^ {2}File "(.+)", line (\d+)/
/** `-v`: "test_adds (tests.test_shop.Cart.test_adds) ... ok"; its docstring may come between. */
const VERBOSE = /^(\w+ \(\S+\))(?:.* \.\.\. (?:ok|FAIL|expected failure|unexpected success))?$/
/** A test that has to fail has not passed, either. */
const SKIPPED = /\bskipped=(\d+)|\bexpected failures=(\d+)/g
const LOADED = /^(?:unittest\.loader\._FailedTest\.)?(\S+) \(unittest\.loader\._FailedTest/
const COUNTED = /(?:failures|errors|unexpected successes)=(\d+)/g

/** `head` after the rule above a test's name, `trace` below its frames, `error` from the exception on. */
type Part = 'outside' | 'head' | 'trace' | 'error'

class UnittestScanner implements ToolScanner {
  readonly #failed = new FailureList({ all: true })
  #part: Part = 'outside'
  #frame = ''
  #ran: number | null = null
  #told = 0
  readonly #units = new TestUnits()
  #skipped = 0
  #unloaded = 0
  #open: string | null = null
  #done: 'OK' | 'FAILED' | 'NO TESTS RAN' | null = null

  line(text: string): void {
    if (text === RULE) this.#part = 'head'
    else if (this.#part === 'head') this.#head(text)
    else if (text.startsWith('Ran ')) this.#ends(text)
    else if (this.#ran !== null && this.#part === 'outside') this.#result(text)
    else if (this.#part !== 'outside') this.#trace(text)
    else if (text.includes(' (') || this.#open !== null) this.#verbose(text)
  }

  end(): ToolReport | null {
    if (this.#ran === null && this.#failed.count === 0) return null
    const none = this.#done === 'NO TESTS RAN'
    if (none) this.#failed.add('Ran 0 tests')
    const failures = Math.max(this.#told, this.#failed.count)
    const summary = failures > 0 ? `${counted(failures, 'test')} failed` : `${counted(this.#ran ?? 0, 'test')} passed`
    return {
      failures,
      summary: none ? 'no tests ran' : summary,
      findings: this.#failed.findings(),
      collected: this.#ran,
      tests: this.#tests(failures),
    }
  }

  #tests(failures: number): TestsRun {
    const ran = this.#ran === null ? null : Math.max(0, this.#ran - this.#skipped - this.#unloaded)
    return testsRun(ran, Math.min(ran ?? failures, failures - this.#unloaded), this.#units)
  }

  #verbose(text: string): void {
    const [, name, ...rest] = VERBOSE.exec(text) ?? []
    if (name !== undefined && / \.\.\. (?:ok|FAIL|unexp)/.test(text)) this.#units.add(name)
    else if (this.#open !== null && / \.\.\. (?:ok|FAIL|unexp)/.test(text)) this.#units.add(this.#open)
    this.#open = name !== undefined && rest.length === 0 && !text.includes(' ... ') ? name : null
  }

  #head(text: string): void {
    const name = HEAD.exec(text)?.[1]
    this.#part = name === undefined ? 'outside' : 'trace'
    this.#frame = ''
    if (name !== undefined) this.#failed.add(name)
    const unloaded = name === undefined ? undefined : LOADED.exec(name)?.[1]
    if (unloaded === undefined) return
    this.#unloaded += 1
    this.#units.lacks(unloaded)
  }

  #ends(text: string): void {
    const ran = RAN.exec(text)
    if (!ran) return
    this.#ran = (this.#ran ?? 0) + Number(ran[1])
    this.#part = 'outside'
  }

  #result(text: string): void {
    if (FAILED.test(text) || OK.test(text))
      for (const [, skipped, failed] of text.matchAll(SKIPPED)) this.#skipped += Number(skipped ?? failed)
    const counts = FAILED.exec(text)?.[1]
    if (counts !== undefined) {
      this.#done = 'FAILED'
      for (const [, count] of counts.matchAll(COUNTED)) this.#told += Number(count)
    } else if (OK.test(text) && this.#done !== 'FAILED') this.#done = text.startsWith('OK') ? 'OK' : 'NO TESTS RAN'
  }

  /** Skips all frames but the last one, then keeps the exception with its explanation. */
  #trace(text: string): void {
    if (text === LINE || text.startsWith('Traceback (')) {
      if (text !== LINE) this.#part = 'trace'
      return
    }
    if (this.#part === 'error') return text === '' ? undefined : this.#failed.more(text)
    const frame = FRAME.exec(text)
    if (frame) this.#frame = `at ${frame[1]}:${frame[2]}`
    // A test's own output, or the first line of its docstring, has no frame above it.
    if (text === '' || text.startsWith(' ') || this.#frame === '') return
    this.#part = 'error'
    this.#failed.more(this.#frame)
    this.#failed.more(text)
  }
}

export const unittest: DigestTool = {
  name: 'unittest',
  type: 'test',
  command: /\bunittest\b|\bmanage\.py\s+test\b|-m\s+django\s+test\b|\bdjango-admin\s+test\b/,
  signs: [RULE, LINE],
  scan: () => new UnittestScanner(),
}
