import type { DigestTool, ToolOutcome } from './digest-tool.ts'
import { testsOfReport } from './tests-run.ts'

/** Runners that start test programs, and show a program's output only if it failed. */
const OUTER: ReadonlySet<string> = new Set(['ctest', 'meson', 'automake'])

/** Tools whose output such a program may print. */
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

/** Prints the same tests once more, with their names, if told to. */
const NAMED_BY = new Map([['phpunit', 'junit-xml']])

/**
 * Leaves out runners whose tests another one counts: their output only appears when something fails.
 *
 * @param named by the command line: these were started beside the outer one
 */
export function outermost(runners: readonly ToolOutcome[], named: readonly DigestTool[]): readonly ToolOutcome[] {
  const outer = runners.some(({ tool }) => OUTER.has(tool.name))
  return outer ? runners.filter(({ tool }) => !INNER.has(tool.name) || named.includes(tool)) : runners
}

/** Adds the names from another form of the same run, if it has as many tests. */
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
