import type { DigestTool, ToolOutcome, ToolReport } from './digest-tool.ts'
import { findingKey, placedKey, testKey } from './fingerprint.ts'
import type { TestUnit, ToolTests } from './tests-run.ts'

/** What a command finds wrong whoever has worked: a digest may leave it out. `findings` are keys of a digest. */
export type KnownFailures = {
  tool: string
  failures: number | null
  findings: readonly string[]
  /** Of runners that name their tests: a test is known by its own name alone. */
  tests?: readonly KnownTests[]
}

/** Of an older proof, the folders or even the names are not known. */
type KnownTests = Pick<ToolTests, 'tool' | 'failed' | 'places'> & Partial<Pick<ToolTests, 'units'>>

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
  'dart-test',
])

/** What the tests are called that failed, where the runner names them. */
export function failedTestsOf({ name }: DigestTool, titles: readonly string[]): Pick<ToolTests, 'failed' | 'places'> {
  if (!namesTests.has(name) || titles.length === 0) return {}
  const [failed, places] = [titles.map(testKey), titles.map(placedKey)]
  return { failed, places: places.some((place, at) => place !== failed[at]) ? places : [] }
}

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
    const isKnown = knownBy(
      known.tests?.find((one) => one.tool === tool.name),
      report,
    )
    const findings = report.findings.filter((finding) => {
      const title = titleOf(findingKey(tool.name, finding))
      const times = titles.get(title) ?? 0
      if (times === 0 || !isKnown(finding.title)) return true
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

/**
 * Whether the test of this title is one of the known ones. One that fails in another folder is, if its file was not there before
 * and that of the known one is gone: then it was moved.
 */
function knownBy(known: KnownTests | undefined, { findings, tests }: ToolReport): (title: string) => boolean {
  if (known?.failed === undefined) return () => true
  const { failed } = known
  const names = new Set(failed)
  if (known.places === undefined) return (title) => names.has(testKey(title))
  const places = known.places.length > 0 ? known.places : failed
  const placed = new Set(places)
  const [before, now] = [filesOf(known.units), filesOf(tests?.units)]
  // Where the runner does not name what ran, nobody knows what was moved.
  const tells = before.size > 0 && now.size > 0
  for (const { title } of findings) now.add(fileIn(placedKey(title)))
  const gone = new Set(failed.filter((_, at) => tells && !now.has(fileIn(places[at] ?? ''))))
  return (title) => {
    const place = placedKey(title)
    return placed.has(place) || (gone.has(testKey(title)) && !before.has(fileIn(place)))
  }
}

const filesOf = (units: readonly TestUnit[] = []): Set<string> =>
  new Set(units.map(([name]) => fileIn(placedKey(name))))

/** The file, package or class that a name begins with. */
const fileIn = (place: string): string => place.split(/::|: |\s/, 1)[0] ?? ''

/** The tool's own summary counts all of them. */
const told = (failures: number, left: number) => ({
  failures,
  summary: `${failures} failed beside ${left} that ${left === 1 ? 'fails' : 'fail'} on the base too`,
  named: false,
})

const titleOf = (key: string): string => key.split(' | ', 1)[0] ?? ''
