import { MAX_FINDINGS, type DigestTool, type ToolReport } from '../digest-tool.ts'
import type { FailureDetail } from './failure-detail.ts'
import { opaqueOf, TestUnits, testsRun } from '../tests-run.ts'
import { namesInnerFailure } from './inner-failure.ts'
import { FailedTests, testReport } from './run-report.ts'
import { scanRuns, type RunScanner } from './run-scanner.ts'

/** The first line of a failed test's block: its groups and name, and details to show below it. */
export type Head = { path: readonly string[]; title?: string; detail?: readonly string[] }

/** A test tool that prints a block for each failed test, and its counts at the end. */
export type BlockTests = Pick<DigestTool, 'name' | 'command' | 'signs' | 'fromStart'> & {
  /** The first line of a block; null for other lines. The state is from the last `group` line. */
  head(line: string, group: string): Head | null
  /** The second line of a head that does not have a name yet. */
  group?: RegExp
  /** A line after which no block is open. */
  ends: RegExp
  /** A block without such a line belongs to a test that passed. */
  needs?: RegExp
  /** The prefix of each line in a block. */
  margin?: RegExp
  /** Totals include those before them, such as a suite's, and the block before a total is the suite's own. */
  nested?: boolean
  /** A line in a block that is left out. */
  noise?: RegExp
  /** The place in the project's code; its first group is shown. */
  place?: RegExp
  /**
   * The counts: the sum of all groups that begin with `tests` (or else with `passed`), the sum of those that begin with
   * `failed`, and of those that begin with `skipped`, which are among the tests and did not run.
   */
  total: RegExp
  /** The verdict in a test's line, for runners that print one; null for other lines. */
  verdict?(line: string): Verdict | null
  /** The same for runners that need other lines to tell: a function for each run. */
  verdicts?(): (line: string) => Verdict | null
  /** If all is well, the runner prints nothing but verdicts. */
  uncounted?: boolean
  /** In some of its formats only some tests have such a line, so the lines do not list all that ran. */
  partly?: boolean
  /** Between these lines, or to the end, verdicts are only repeated. */
  repeats?: { from: RegExp; to: RegExp | null }
  /** Between these lines, seemingly failed tests are harmless. */
  harmless?: { from: RegExp; to: RegExp }
  /** A line that says that the program died in a test: the tests after it did not run, though they may be counted. */
  dies?: RegExp
  /** A line at the end of the last test, for runners that print the counts before the first test. */
  closes?: RegExp
  /**
   * Its tests are programs, which may have many tests of their own; it may show their output in the blocks. `single`:
   * names of tests that a program itself names.
   */
  programs?: { single?: RegExp }
  /** Counts are read only from one line on, as long as lines match `through`. */
  tally?: { from: RegExp; through: RegExp }
}

/** `ran`: it has a verdict. `skipped`: the project wants that. `unrun`: it could not run. */
export type Verdict = { name: string; is: 'ran' | 'skipped' | 'unrun' }

/** A program that announced tests did not come to its end, whatever its exit code. */
export const ENDED_EARLY = 'the program ended before its last test'

/** The tool for a test tool with a block for each failed test. */
export function blockTests(tests: BlockTests): DigestTool {
  const { name, command, signs, fromStart = false } = tests
  return {
    name,
    type: 'test',
    command,
    signs,
    fromStart,
    scan: () => scanRuns({ command: command ?? /$^/, run: (detailed) => new BlockRun(tests, detailed) }),
  }
}

class BlockRun implements RunScanner {
  concluded = 0
  readonly #spec: BlockTests
  readonly #tests: FailedTests
  #group = ''
  #open: { head: Head; detail: FailureDetail; place: string | null; failed: boolean; names: boolean } | null = null
  #failed = 0
  #total: number | null = null
  #skipped = 0
  readonly #units = new TestUnits()
  readonly #verdictIn: ((line: string) => Verdict | null) | null
  #verdicts = 0
  /** Verdicts are being repeated. */
  #told = false
  #tallies: boolean
  #isHarmless = false
  #isStopped = false
  /** Programs that announced tests, less those that came to their end; the end may be printed first. */
  #unclosed = 0
  /** The text about each failed test; it may be more when the test is named again. */
  readonly #said = new Map<string, string>()
  /** Failed programs, and whether their output names the tests that failed. */
  readonly #programs = new Map<string, boolean>()

