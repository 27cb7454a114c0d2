import { MAX_FINDINGS, type DigestTool, type Finding, type ToolReport } from './digest-tool.ts'
import { boundedFindings } from './reading/further-failures.ts'
import { addTests, opaqueOf, testsOfReport, type TestsRun } from './tests-run.ts'
import { counted } from '../text/count-text.ts'

export type PackageReport = { name: string; report: ToolReport }

/**
 * Merges the reports of one tool for several packages. Each failure has its package in front, and the first one of each
 * package comes before the second one of any.
 *
 * @param other the report for lines that belong to no package
 */
export function packagesReport(
  tool: DigestTool,
  packages: readonly PackageReport[],
  other: ToolReport | null = null,
): ToolReport | null {
  const [first] = packages
  if (first === undefined) return other
  const all = other === null ? [...packages] : [{ name: '', report: other }, ...packages]
  const collected = all.reduce<number | null>(
    (sum, { report }) => (report.collected === null ? sum : (sum ?? 0) + report.collected),
    null,
  )
  const tests = tool.type === 'test' ? { tests: addTests(all.map(testsOfPackage)) } : {}
  // The order in which packages end is random.
  const failed = all
    .filter(({ report }) => report.failures > 0)
    .toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
  const [one] = failed
  if (one === undefined) return { ...(other ?? first.report), collected, ...tests }
  const failures = failed.reduce((sum, { report }) => sum + report.failures, 0)
  const mixed = inTurn(failed.map(namedFindings))
  const findings = tool.type === 'test' ? boundedFindings(mixed) : mixed.slice(0, MAX_FINDINGS)
  const names = [...new Set(failed.map(({ name }) => name))].filter((name) => name !== '')
  if (failed.length === 1)
    return { ...one.report, summary: prefixed(one.name, one.report.summary), findings, collected, ...tests }
  const what =
    tool.type === 'test'
      ? `${counted(failures, 'test')} failed`
      : counted(failures, tool.type === 'lint' ? 'lint error' : 'build error')
  const where = names.length === 1 ? names[0] : `${names.length} packages (${names.join(', ')})`
  return { failures, summary: cut(`${what} in ${where}`), findings, collected, ...tests }
}

/** Two packages may have a test of the same name. */
function testsOfPackage({ name, report }: PackageReport): TestsRun {
  const tests = testsOfReport(report)
  return {
    ...tests,
    units: tests.units.map(([unit, ran]) => [prefixed(name, unit), ran]),
    unrun: tests.unrun.map((part) => prefixed(name, part)),
    ...opaqueOf((tests.opaque ?? []).map((program) => prefixed(name, program))),
  }
}

const MAX_SUMMARY = 100

const cut = (text: string): string => (text.length <= MAX_SUMMARY ? text : `${text.slice(0, MAX_SUMMARY - 1)}…`)

const prefixed = (name: string, text: string): string => (name === '' ? text : `${name}: ${text}`)

const namedFindings = ({ name, report }: PackageReport): Finding[] =>
  report.findings.map(({ title, detail }) => ({ title: prefixed(name, title), detail }))

function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const all: T[] = []
  let left = lists.filter((list) => list.length > 0)
  for (let at = 0; left.length > 0; at++) {
    for (const list of left) all.push(...list.slice(at, at + 1))
    left = left.filter((list) => list.length > at + 1)
  }
  return all
}
