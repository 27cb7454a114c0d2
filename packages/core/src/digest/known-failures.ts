import { findingKey, testKey } from './fingerprint.ts'
import type { ToolOutcome } from './digest-tool.ts'

/** What a command finds wrong whoever has worked: a digest may leave it out. `findings` are keys of a digest. */
export type KnownFailures = {
  tool: string
  failures: number | null
  findings: readonly string[]
  /** Of runners that name their tests: a test is known by its own name alone. */
  tests?: readonly { tool: string; failed?: readonly string[] }[]
}

/** Runners whose failures are named by tests, and by nothing that shifts when another test is added. */
export const namesTests: ReadonlySet<string> = new Set([
  'pytest',
  'unittest',
  'go-test',
  'gotestsum',
  'cargo-test',
  'cargo-nextest',
  'maven',
  'gradle',
  'googletest',
  'ctest',
  'jest',
  'vitest',
  'mocha',
  'node-test',
  'rspec',
  'minitest',
  'phpunit',
  'exunit',
  'dotnet-test',
])

/**
 * What failed beside the known failures, and how many of those there were. A finding is known by its title: a test that
 * fails anyway may do so with other values today. Findings count as often as they occur.
 */
export function besideKnown(
  failed: readonly ToolOutcome[],
  known: KnownFailures,
): { own: ToolOutcome[]; left: number } {
  const titles = new Map<string, number>()
  for (const key of known.findings) titles.set(titleOf(key), (titles.get(titleOf(key)) ?? 0) + 1)
  // Of those beyond what a digest keeps only the number is known.
  let uncounted = Math.max(0, (known.failures ?? 0) - known.findings.length)
  let left = 0
  const own = failed.map(({ tool, report }): ToolOutcome => {
    const names = known.tests?.find((one) => one.tool === tool.name)?.failed
    const named = names && new Set(names)
    const findings = report.findings.filter((finding) => {
      const title = titleOf(findingKey(tool.name, finding))
      const times = titles.get(title) ?? 0
      if (times === 0 || named?.has(testKey(finding.title)) === false) return true
      titles.set(title, times - 1)
      return false
    })
    const kept = report.findings.length - findings.length
    const beyond = Math.max(0, report.failures - report.findings.length)
    const taken = tool.name === known.tool ? Math.min(beyond, uncounted) : 0
    uncounted -= taken
    left += kept + taken
    const failures = report.failures - kept - taken
    return { tool, report: kept + taken === 0 ? report : { ...report, ...told(failures, kept + taken), findings } }
  })
  return { own: own.filter(({ report }) => report.failures > 0), left }
}

/** The tool's own summary counts all of them. */
const told = (failures: number, left: number) => ({
  failures,
  summary: `${failures} failed beside ${left} that ${left === 1 ? 'fails' : 'fail'} on the base too`,
  named: false,
})

const titleOf = (key: string): string => key.split(' | ', 1)[0] ?? ''
