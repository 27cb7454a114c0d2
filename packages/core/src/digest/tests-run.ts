import { detached } from './reading/detached.ts'

/*
 * The tests that ran. A test that was collected, compiled or skipped says nothing about the work: only a test with a
 * verdict does.
 */

/** A test by its name, or the file, class or package that the tool names instead, and how many of its tests ran. */
export type TestUnit = readonly [name: string, ran: number]

/** The result of one test runner, in its own words. */
export type TestsRun = {
  /** Tests that passed or failed; null if the runner does not count them. */
  ran: number | null
  /** Passed tests; if the runner does not count tests, passed units. */
  passed: number
  /** The names, sorted; empty if there are none, or more than `MAX_UNITS`. */
  units: readonly TestUnit[]
  /** Parts that could not run their tests: a file that cannot be collected, a package that does not compile. */
  unrun: readonly string[]
  /** Failed test programs that do not name the tests of theirs that failed; absent if there are none. */
  opaque?: readonly string[]
  /** It ended at its first failure, so the results of later tests are unknown. */
  stopped: boolean
}

/** The same with its tool. `failures`: as the tool counts them. */
export type ToolTests = TestsRun & {
  tool: string
  failures: number
  /** The names of the first failed tests, if the runner names them. */
  failed?: readonly string[]
  /** The same with their folders; empty if none has any, absent in an older proof. */
  places?: readonly string[]
}

/** Names that are kept for one tool, and their characters in all: they are stored with each verification. */
export const MAX_UNITS = 20_000
export const MAX_CHARACTERS = 1_500_000
const MAX_UNRUN = 200
const LONGEST_NAME = 300

/** Collects the names of tests as a scanner meets them, in bounded memory. */
export class TestUnits {
  readonly #ran = new Map<string, number>()
  readonly #unrun = new Set<string>()
  #characters = 0
  #overfull = false

  /** @param ran the number of tests of this name that ran now; several are added up */
  add(name: string, ran = 1): void {
    if (this.#overfull || ran <= 0) return
    const key = name.slice(0, LONGEST_NAME)
    const known = this.#ran.get(key)
    if (known === undefined) {
      this.#characters += key.length
      if (this.#ran.size >= MAX_UNITS || this.#characters > MAX_CHARACTERS) {
        this.#overfull = true
        this.#ran.clear()
        return
      }
    }
    this.#ran.set(known === undefined ? detached(key) : key, (known ?? 0) + ran)
  }

  /** The tests of this runner that remain without these. */
  without(names: ReadonlySet<string>): TestUnits {
    if (names.size === 0) return this
    const rest = new TestUnits()
    for (const [name, ran] of this.#ran) if (!names.has(name)) rest.add(name, ran)
    for (const part of this.#unrun) rest.lacks(part)
    rest.#overfull = this.#overfull
    return rest
  }

  /** The tests under this name could not run. */
  lacks(name: string): void {
    if (this.#unrun.size < MAX_UNRUN) this.#unrun.add(detached(name.slice(0, LONGEST_NAME)))
  }

  get size(): number {
    return this.#ran.size
  }

  list(): TestUnit[] {
    return [...this.#ran].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  }

  unrun(): string[] {
    return [...this.#unrun].toSorted()
  }
}

/**
 * @param failed tests among those that ran; failures of other kinds do not count
 * @param coarse the names are of files or the like, which do not tell how many tests they have
 */
export function testsRun(
  ran: number | null,
  failed: number,
  units: TestUnits | null = null,
  { stopped = false, coarse = false } = {},
): TestsRun {
  const list = units?.list() ?? []
  const named = countOfUnits(list)
  // A partial list of names would look as if the other tests had not run.
  const whole = coarse || ran === null || named >= ran
  return {
    ran,
    passed: Math.max(0, (ran ?? list.length) - failed),
    units: whole ? list : [],
    unrun: units?.unrun() ?? [],
    stopped,
  }
}

/** The number of tests that ran under these names. */
export const countOfUnits = (units: readonly TestUnit[]): number => units.reduce((sum, [, ran]) => sum + ran, 0)

/** The tests of a report, even if it does not say which tests ran. */
export const testsOfReport = ({
  collected,
  failures,
  tests,
}: {
  collected: number | null
  failures: number
  tests?: TestsRun
}): TestsRun => tests ?? testsRun(collected, failures)

/** Merges several runs of one tool. */
export function addTests(all: readonly TestsRun[]): TestsRun {
  const units = new TestUnits()
  for (const one of all) {
    for (const [name, ran] of one.units) units.add(name, ran)
    for (const name of one.unrun) units.lacks(name)
  }
  return {
    ran: all.reduce<number | null>((sum, { ran }) => (ran === null ? sum : (sum ?? 0) + ran), null),
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    // A partial list of names would look as if the other run had run nothing.
    units: all.some(({ units: own, ran }) => own.length === 0 && ran !== 0) ? [] : units.list(),
    unrun: units.unrun(),
    ...opaqueOf(all.flatMap(({ opaque = [] }) => opaque)),
    stopped: all.some(({ stopped }) => stopped),
  }
}

export const opaqueOf = (programs: readonly string[]): Pick<TestsRun, 'opaque'> =>
  programs.length === 0 ? {} : { opaque: [...new Set(programs)].slice(0, MAX_UNRUN) }

/** The number of tests that ran, over all tools; null if none counts. */
export const ranIn = (tests: readonly TestsRun[]): number | null =>
  tests.reduce<number | null>((sum, { ran }) => (ran === null ? sum : (sum ?? 0) + ran), null)

/** Whether a runner says that nothing at all ran. */
export const ranNothing = (tests: readonly TestsRun[]): boolean =>
  tests.length > 0 && tests.every(({ ran, units }) => ran === 0 || (ran === null && units.length === 0))

/** Whether no test is known to have run: nothing of it can be compared with another run. */
export const isSilent = (tests: readonly TestsRun[] = []): boolean =>
  tests.every(({ ran, passed, units }) => (ran ?? 0) === 0 && passed === 0 && units.length === 0)

/** The result of one runner in numbers. */
export const withoutNamesOf = (one: ToolTests): ToolTests => ({
  ...one,
  units: [],
  ...(one.failed && { failed: [] }),
  ...(one.places && { places: [] }),
})

/** For people: names are only for comparisons, and thousands of them tell a reader nothing. */
export const withoutNames = <T extends { tests?: readonly ToolTests[] }>(row: T): T =>
  row.tests === undefined ? row : { ...row, tests: row.tests.map(withoutNamesOf) }
