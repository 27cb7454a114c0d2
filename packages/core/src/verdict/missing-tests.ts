import {
  addTests,
  countOfUnits,
  MAX_CHARACTERS,
  MAX_UNITS,
  type TestsRun,
  type TestUnit,
  type ToolTests,
} from '../digest/tests-run.ts'
import { counted } from '../text/count-text.ts'
import { baseOf, containerOf, fileOf, isSamePath, leafOf, pathIn, splitPackage, stemOf } from './names.ts'

/**
 * Tests that ran on the base and did not run now. `name`: that of one of them, if several are cases of the same test;
 * `gone`: the names that did not run. `whole`: no case ran.
 */
export type Lacking = { name: string; fewer: number; whole: boolean; gone: readonly string[] }

/**
 * `names`: tests that the runner names. `unnamed`: the number that ran on the base but not now, beside those.
 * `instead`: other runners took over. `unknown`: runners that say less than before, so it is unclear whether all tests
 * ran. `printed`: runners that name more tests than they count, and more such names than before.
 */
export type Missing = {
  names: readonly Lacking[]
  unnamed: number
  instead: { from: readonly string[]; to: readonly string[] } | null
  unknown: readonly string[]
  printed: readonly string[]
}

const NOTHING: TestsRun = { ran: 0, passed: 0, units: [], unrun: [], stopped: false }

/** @param base the tests that the same check ran on the commit that the work started from */
export function missingTests(base: readonly ToolTests[], now: readonly ToolTests[]): Missing {
  const newcomers = now.filter((one) => !base.some((known) => known.tool === one.tool))
  const tools = [...new Set(base.map(({ tool }) => tool))].map((tool): OfTool => {
    const before = addTests(base.filter((one) => one.tool === tool))
    const same = now.filter((one) => one.tool === tool)
    const after = same.length > 0 ? addTests(same) : NOTHING
    const printed = keepsLines.has(tool) && surplus(after) > surplus(before)
    return { tool, before, printed, gone: same.length === 0 && before.ran !== 0, ...lackingOf(tool, before, after) }
  })
  const there = tools.filter(({ gone }) => !gone)
  const isTaken = newcomers.some(({ ran, units }) => (ran ?? units.length) > 0)
  if (!isTaken || !tools.some(({ gone, names }) => gone || names.length > 0)) return together(tools)
  return takenOver(
    tools.filter(({ gone }) => gone),
    there,
    newcomers,
  )
}

type OfTool = Pick<Missing, 'names' | 'unnamed'> & { tool: string; before: TestsRun } & Flags
type Flags = Record<'gone' | 'blurred' | 'printed', boolean>

const together = (tools: readonly OfTool[]): Missing => ({
  names: tools.flatMap(({ names }) => names),
  unnamed: tools.reduce((sum, { unnamed }) => sum + unnamed, 0),
  instead: null,
  unknown: tools.flatMap(({ tool, blurred }) => (blurred ? [tool] : [])),
  printed: tools.flatMap(({ tool, printed }) => (printed ? [tool] : [])),
})

/**
 * Missing tests if other runners took over from these. Tests are compared by name as far as both runners print names,
 * and all new runners together have to reach the number. If neither can be compared, it is unknown.
 *
 * @param there runners that are still there: tests that they lack are missing, unless another one names them
 */
function takenOver(gone: readonly OfTool[], there: readonly OfTool[], newcomers: readonly ToolTests[]): Missing {
  const others = addTests(newcomers)
  const units = newcomers.flatMap((one) => one.units)
  const coarse = isCoarse(others)
  const open = (names: readonly Lacking[]) => lackingNames(names.flatMap(unitsOf), units, coarse).lacking
  const kept = together(there.map((one) => ({ ...one, names: open(one.names) })))
  if (gone.length === 0) return kept
  const tellsFiles = units.some(([name]) => fileOf(name) !== null)
  const tellsTests = units.some(([name]) => isTestName(name))
  const former = gone.map((one) => {
    const lacking = open(one.names)
    // Names of classes and packages can be compared if some of them are found.
    const some = lacking.length < one.names.length
    const names = lacking.filter(({ name }) =>
      fileOf(name)?.whole === true ? tellsFiles : isTestName(name) ? tellsTests : some,
    )
    return { ...one, names, found: one.unnamed === 0 && lacking.length === 0 }
  })
  const names = former.flatMap((one) => one.names)
  const told = names.reduce((sum, { fewer }) => sum + fewer, 0)
  const counted = former.every(({ before }) => before.ran !== null) && others.ran !== null
  const needed = former.reduce((sum, { before }) => sum + (before.ran ?? 0), 0)
  return {
    names: [...kept.names, ...names],
    unnamed: kept.unnamed + (counted ? Math.max(0, needed - (others.ran ?? 0) - told) : 0),
    instead: { from: gone.map(({ tool }) => tool), to: [...new Set(newcomers.map(({ tool }) => tool))] },
    printed: kept.printed,
    unknown: counted ? kept.unknown : [...kept.unknown, ...former.flatMap(({ tool, found }) => (found ? [] : [tool]))],
  }
}

