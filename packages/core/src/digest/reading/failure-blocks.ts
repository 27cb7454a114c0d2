import type { DigestTool, ToolReport } from '../digest-tool.ts'
import type { FailureDetail } from './failure-detail.ts'
import { TestUnits, testsRun } from '../tests-run.ts'
import { FailedTests, testReport } from './run-report.ts'
import { scanRuns, type RunScanner } from './run-scanner.ts'

/** What a line says that begins a failed test's block: its groups and name, and what is to be shown below it. */
export type Head = { path: readonly string[]; title?: string; detail?: readonly string[] }

/** A test tool that prints a block for each failed test, and its counts at the end. */
export type BlockTests = Pick<DigestTool, 'name' | 'command' | 'signs' | 'fromStart'> & {
  /** The first line of a block; null for another. The state is what the last `group` line said. */
  head(line: string, group: string): Head | null
  /** A second line of a head that has no name of its own yet. */
  group?: RegExp
  /** A line after which no block is open. */
  ends: RegExp
  /** A block without such a line is of a test that passed. */
  needs?: RegExp
  /** What is in front of each line of a block. */
  margin?: RegExp
  /** Totals include those before them, as those of a suite do, and the block before one is the suite's own. */
  nested?: boolean
  /** A line in a block that is left out. */
  noise?: RegExp
  /** The place in the project's code; its first group is shown. */
  place?: RegExp
  /**
   * The counts: the sum of all groups that begin with `tests` (or else with `passed`), the sum of all groups that begin with `failed`, and of
   * those that begin with `skipped`, which are among the tests and did not run.
   */
  total: RegExp
  /** Where each test has a line with its verdict; null for another line. */
  verdict?(line: string): Verdict | null
  /** The same where other lines are needed to tell: a function for each run. */
  verdicts?(): (line: string) => Verdict | null
  /** Where all is well it says nothing beside them. */
  uncounted?: boolean
  /** In some of its forms only a part of the tests has such a line: then they are no list of what ran. */
  partly?: boolean
  /** From one line to another, or to the end, verdicts are only repeated. */
  repeats?: { from: RegExp; to: RegExp | null }
  /** From one line to another, what looks like a failed test is none. */
  harmless?: { from: RegExp; to: RegExp }
  /** A line that says that the program died in a test: those behind it did not run, though they may be counted. */
  dies?: RegExp
  /** A line that comes when the last test has ended, where the counts are told before the first begins. */
  closes?: RegExp
  /** Counts are only those from one line on, as long as the lines are of a kind. */
  tally?: { from: RegExp; through: RegExp }
}

/** `ran`: it came to a verdict. `skipped`: the project wants it so. `unrun`: it could not run. */
export type Verdict = { name: string; is: 'ran' | 'skipped' | 'unrun' }

/** A program said how many tests it has, or named some, and never came to its end, whatever its exit code. */
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
  #open: { head: Head; detail: FailureDetail; place: string | null; failed: boolean } | null = null
  #failed = 0
  #total: number | null = null
  #skipped = 0
  readonly #units = new TestUnits()
  readonly #verdictIn: ((line: string) => Verdict | null) | null
  #verdicts = 0
  /** Verdicts are repeated now. */
  #told = false
  #tallies: boolean
  #isHarmless = false
  #isStopped = false
  /** Programs that said how many tests they have, less those that came to their end: the one may be told before the other. */
  #unclosed = 0
  /** What was said of each that failed, which may be more where it is named again. */
  readonly #said = new Map<string, string>()

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
    // Where those that pass are not told, the others are no list of what ran.
    const isPart = (this.#spec.uncounted === true || this.#spec.partly === true) && this.#verdicts < (counted ?? 0)
    const isList = this.#verdicts > 0 && !isPart
    // Lines beyond those that it counts were printed by something else.
    const most = this.#spec.uncounted === true ? null : counted
    const ran = isList ? Math.min(this.#verdicts, most ?? this.#verdicts) : counted
    // Nobody knows which of those that it announced have run.
    const known = this.#unclosed > 0 ? null : ran
    const stopped = this.#unclosed > 0 || this.#isStopped
    const tests = testsRun(known, Math.min(failures, known ?? failures), isList ? this.#units : null, { stopped })
    return testReport(failures, this.#tests.list(), this.#total, undefined, tests)
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
