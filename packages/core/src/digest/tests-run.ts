import { detached } from './reading/detached.ts'

/*
 * Which tests ran. A test that was collected, compiled or skipped says nothing about the work: only one that ran to its
 * verdict does.
 */

/** A test by its name, or the file, class or package that the tool names instead, and how many of its tests ran. */
export type TestUnit = readonly [name: string, ran: number]

/** What one test runner did, as it says itself. */
export type TestsRun = {
  /** Tests that passed or failed; null: it does not say how many. */
  ran: number | null
  /** Those that passed; where it does not count tests, the units that did. */
  passed: number
  /** What it names, sorted; empty where it names nothing, or more than `MAX_UNITS`. */
  units: readonly TestUnit[]
  /** Parts whose tests could not run: a file that cannot be collected, a package that does not compile. */
  unrun: readonly string[]
  /** It ended at its first failure, so nobody knows what the tests after that would have said. */
  stopped: boolean
}

/** The same with its tool. `failures`: as the tool counts them. */
export type ToolTests = TestsRun & {
  tool: string
  failures: number
  /** What each of the first tests that failed is called, where the runner names them. */
  failed?: readonly string[]
  /** The same with their folders; empty where none of them has any, absent in an older proof. */
  places?: readonly string[]
}

/** Names that are kept of one tool, and their characters in all: they are stored with each verification. */
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

  /** @param ran how many tests of this name ran now; several are added up */
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

  /** Those that are left when these are none of its tests. */
  without(names: ReadonlySet<string>): TestUnits {
    if (names.size === 0) return this
    const rest = new TestUnits()
    for (const [name, ran] of this.#ran) if (!names.has(name)) rest.add(name, ran)
    for (const part of this.#unrun) rest.lacks(part)
    rest.#overfull = this.#overfull
    return rest
  }

  /** Its tests could not run. */
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
 * @param failed tests among those that ran; failures of other kinds are none of them
 * @param coarse the names are of files or the like, which say nothing of how many tests they have
 */
export function testsRun(
  ran: number | null,
  failed: number,
  units: TestUnits | null = null,
  { stopped = false, coarse = false } = {},
): TestsRun {
  const list = units?.list() ?? []
  const named = countOfUnits(list)
  // Names of a part alone would look as if the rest had not run.
  const whole = coarse || ran === null || named >= ran
  return {
    ran,
    passed: Math.max(0, (ran ?? list.length) - failed),
    units: whole ? list : [],
    unrun: units?.unrun() ?? [],
    stopped,
  }
}

/** How many tests ran under these names. */
export const countOfUnits = (units: readonly TestUnit[]): number => units.reduce((sum, [, ran]) => sum + ran, 0)

/** What a report says without saying which tests ran. */
export const testsOfReport = ({
  collected,
  failures,
  tests,
}: {
  collected: number | null
  failures: number
  tests?: TestsRun
}): TestsRun => tests ?? testsRun(collected, failures)

/** Several runs of one tool as one. */
export function addTests(all: readonly TestsRun[]): TestsRun {
  const units = new TestUnits()
  for (const one of all) {
    for (const [name, ran] of one.units) units.add(name, ran)
    for (const name of one.unrun) units.lacks(name)
  }
  return {
    ran: all.reduce<number | null>((sum, { ran }) => (ran === null ? sum : (sum ?? 0) + ran), null),
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    // Names of a part alone would look as if the other part had run nothing.
    units: all.some(({ units: own, ran }) => own.length === 0 && ran !== 0) ? [] : units.list(),
    unrun: units.unrun(),
    stopped: all.some(({ stopped }) => stopped),
  }
}

/** How many ran over all tools; null where none says. */
export const ranIn = (tests: readonly TestsRun[]): number | null =>
  tests.reduce<number | null>((sum, { ran }) => (ran === null ? sum : (sum ?? 0) + ran), null)

/** Whether a runner says that nothing at all ran. */
export const ranNothing = (tests: readonly TestsRun[]): boolean =>
  tests.length > 0 && tests.every(({ ran, units }) => ran === 0 || (ran === null && units.length === 0))

/** Whether no test is known to have run: nothing of it can be compared with another run. */
export const isSilent = (tests: readonly TestsRun[] = []): boolean =>
  tests.every(({ ran, passed, units }) => (ran ?? 0) === 0 && passed === 0 && units.length === 0)

/** What one runner did, in numbers. */
export const withoutNamesOf = (one: ToolTests): ToolTests => ({
  ...one,
  units: [],
  ...(one.failed && { failed: [] }),
  ...(one.places && { places: [] }),
})

/** As people are shown it: names are there to be compared, and thousands of them say nothing to a reader. */
export const withoutNames = <T extends { tests?: readonly ToolTests[] }>(row: T): T =>
  row.tests === undefined ? row : { ...row, tests: row.tests.map(withoutNamesOf) }
