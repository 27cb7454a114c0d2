import type { DigestTool, ToolReport } from '../../digest-tool.ts'
import type { FailureDetail } from '../../reading/failure-detail.ts'
import { FailedTests, testReport } from '../../reading/run-report.ts'
import { scanRuns, type RunScanner } from '../../reading/run-scanner.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'

/** The most failed tests that are named. */
const MOST = 200
const FAILED = /^\s{2,4}[✘✖×] \[fail\]: (\S.{0,500})$/
const PASSED = /^\s{2,4}[✔√✓] (\S.{0,500}?)(?: \([\d.]{1,9}m?s\))?$/
const TOTAL = /^\s{2}(\d{1,9}) (tests? failed|tests? passed|uncaught exceptions?|unhandled rejections?)/
const SOURCE = /^\s{2,8}\d{1,7}:(?: |$)/
const PLACE = /^\s{2}(?:› )?(?:file:\/\/)?(\S{1,300}:\d{1,9}(?::\d{1,9})?)$/

/** AVA's default reporter: it names each failed test, and explains all of them below the list. */
export const ava: DigestTool = {
  name: 'ava',
  type: 'test',
  command: /(?:^|[\s/;&|("'])ava(?=[\s;&|)"']|$)/,
  signs: ['\n  ✔ ', '✘ [fail]: ', '✖ [fail]: ', ' tests passed', ' test passed'],
  scan: () => scanRuns({ command: /\bava\b/, run: (detailed) => new AvaRun(detailed) }),
}

type Named = { line: string; detail: FailureDetail; place: string | null }

/**
 * Named tests without an explanation yet, by their names and by each start of their lines: the thrown error is behind
 * the name. Searching all of them for each line would let a test's output make it slow.
 */
class Unexplained {
  readonly #byLine = new Map<string, Named[]>()
  readonly #byStart = new Map<string, Named[]>()
  readonly #left = new Set<Named>()

  add(named: Named): void {
    this.#left.add(named)
    put(this.#byLine, named.line, named)
    const { line } = named
    for (let at = line.indexOf(' '); at > 0; at = line.indexOf(' ', at + 1))
      put(this.#byStart, line.slice(0, at), named)
  }

  /** The first test of this name without an explanation; from now on it has one. */
  take(name: string): Named | undefined {
    const found = this.#first(this.#byLine.get(name)) ?? this.#first(this.#byStart.get(name))
    if (found) this.#left.delete(found)
    return found
  }

  #first(all: Named[] | undefined): Named | undefined {
    while (all?.[0] && !this.#left.has(all[0])) all.shift()
    return all?.[0]
  }
}

const put = (map: Map<string, Named[]>, key: string, named: Named): void => {
  const all = map.get(key)
  if (all) all.push(named)
  else map.set(key, [named])
}

class AvaRun implements RunScanner {
  concluded = 0
  /** Each has the thrown error behind the name; the explanation begins with the name alone. */
  readonly #named: Named[] = []
  readonly #unexplained = new Unexplained()
  readonly #tests: FailedTests
  #open: Named | null = null
  #failed = 0
  /** The failures that are tests, without uncaught exceptions. */
  #failedTests = 0
  #passed = 0
  #seen = 0
  readonly #units = new TestUnits()

  constructor(detailed: boolean) {
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    const failed = text.includes('[fail]') ? FAILED.exec(text)?.[1] : undefined
    if (failed !== undefined) {
      if (this.#named.length < MOST) {
        const named = { line: failed, detail: this.#tests.detail(), place: null }
        this.#named.push(named)
        this.#unexplained.add(named)
      }
      this.#seen += 1
      return
    }
    const passed = PASSED.exec(text)?.[1]
    if (passed !== undefined) {
      this.#seen += 1
      this.#units.add(passed)
      return
    }
    const total = TOTAL.exec(text)
    if (total) return this.#sum(Number(total[1]), total[2] ?? '')
    if (this.#named.length === 0 || text.trim() === '─') return
    const begun = /^ {2}\S/.test(text) ? this.#begun(text.trim()) : undefined
    if (begun) this.#open = begun
    else if (this.#open) this.#explain(this.#open, text)
  }

  end(): ToolReport | null {
    if (this.concluded === 0 && this.#named.length === 0) return null
    for (const { line, detail, place } of this.#named) {
      this.#units.add(line)
      this.#tests.add([line], line, `${detail.toString()}${place === null ? '' : `\nat ${place}`}`.trim())
    }
    // If a test fails, AVA does not print how many passed.
    const counted = this.#failed === 0 || this.#passed > 0 ? this.#passed + this.#failedTests : this.#seen
    return testReport(
      Math.max(this.#failed, this.#named.length),
      this.#tests.list(),
      Math.max(counted, this.#named.length),
      undefined,
      testsRun(counted, this.#failedTests, this.#units),
    )
  }

  #begun(name: string): Named | undefined {
    const found = this.#unexplained.take(name)
    if (found) found.line = name
    return found
  }

  #explain(open: Named, text: string): void {
    const place = PLACE.exec(text)?.[1]
    if (place !== undefined && !place.includes('node_modules/')) open.place = place
    else if (!SOURCE.test(text)) open.detail.line(text)
  }

  #sum(count: number, what: string): void {
    this.concluded += 1
    if (what.endsWith('passed')) this.#passed += count
    else this.#failed += count
    if (what.startsWith('test') && what.endsWith('failed')) this.#failedTests += count
  }
}
