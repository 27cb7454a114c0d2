import type { DigestTool, ToolOutcome } from './digest-tool.ts'

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

/**
 * Without the runners whose tests another one counts: they are in the output on a bad day, and absent on a good one.
 *
 * @param named by the command line: these were started beside the outer one
 */
export function outermost(runners: readonly ToolOutcome[], named: readonly DigestTool[]): readonly ToolOutcome[] {
  const outer = runners.some(({ tool }) => OUTER.has(tool.name))
  return outer ? runners.filter(({ tool }) => !INNER.has(tool.name) || named.includes(tool)) : runners
}
