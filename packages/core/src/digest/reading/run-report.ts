import { detached } from './detached.ts'
import { MAX_FINDINGS, type Finding, type ToolReport } from '../digest-tool.ts'
import { addTests, testsOfReport, type TestsRun } from '../tests-run.ts'
import { FailureDetail } from './failure-detail.ts'
import { boundedFindings, FurtherFailures } from './further-failures.ts'

const MAX_SUMMARY = 100
const MAX_TITLE = 300
/** More names do not fit into a summary anyway. */
const NAMED = 20

/** A failed test: its groups and its own name, outermost first. */
export type FailedTest = Finding & { path: readonly string[] }

/** The failures of one run: the first `MAX_FINDINGS` of them, and the names of the others. */
export class FailedTests {
  readonly #all: (Omit<FailedTest, 'detail'> & { detail: string | (() => string) })[] = []
  readonly #detailed: boolean
  readonly #further = new FurtherFailures()

  /** @param detailed false when earlier runs have filled the digest: then failures are only counted */
  constructor(detailed = true) {
    this.#detailed = detailed
  }

  get length(): number {
    return this.#all.length + this.#further.size
  }

  /** True if only names of further failures are kept. */
  get full(): boolean {
    return this.#all.length >= MAX_FINDINGS
  }

  /** Collects the explanation of the next failure. */
  detail(): FailureDetail {
    return new FailureDetail(this.full || !this.#detailed)
  }

  /** @param detail a function if it is expensive, because most documents and runs are followed by another */
  add(path: readonly string[], title: string, detail: string | (() => string)): void {
    const name = oneLineTitle(title)
    if (this.full) this.#further.add(name)
    else this.#all.push({ path: path.map(detached), title: detached(name), detail })
  }

  clear(): void {
    this.#all.length = 0
    this.#further.clear()
  }

  list(limit = Infinity): FailedTest[] {
    const first = this.#all.map(({ path, title, detail }): FailedTest => ({
      path,
      title,
      detail: typeof detail === 'string' ? detail : detail(),
    }))
    const further = this.#further.list().map((title): FailedTest => ({ path: [title], title, detail: '' }))
    return [...first, ...further].slice(0, limit)
  }
}

/**
 * @param summary the tool's own; without it, "3 tests failed in AuthModule: testLogin, testLogout, …"
 * @param run the tests that ran; without it, all that were counted
 */
export function testReport(
  failures: number,
  tests: readonly FailedTest[],
  collected: number | null,
  summary?: string,
  run?: TestsRun,
): ToolReport {
  const count = Math.max(failures, tests.length)
  const ran = run && { tests: run }
  if (count === 0) return { failures: 0, summary: passedSummary(collected), findings: [], collected, ...ran }
  return {
    ...ran,
    failures: count,
    summary: cut(summary ?? failedSummary(count, tests), MAX_SUMMARY),
    ...(summary === undefined && { named: true }),
    findings: tests.map(({ title, detail }) => ({ title, detail })),
    collected,
  }
}

/** Merges the reports of several runs in one output; null if there are none. */
export function mergeReports(reports: readonly ToolReport[]): ToolReport | null {
  const [first] = reports
  if (first === undefined || reports.length === 1) return first ?? null
  const failed = reports.filter(({ failures }) => failures > 0)
  const failures = failed.reduce((sum, report) => sum + report.failures, 0)
  const collected = reports.reduce<number | null>(
    (sum, report) => (report.collected === null ? sum : (sum ?? 0) + report.collected),
    null,
  )
  const tests = addTests(reports.map(testsOfReport))
  if (failures === 0) return { failures, summary: passedSummary(collected), findings: [], collected, tests }
  const [one] = failed
  if (one !== undefined && failed.length === 1) return { ...one, collected, tests }
  const findings = boundedFindings(failed.flatMap((report) => report.findings))
  return { failures, summary: `${plural(failures)} failed in ${failed.length} runs`, findings, collected, tests }
}

const passedSummary = (collected: number | null): string =>
  collected === null ? 'tests passed' : `${plural(collected)}, none failed`

const plural = (count: number): string => (count === 1 ? '1 test' : `${count} tests`)

function failedSummary(failures: number, tests: readonly FailedTest[]): string {
  // The groups of failures that are not kept are unknown.
  const shared = tests.length >= failures ? sharedGroups(tests.map(({ path }) => path)) : []
  const group = shared.at(-1)
  const head = `${plural(failures)} failed${group === undefined ? '' : ` in ${cut(group, 40)}`}`
  const names = tests
    .slice(0, NAMED)
    .map(({ path }) => (shared.length === 0 ? (path.at(-1) ?? '') : path.slice(shared.length).join(' > ')))
  let text = head
  for (const [at, name] of names.entries()) {
    const next = `${text}${at === 0 ? ': ' : ', '}${name}`
    const more = at + 1 < failures ? ', …' : ''
    if (next.length + more.length > MAX_SUMMARY) return at === 0 ? `${head}: ${name}` : `${text}, …`
    text = next
  }
  return names.length > 0 && names.length < failures ? `${text}, …` : text
}

/** The groups that all have in common, without a test's own name. */
function sharedGroups(paths: readonly (readonly string[])[]): string[] {
  const [first = []] = paths
  let length = Math.max(0, first.length - 1)
  for (const path of paths) {
    length = Math.min(length, Math.max(0, path.length - 1))
    while (length > 0 && path[length - 1] !== first[length - 1]) length -= 1
    for (let at = 0; at < length; at++) if (path[at] !== first[at]) length = at
  }
  return first.slice(0, length)
}

/** A test's name may contain anything, even newlines. */
const oneLineTitle = (title: string): string =>
  title.length <= MAX_TITLE && !/\s\s|[^\S ]|^\s|\s$/.test(title)
    ? title
    : cut(
        title
          .slice(0, 4 * MAX_TITLE)
          .replace(/\s+/g, ' ')
          .trim(),
        MAX_TITLE,
      )

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`
}
