import { MAX_FINDINGS, type DigestTool, type ToolOutcome, type ToolReport } from './digest-tool.ts'
import { maskText, placedKey, testKey } from './fingerprint.ts'
import { takeOnce } from '../text/take-once.ts'
import type { TestUnit, ToolTests } from './tests-run.ts'

/** Failures of a command that are not due to the work; a digest may leave them out. `findings` are keys of a digest. */
export type KnownFailures = {
  tool: string
  failures: number | null
  findings: readonly string[]
  /** For runners that name their tests: only the test's own name is compared. */
  tests?: readonly KnownTests[]
}

/** An older proof has no folders, or not even names. */
type KnownTests = Pick<ToolTests, 'tool' | 'failures' | 'failed' | 'places'> & Partial<Pick<ToolTests, 'units'>>

/** Runners whose failures have the names of tests, without anything that shifts when another test is added. */
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

/** The names of the failed tests, if the runner names its tests. */
export function failedTestsOf({ name }: DigestTool, titles: readonly string[]): Pick<ToolTests, 'failed' | 'places'> {
  if (!namesTests.has(name) || titles.length === 0) return {}
  const [failed, places] = [titles.map(testKey), titles.map(placedKey)]
  return { failed, places: places.some((place, at) => place !== failed[at]) ? places : [] }
}

/**
 * The titles of failures, each with its tool, without differences between two runs: all failures if the runner names
 * its tests, otherwise only those that a digest keeps.
 */
export function titlesOfFailed({ findings, tests = [] }: Pick<KnownFailures, 'findings' | 'tests'>): string[] {
  const named = tests.filter(isNamed)
  return [
    ...unnamedTitles(findings, named),
    ...named.flatMap(({ tool, failed }) => failed.map((name) => `${tool}: ${maskText(name)}`)),
  ]
}

type Named<T> = T & { failed: readonly string[] }
const isNamed = <T extends Pick<KnownTests, 'failed'>>(one: T): one is Named<T> => (one.failed?.length ?? 0) > 0

function unnamedTitles(findings: readonly string[], named: readonly KnownTests[]): string[] {
  const tools = new Set(named.map(({ tool }) => tool))
  return findings.map(titleOf).filter((title) => !tools.has(title.split(': ', 1)[0] ?? ''))
}

/** Known failures of one tool: `isLeft` takes one like the finding; `uncounted` is the number without names. */
type Known = { isLeft: (title: string) => boolean; compared: number; uncounted: number }

/**
 * The failures beside the known ones, and the number of known ones. A finding is known by its title, because a test
 * that fails anyway may have other values today. Findings count as often as they occur.
 */
export function besideKnown(
  failed: readonly ToolOutcome[],
  known: KnownFailures,
): { own: ToolOutcome[]; left: number } {
  const named = (known.tests ?? []).filter(isNamed)
  const titles = unnamedTitles(known.findings, named)
  const namedFailures = named.reduce((sum, { failures }) => sum + failures, 0)
  // A digest keeps some failures; of the others only the number is known.
  const uncounted = Math.max(0, (known.failures ?? 0) - namedFailures - titles.length)
  const byTitle = takeOnce(titles)
  let left = 0
  const own = failed.map(({ tool, report }): ToolOutcome => {
    const tests = named.find((one) => one.tool === tool.name)
    const unnamed: Known = {
      isLeft: (title) => byTitle(`${tool.name}: ${maskText(title)}`),
      compared: MAX_FINDINGS,
      uncounted: tool.name === known.tool ? uncounted : 0,
    }
    const { isLeft, compared, uncounted: most } = tests ? knownTests(tests, report) : unnamed
    const all = report.findings.slice(0, compared)
    const findings = all.filter(({ title }) => !isLeft(title))
    const kept = all.length - findings.length
    const taken = Math.min(Math.max(0, report.failures - all.length), most)
    left += kept + taken
    const failures = report.failures - kept - taken
    return { tool, report: kept + taken === 0 ? report : { ...report, ...told(failures, kept + taken), findings } }
  })
  return { own: own.filter(({ report }) => report.failures > 0), left }
}

function knownTests(known: Named<KnownTests>, report: ToolReport): Known {
  const { failed, failures } = known
  const isKnown = knownBy(known, report)
  const byName = takeOnce(failed.map(maskText))
  // If there were too many to name, as in older proofs, those beyond the first ones are compared by number.
  const isCut = failures > failed.length && failed.length === MAX_FINDINGS
  return {
    isLeft: (title) => isKnown(title) && byName(maskText(testKey(title))),
    compared: isCut ? MAX_FINDINGS : Infinity,
    uncounted: Math.max(0, failures - failed.length),
  }
}

/**
 * Whether the test of this title is known. A failing test in another folder is, if its file is new and the file of the
 * known one is gone: then it was moved.
 */
function knownBy(known: Named<KnownTests>, { findings, tests }: ToolReport): (title: string) => boolean {
  const { failed } = known
  const names = new Set(failed)
  if (known.places === undefined) return (title) => names.has(testKey(title))
  const places = known.places.length > 0 ? known.places : failed
  const placed = new Set(places)
  const [before, now] = [filesOf(known.units), filesOf(tests?.units)]
  // If the runner does not name the tests that ran, a move cannot be recognised.
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

/** The tool's own summary would count all of them. */
const told = (failures: number, left: number) => ({
  failures,
  summary: `${failures} failed beside ${left} that ${left === 1 ? 'fails' : 'fail'} on the base too`,
  named: false,
})

const titleOf = (key: string): string => key.split(' | ', 1)[0] ?? ''
