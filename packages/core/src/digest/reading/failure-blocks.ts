import type { DigestTool, ToolReport } from '../digest-tool.ts'
import type { FailureDetail } from './failure-detail.ts'
import { FailedTests, testReport } from './run-report.ts'
import { scanRuns, type RunScanner } from './run-scanner.ts'

/** What a line says that begins a failed test's block: its groups and name, and what is to be shown below it. */
export type Head = { path: readonly string[]; title?: string; detail?: readonly string[] }

/** A test tool that prints a block for each failed test, and its counts at the end. */
export type BlockTests = Pick<DigestTool, 'name' | 'command' | 'signs'> & {
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
  /** The counts; `tests` and the sum of all groups that begin with `failed`. */
  total: RegExp
}

/** The tool for a test tool with a block for each failed test. */
export function blockTests(tests: BlockTests): DigestTool {
  const { name, command, signs } = tests
  return {
    name,
    type: 'test',
    command,
    signs,
    scan: () => scanRuns({ command: command ?? /$^/, run: (detailed) => new BlockRun(tests, detailed) }),
  }
}

class BlockRun implements RunScanner {
  concluded = 0
  readonly #spec: BlockTests
  readonly #tests: FailedTests
  readonly #seen = new Set<string>()
  #group = ''
  #open: { head: Head; detail: FailureDetail; place: string | null; failed: boolean } | null = null
  #failed = 0
  #total: number | null = null

  constructor(spec: BlockTests, detailed: boolean) {
    this.#spec = spec
    this.#tests = new FailedTests(detailed)
  }

  line(text: string): void {
    const { group, ends, noise, needs, margin, place, total } = this.#spec
    const counts = total.exec(text)
    if (counts) return this.#count(counts.groups ?? {})
    const head = this.#spec.head(text, this.#group)
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
    if (this.concluded === 0 && this.#tests.length === 0) return null
    return testReport(Math.max(this.#failed, this.#tests.length), this.#tests.list(), this.#total)
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
    if (this.#seen.has(title)) return
    if (this.#seen.size < 1000) this.#seen.add(title)
    const said = open.detail.toString()
    const place = open.place === null || said.includes(open.place) ? '' : `at ${open.place}`
    this.#tests.add(path, title, [said, place].filter((part) => part !== '').join('\n'))
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
    if (groups['tests'] === undefined && groups['passed'] === undefined) return
    const tests = groups['tests'] === undefined ? sum('passed') + failed : Number(groups['tests'])
    this.#total = tests + (this.#spec.nested === true ? 0 : (this.#total ?? 0))
  }
}