const unitsOf = ({ name, fewer, gone }: Lacking): TestUnit[] =>
  gone.length === fewer ? gone.map((one) => [one, 1]) : [[name, fewer]]

const shortfall = (before: TestsRun, after: TestsRun): number =>
  before.ran !== null && after.ran !== null ? Math.max(0, before.ran - after.ran) : 0

/** The number of names beyond the counted tests: something else printed those. */
const surplus = ({ ran, units }: TestsRun): number => (ran === null ? 0 : Math.max(0, countOfUnits(units) - ran))

/** Whether it is the name of a test in its source, rather than of a file, a class or a package. */
const isTestName = (name: string): boolean => {
  const { rest } = splitPackage(name)
  return fileOf(name)?.whole !== true && (/\s/.test(rest) || leafOf(rest) !== rest)
}

/** Whether its names are of files or the like, which do not tell the number of tests. */
export const isCoarse = ({ ran, units }: TestsRun): boolean => ran === null || countOfUnits(units) < ran

function lackingOf(tool: string, before: TestsRun, now: TestsRun): Pick<OfTool, 'names' | 'unnamed' | 'blurred'> {
  const fewer = shortfall(before, now)
  // Too many names are not kept, and some reporters print none: then only the number is known. If a runner printed them
  // before and now prints none, or fewer than it counts, it may have ended early, and something else counted.
  if (now.units.length === 0 && now.ran !== 0)
    return {
      names: [],
      unnamed: fewer,
      blurred:
        now.ran === null
          ? before.units.length > 0 || (before.ran ?? 0) > 0
          : before.units.length > 0 && keepsLines.has(tool) && !isMany(before),
    }
  // A file with fewer tests counts although another has more: moved tests left changed lines in it.
  const { lacking, blurred } = lackingNames(before.units, now.units, isCoarse(now))
  const names = lacking.filter(({ name, whole }) => whole || fewer > 0 || fileOf(name)?.whole === true)
  const named = names.reduce((sum, one) => sum + one.fewer, 0)
  return { names, unnamed: Math.max(0, fewer - named), blurred: blurred && now.ran === null }
}

/** Runners that keep the output of tests off the lines with names. */
const keepsLines = new Set(['pytest', 'jest', 'vitest', 'cargo-test', 'ctest', 'gradle'])

/** So many names that with a few more they would not be kept. */
const isMany = ({ units }: TestsRun): boolean =>
  units.length > MAX_UNITS / 2 || units.reduce((sum, [name]) => sum + name.length, 0) > MAX_CHARACTERS / 2

/** Names that identify a test that moved to another group or file, or another case of the same table. */
const KEYS: readonly ((name: string) => string | null)[] = [
  (name) => (isWholeFile(name) ? null : leafOf(name)),
  stemOf,
  (name) => (isWholeFile(name) ? null : stemOf(leafOf(name))),
]

const isWholeFile = (name: string): boolean => fileOf(name)?.whole === true

/**
 * `blurred`: tests were named one by one, and now only their file or package is.
 *
 * @param coarse the mere presence of a name now means that its tests ran
 */
