import type { DigestTool, ToolOutcome } from './digest-tool.ts'
import { testsOfReport } from './tests-run.ts'

/** They start programs of tests, and show what one printed only where it failed. */
const OUTER: ReadonlySet<string> = new Set(['ctest', 'meson', 'automake'])

/** What such a program may print. */
const INNER: ReadonlySet<string> = new Set([
  'googletest',
  'catch2',
  'doctest',
  'boost-test',
  'check',
  'tap',
  'junit-xml',
  'unittest',
  'pytest',
])

/** It prints the same tests once more, by their names, where it is told to. */
const NAMED_BY = new Map([['phpunit', 'junit-xml']])

/**
 * Without the runners whose tests another one counts: they are in the output on a bad day, and absent on a good one.
 *
 * @param named by the command line: these were started beside the outer one
 */
export function outermost(runners: readonly ToolOutcome[], named: readonly DigestTool[]): readonly ToolOutcome[] {
  const outer = runners.some(({ tool }) => OUTER.has(tool.name))
  return outer ? runners.filter(({ tool }) => !INNER.has(tool.name) || named.includes(tool)) : runners
}

/** With the names that another form of the same run has, where it has as many tests. */
export function withNames(outcomes: readonly ToolOutcome[]): readonly ToolOutcome[] {
  const repeated = new Set<ToolOutcome>()
  const named = outcomes.map((one): ToolOutcome => {
    const other = outcomes.find(({ tool }) => tool.name === NAMED_BY.get(one.tool.name))
    if (other === undefined) return one
    const [tests, { ran, units }] = [testsOfReport(one.report), testsOfReport(other.report)]
    if (tests.ran !== ran) return one
    repeated.add(other)
    return { tool: one.tool, report: { ...one.report, tests: { ...tests, units } } }
  })
  return named.filter((one) => !repeated.has(one))
}
