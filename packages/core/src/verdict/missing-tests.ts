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
 * Tests that ran on the base and did not run now. `name`: of one of them, where several are cases of the same; `gone`: those
 * of them that are named and did not run. `whole`: none of its cases ran.
 */
export type Lacking = { name: string; fewer: number; whole: boolean; gone: readonly string[] }

/**
 * `names`: of which the runner tells the names. `unnamed`: how many more ran on the base than now, beside those. `instead`:
 * other runners took over. `unknown`: of which runners nobody can tell whether all ran, as less is said now than before.
 * `printed`: runners that name more tests than they count, and more of those than before.
 */
export type Missing = {
  names: readonly Lacking[]
  unnamed: number
  instead: { from: readonly string[]; to: readonly string[] } | null
  unknown: readonly string[]
  printed: readonly string[]
}

const NOTHING: TestsRun = { ran: 0, passed: 0, units: [], unrun: [], stopped: false }

/** @param base what ran on the commit that the work started from, of the same check */
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
 * Where other runners ran what these did not: tests are looked for by their names as far as both tell the same, and their
 * number has to be reached by all of them together. Where neither can be compared, nobody knows.
 *
 * @param there runners that are still there: what they lack is missed, unless another one names it
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
    // Names of classes and packages can be compared where some of them are found.
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

/** How many names it has beyond the tests that it counts: something else printed those. */
const surplus = ({ ran, units }: TestsRun): number => (ran === null ? 0 : Math.max(0, countOfUnits(units) - ran))

/** Whether a name is that of a test as its source has it, and not of a file, a class or a package. */
const isTestName = (name: string): boolean => {
  const { rest } = splitPackage(name)
  return fileOf(name)?.whole !== true && (/\s/.test(rest) || leafOf(rest) !== rest)
}

/** Its names are of files or the like, which say nothing of how many tests they have. */
export const isCoarse = ({ ran, units }: TestsRun): boolean => ran === null || countOfUnits(units) < ran

function lackingOf(tool: string, before: TestsRun, now: TestsRun): Pick<OfTool, 'names' | 'unnamed' | 'blurred'> {
  const fewer = shortfall(before, now)
  // Too many names are not kept, and some reporters tell none: then only the number is known. A runner that told them
  // before and now does not, or not of all that it counts, may have ended in the middle, and something else counted.
  if (now.units.length === 0 && now.ran !== 0)
    return {
      names: [],
      unnamed: fewer,
      blurred:
        now.ran === null
          ? before.units.length > 0 || (before.ran ?? 0) > 0
          : before.units.length > 0 && keepsLines.has(tool) && !isMany(before),
    }
  // A file that runs fewer tests is missed though another runs more: what moved has left lines in it.
  const { lacking, blurred } = lackingNames(before.units, now.units, isCoarse(now))
  const names = lacking.filter(({ name, whole }) => whole || fewer > 0 || fileOf(name)?.whole === true)
  const named = names.reduce((sum, one) => sum + one.fewer, 0)
  return { names, unnamed: Math.max(0, fewer - named), blurred: blurred && now.ran === null }
}

/** Runners that keep what tests print off the lines in which they name them. */
const keepsLines = new Set(['pytest', 'jest', 'vitest', 'cargo-test', 'ctest', 'gradle'])

/** So many names that a few more are too many to be kept. */
const isMany = ({ units }: TestsRun): boolean =>
  units.length > MAX_UNITS / 2 || units.reduce((sum, [name]) => sum + name.length, 0) > MAX_CHARACTERS / 2

/** How the same test is told that moved to another group or file, or that is another case of the same table. */
const KEYS: readonly ((name: string) => string | null)[] = [
  (name) => (isWholeFile(name) ? null : leafOf(name)),
  stemOf,
  (name) => (isWholeFile(name) ? null : stemOf(leafOf(name))),
]

const isWholeFile = (name: string): boolean => fileOf(name)?.whole === true

/**
 * `blurred`: tests were named one by one, and only what holds them is now.
 *
 * @param coarse that a name is there now says that its tests ran
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
  /** A file that is told from another folder, or by the tests in it. */
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
    // Tests were named, and their files or packages are now.
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

/** Takes from what is left as much as came under the same key. `moved`: stems of which some did. */
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

/** Files of one name that are told apart by their folders. */
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

/** That other runners took over; null: none did. */
export const insteadText = ({ instead }: Pick<Missing, 'instead'>): string | null =>
  instead === null ? null : `the tests are run by ${all(instead.to)} now, and no longer by ${all(instead.from)}`

/** That nobody can tell what is lost; null: it can be told. */
export const unknownText = ({ unknown, instead }: Missing): string | null =>
  unknown.length === 0
    ? null
    : `${insteadText({ instead }) ?? `${all(unknown)} says less than before`}, and its output does not say which of the former tests ran: have it print their names`

/** That names were printed by something else than the runner; null: by none. */
export const printedText = ({ printed }: Pick<Missing, 'printed'>): string | null =>
  printed.length === 0
    ? null
    : `the output names more tests than ${all(printed)} counts, so something else printed names, and nobody knows which of the former tests ran`

const all = (tools: readonly string[]): string => tools.map(plain).join(' and ')

const plain = (name: string): string => name.replace(/\p{Cc}/gu, '?').slice(0, 120)
