import { TestUnits, type TestsRun } from '../../tests-run.ts'

/** Tests that are followed at once, and lines kept for each; a program can print any number of names. */
const MAX_TESTS = 5000
const MAX_LINES = 8
const LINE = 300

type Test = { lines: string[]; failed: boolean }

/** Names of tests that are kept until the end of the package, when its own name is printed. */
const MAX_PENDING = 20_000

/**
 * The tests of one package after the other: their output and their failures. A test with subtests fails if one of them
 * does; it is then left out unless it has output of its own.
 */
export class GoTests {
  readonly #failed: { title: string; detail: string[] }[] = []
  readonly #packages = new Map<string, Map<string, Test>>()
  #package = ''
  #ran = 0
  readonly #units = new TestUnits()
  /** Tests of open packages that came to a verdict. */
  readonly #verdicts = new Map<string, Map<string, boolean>>()
  #passed = 0
  #verdictCount = 0

  /** Tests whose start was announced; null if starts are not announced. */
  get collected(): number | null {
    return this.#ran === 0 ? null : this.#ran
  }

  /** Tests that passed or failed, including subtests; packages, if no test is announced. */
  get tests(): TestsRun {
    for (const name of this.#verdicts.keys()) this.#settle(name, name)
    const counted = this.#ran > 0
    return {
      ran: counted ? this.#verdictCount : null,
      passed: this.#passed,
      units: this.#units.list(),
      unrun: this.#units.unrun(),
      stopped: false,
    }
  }

  /** Whether the current package has announced tests with a verdict. */
  get hasVerdicts(): boolean {
    return this.#ran > 0 && (this.#verdicts.get(this.#package)?.size ?? 0) > 0
  }

  /** Packages that have tests with a verdict, but no end. */
  get openPackages(): readonly string[] {
    return [...this.#verdicts].flatMap(([name, tests]) => (name !== '' && tests.size > 0 ? [name] : []))
  }

  /** Failed tests of packages that have not ended. */
  get named(): number {
    return [...this.#packages.values()].reduce((sum, tests) => sum + failedOf(tests).length, 0)
  }

  /** `-json` has several packages at once. */
  inPackage(name: string): void {
    this.#package = name
  }

  run(name: string): void {
    this.#ran += 1
    this.#test(name)
  }

  /** False for a test that was not started, if starts are announced (`-v`): then a program printed the line. */
  fail(name: string): boolean {
    const known = this.#tests().has(name)
    if (!known && this.#ran > 0 && this.#ran < MAX_TESTS) return false
    const test = this.#test(name)
    if (test) test.failed = true
    this.#verdict(name, false)
    return true
  }

  passed(name: string): void {
    this.#tests().delete(name)
    this.#verdict(name, true)
  }

  /** It neither passed nor failed. */
  skipped(name: string): void {
    this.#tests().delete(name)
  }

  print(name: string, ...lines: readonly string[]): void {
    const test = this.#test(name)
    for (const line of lines) if (test && test.lines.length < MAX_LINES) test.lines.push(line.slice(0, LINE))
  }

  printed(name: string): readonly string[] {
    return this.#tests().get(name)?.lines ?? []
  }

  /** The package's program ended by itself, with or without a test that can be named. */
  crash(pkg: string, lines: readonly string[]): void {
    const failed = failedOf(this.#tests())
    const [last] = failed.slice(-1)
    if (last) last[1].lines.push(...lines.filter((line) => !line.startsWith('exit status')))
    else this.#failed.push({ title: pkg, detail: lines.slice(0, MAX_LINES) })
  }

  broken(pkg: string, why: string): void {
    this.#units.lacks(pkg)
    this.#failed.push({ title: `${pkg} [${why}]`, detail: [] })
  }

  /** @param says its last line: `empty` means that it has no tests to run */
  endPackage(name: string, says: 'passed' | 'failed' | 'empty'): void {
    this.#settle(this.#package, name, says)
    const tests = this.#tests()
    this.#packages.delete(this.#package)
    this.#keep(name, tests)
  }

  /** All, in the order in which their packages ended. */
  failed(): readonly { title: string; detail: readonly string[] }[] {
    for (const [name, tests] of this.#packages) this.#keep(name, tests)
    this.#packages.clear()
    return this.#failed
  }

  #verdict(name: string, passed: boolean): void {
    const open = this.#verdicts.get(this.#package) ?? new Map<string, boolean>()
    this.#verdicts.set(this.#package, open)
    if (open.size < MAX_PENDING) open.set(name.slice(0, LINE), passed)
  }

  /** Without announcements, only failed tests are named: then the package counts instead of its tests. */
  #settle(key: string, name: string, says: 'passed' | 'failed' | 'empty' = 'failed'): void {
    const open = this.#verdicts.get(key) ?? new Map<string, boolean>()
    this.#verdicts.delete(key)
    if (this.#ran === 0) {
      if (says !== 'empty') this.#units.add(name)
      if (says === 'passed') this.#passed += 1
      return
    }
    for (const [test, passed] of open) {
      this.#units.add(`${name} ${test}`.trim())
      this.#verdictCount += 1
      if (passed) this.#passed += 1
    }
  }

  #keep(name: string, tests: Map<string, Test>): void {
    const failed = failedOf(tests)
    const parents = new Set(failed.flatMap(([test]) => ancestors(test)))
    for (const [test, { lines }] of failed) {
      if (parents.has(test) && lines.length === 0) continue
      if (this.#failed.length < MAX_TESTS) this.#failed.push({ title: `${name} ${test}`.trim(), detail: lines })
    }
  }

  #tests(): Map<string, Test> {
    const known = this.#packages.get(this.#package)
    if (known) return known
    const tests = new Map<string, Test>()
    // If too many packages are open at once, the oldest are given up.
    if (this.#packages.size >= 64) this.#endOldest()
    this.#packages.set(this.#package, tests)
    return tests
  }

  #endOldest(): void {
    for (const [name, tests] of this.#packages) {
      this.#packages.delete(name)
      this.#keep(name, tests)
      return
    }
  }

  #test(name: string): Test | null {
    const tests = this.#tests()
    const known = tests.get(name)
    if (known) return known
    if (tests.size >= MAX_TESTS) return null
    const test = { lines: [], failed: false }
    tests.set(name.slice(0, LINE), test)
    return test
  }
}

const failedOf = (tests: ReadonlyMap<string, Test>): [string, Test][] => [...tests].filter(([, { failed }]) => failed)

/** `A/b/c` has `A` and `A/b`. */
function ancestors(name: string): string[] {
  const parts = name.split('/').slice(0, 20)
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