function lackingNames(
  before: readonly TestUnit[],
  now: readonly TestUnit[],
  coarse: boolean,
): { lacking: Lacking[]; blurred: boolean } {
  const present = new Map(now)
  const stems = new Set(now.map(([name]) => stemOf(name)))
  const left = new Map<string, number>()
  const came = new Map(now)
  for (const [name, ran] of before) {
    const has = present.get(name) ?? 0
    came.set(name, Math.max(0, has - ran))
    if (has < ran && !(coarse && has > 0)) left.set(name, ran - has)
  }
  const moved = new Set<string>()
  for (const key of KEYS) takeBy(key, left, came, moved)

  const held = inContainers(now)
  const files = new Map<string, string[]>()
  const known = new Set(before.map(([name]) => name))
  for (const [name] of now) {
    const file = fileOf(name)
    if (file?.whole === true && !known.has(name)) listed(files, baseOf(file.file), name)
  }
  /** The tests of a file that is now named from another folder, or only by its tests. */
  const elsewhere = (name: string): number => {
    const file = fileOf(name)
    if (held.has(name) || file?.whole !== true) return held.get(name) ?? 0
    const others = files.get(baseOf(file.file))?.filter((one) => isSamePath(pathIn(file), pathIn(fileOf(one) ?? file)))
    return others?.length === 1 ? (present.get(others[0] ?? '') ?? 0) : 0
  }
  const lacking = new Map<string, Lacking & { gone: string[] }>()
  const coarser = new Map<string, number>()
  for (const [name, count] of left) {
    const has = present.has(name) ? 0 : elsewhere(name)
    const fewer = coarse && has > 0 ? 0 : count - has
    if (fewer <= 0) continue
    const container = present.has(name) ? null : containerOf(name)
    // Tests were named, and now only their files or packages are.
    if (container !== null && present.has(container)) coarser.set(container, (coarser.get(container) ?? 0) + fewer)
    else {
      const stem = stemOf(name)
      const open = lacking.get(stem) ?? { name, fewer: 0, whole: !stems.has(stem) && !moved.has(stem), gone: [] }
      open.fewer += fewer
      open.gone.push(name)
      lacking.set(stem, open)
    }
  }
  const short = [...coarser].flatMap(([name, count]): Lacking[] => {
    const fewer = count - (present.get(name) ?? 0)
    return coarse || fewer <= 0 ? [] : [{ name, fewer, whole: false, gone: [] }]
  })
  return { lacking: [...lacking.values(), ...short], blurred: coarser.size > 0 }
}

/** Matches missing tests with new ones under the same key. `moved` gets the stems of matched tests. */
function takeBy(
  key: (name: string) => string | null,
  left: Map<string, number>,
  came: Map<string, number>,
  moved: Set<string>,
): void {
  const pool = new Map<string, string[]>()
  for (const [name, count] of came) {
    const own = count > 0 ? key(name) : null
    if (own === null) continue
    const names = pool.get(own)
    if (names === undefined) pool.set(own, [name])
    else names.push(name)
  }
  for (const [name, count] of left) {
    const names = pool.get(key(name) ?? '') ?? []
    let open = count
    while (open > 0 && names.length > 0) {
      const other = names.at(-1) ?? ''
      const taken = Math.min(open, came.get(other) ?? 0)
      came.set(other, (came.get(other) ?? 0) - taken)
      open -= taken
      if ((came.get(other) ?? 0) === 0) names.pop()
    }
    if (open < count) moved.add(stemOf(name))
    if (open === 0) left.delete(name)
    else left.set(name, open)
  }
}

/** The most files of one name that are told apart by their folders. */
const MOST_OF_A_NAME = 50

function listed(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else if (list.length < MOST_OF_A_NAME) list.push(value)
}

function inContainers(units: readonly TestUnit[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, ran] of units) {
    const container = containerOf(name)
    if (container !== null) sums.set(container, (sums.get(container) ?? 0) + ran)
  }
  return sums
}

const MOST_NAMED = 5

/** "3 tests that ran before did not run: a, b, c"; null: none is missing. */
export function missingText({ names, unnamed }: Pick<Missing, 'names' | 'unnamed'>): string | null {
  const count = names.reduce((sum, { fewer }) => sum + fewer, 0) + unnamed
  if (count === 0) return null
  const shown = names.slice(0, MOST_NAMED).map(({ name }) => plain(name))
  const more = names.length > shown.length ? ', …' : ''
  const list = shown.length === 0 ? '' : `: ${shown.join(', ')}${more}`
  return `${counted(count, 'test')} that ran before the change did not run${list}`
}

/** Says that other runners took over; null: none did. */
export const insteadText = ({ instead }: Pick<Missing, 'instead'>): string | null =>
  instead === null ? null : `the tests are run by ${all(instead.to)} now, and no longer by ${all(instead.from)}`

/** Says that the lost tests are unknown; null: they are known. */
export const unknownText = ({ unknown, instead }: Missing): string | null =>
  unknown.length === 0
    ? null
    : `${insteadText({ instead }) ?? `${all(unknown)} says less than before`}, and its output does not say which of the former tests ran: have it print their names`

/** Says that something else than the runner printed names; null: nothing did. */
export const printedText = ({ printed }: Pick<Missing, 'printed'>): string | null =>
  printed.length === 0
    ? null
    : `the output names more tests than ${all(printed)} counts, so something else printed names, and nobody knows which of the former tests ran`

const all = (tools: readonly string[]): string => tools.map(plain).join(' and ')

const plain = (name: string): string => name.replace(/\p{Cc}/gu, '?').slice(0, 120)