  constructor(spec: BlockTests, detailed: boolean) {
    this.#spec = spec
    this.#verdictIn = spec.verdicts?.() ?? spec.verdict ?? null
    this.#tallies = spec.tally === undefined
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    const { group, ends, noise, needs, margin, place, total, closes } = this.#spec
    this.#verdict(text)
    this.#isStopped ||= this.#spec.dies?.test(text) === true
    if (closes?.test(text) === true) this.#unclosed -= 1
    else if (closes !== undefined && total.test(text)) this.#unclosed += 1
    const { tally } = this.#spec
    if (tally) this.#tallies = tally.from.test(text) || (this.#tallies && tally.through.test(text))
    const counts = this.#tallies ? total.exec(text) : null
    if (counts) return this.#count(counts.groups ?? {})
    const { harmless } = this.#spec
    if (harmless) this.#isHarmless = this.#isHarmless ? !harmless.to.test(text) : harmless.from.test(text)
    const head = this.#isHarmless ? null : this.#spec.head(text, this.#group)
    if (head !== null) return this.#begin(head)
    if (group) this.#group = group.exec(text)?.[1] ?? this.#group
    if (ends.test(text)) return this.#close()
    if (this.#open === null) return
    this.#open.failed ||= needs?.test(text) === true
    if (this.#spec.programs) this.#open.names ||= namesInnerFailure(text)
    const found = place?.exec(text)?.[1]
    if (found !== undefined) this.#open.place ??= found
    else if (noise?.test(text) !== true) this.#open.detail.line(margin ? text.replace(margin, '') : text)
  }

  end(): ToolReport | null {
    this.#close()
    for (let left = this.#unclosed; left > 0; left--) this.#tests.add([ENDED_EARLY], ENDED_EARLY, '')
    const told = this.#spec.uncounted === true && this.#verdicts > 0
    if (this.concluded === 0 && this.#tests.length === 0 && !told) return null
    const failures = Math.max(this.#failed, this.#tests.length)
    const counted = this.#total === null ? null : Math.max(0, this.#total - this.#skipped)
    // If passing tests have no lines, the others do not list all that ran.
    const isPart = (this.#spec.uncounted === true || this.#spec.partly === true) && this.#verdicts < (counted ?? 0)
    const isList = this.#verdicts > 0 && !isPart
    // More lines than counted tests: something else printed them.
    const most = this.#spec.uncounted === true ? null : counted
    const ran = isList ? Math.min(this.#verdicts, most ?? this.#verdicts) : counted
    // It is unknown which of the announced tests have run.
    const known = this.#unclosed > 0 ? null : ran
    const stopped = this.#unclosed > 0 || this.#isStopped
    const tests = testsRun(known, Math.min(failures, known ?? failures), isList ? this.#units : null, { stopped })
    const run = { ...tests, ...opaqueOf(this.#opaque(tests.unrun)) }
    return testReport(failures, this.#tests.list(), this.#total, undefined, run)
  }

  /** Programs that ran, failed, and name none of their tests. */
  #opaque(unrun: readonly string[]): string[] {
    return [...this.#programs].flatMap(([name, names]) => (names || unrun.includes(name) ? [] : [name]))
  }

  #verdict(text: string): void {
    if (this.#verdictIn === null) return
    const { repeats } = this.#spec
    if (repeats) this.#told = this.#told ? repeats.to?.test(text) !== true : repeats.from.test(text)
    const found = this.#told ? null : this.#verdictIn(text)
    if (found === null) return
    if (found.is === 'unrun') this.#units.lacks(found.name)
    if (found.is !== 'ran') return
    this.#verdicts += 1
    this.#units.add(found.name)
  }

  #begin(head: Head): void {
    this.#close()
    this.#group = ''
    this.#open = {
      head,
      detail: this.#tests.detail(),
      place: null,
      failed: this.#spec.needs === undefined || head.detail !== undefined,
      names: false,
    }
    for (const line of head.detail ?? []) this.#open.detail.line(line)
  }

  #close(): void {
    const open = this.#open
    this.#open = null
    if (open === null || !open.failed) return
    const { path, title = path.join(' > ') } = open.head
    const said = open.detail.toString()
    const place = open.place === null || said.includes(open.place) ? '' : `at ${open.place}`
    const detail = [said, place].filter((part) => part !== '').join('\n')
    const before = this.#said.get(title)
    if (before === undefined ? this.#said.size < 1000 : before === '') this.#said.set(title, detail)
    if (before === undefined) this.#tests.add(path, title, () => this.#said.get(title) ?? detail)
    const { programs } = this.#spec
    if (programs === undefined || programs.single?.test(title) === true) return
    if (this.#programs.size < MAX_FINDINGS || this.#programs.has(title))
      this.#programs.set(title, open.names || this.#programs.get(title) === true)
  }

  #count(groups: Record<string, string | undefined>): void {
    if (this.#spec.nested === true) this.#open = null
    this.#close()
    this.concluded += 1
    const sum = (kind: string): number =>
      Object.entries(groups).reduce((all, [key, value]) => all + (key.startsWith(kind) ? Number(value ?? 0) : 0), 0)
    const before = this.#spec.nested === true ? 0 : this.#failed
    const failed = sum('failed')
    this.#failed = before + failed
    this.#skipped = (this.#spec.nested === true ? 0 : this.#skipped) + sum('skipped')
    const says = (kind: string): boolean =>
      Object.entries(groups).some(([key, value]) => key.startsWith(kind) && value !== undefined)
    if (!says('tests') && groups['passed'] === undefined) return
    const tests = says('tests') ? sum('tests') : sum('passed') + failed
    this.#total = tests + (this.#spec.nested === true ? 0 : (this.#total ?? 0))
  }
}
