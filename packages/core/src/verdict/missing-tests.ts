import { addTests, type TestsRun, type TestUnit, type ToolTests } from '../digest/tests-run.ts'
import { counted } from '../text/count-text.ts'
import { isFileName, leafOf, stemOf } from './names.ts'

/** Tests that ran on the base and did not run now. `name`: of one of them, where several are cases of the same. */
export type Lacking = { name: string; fewer: number }

/** `names`: of which the runner tells the names. `unnamed`: how many more ran on the base than now, beside those. */
export type Missing = { names: Lacking[]; unnamed: number }

/** A file that the change touches; `removed`: the lines that it takes away, '' where nobody reads them. */
export type TouchedFile = { path: string; oldPath?: string | null; removed: string }

/** @param base what ran on the commit that the work started from, of the same check */
export function missingTests(base: readonly ToolTests[], now: readonly ToolTests[]): Missing {
  const missing = [...new Set(base.map(({ tool }) => tool))].map((tool) => {
    const before = addTests(base.filter((one) => one.tool === tool))
    const same = now.filter((one) => one.tool === tool)
    if (same.length > 0) return lackingOf(before, addTests(same))
    // Another runner may have taken over; what it has to run is at least as much.
    const others = now.filter((one) => !base.some((known) => known.tool === one.tool))
    const taken = others.reduce((sum, { ran }) => sum + (ran ?? 0), 0)
    return before.ran !== null && taken >= before.ran && taken > 0
      ? { names: [], unnamed: 0 }
      : lackingOf(before, NOTHING)
  })
  return {
    names: missing.flatMap(({ names }) => names),
    unnamed: missing.reduce((sum, { unnamed }) => sum + unnamed, 0),
  }
}

const NOTHING: TestsRun = { ran: 0, passed: 0, units: [], unrun: [], stopped: false }

function lackingOf(before: TestsRun, now: TestsRun): Missing {
  const fewer = before.ran !== null && now.ran !== null ? Math.max(0, before.ran - now.ran) : 0
  // Too many names are not kept, and some reporters tell none: then only the number is known.
  if (now.units.length === 0 && now.ran !== 0) return { names: [], unnamed: fewer }
  // A file that runs fewer tests is missed though another runs more: what moved has left lines in it.
  const lacking = lackingNames(before.units, now.units)
  const names = lacking.filter(({ name, whole }) => whole || fewer > 0 || isFileName(name))
  const named = names.reduce((sum, one) => sum + one.fewer, 0)
  return { names: names.map(({ name, fewer: count }) => ({ name, fewer: count })), unnamed: Math.max(0, fewer - named) }
}

type Stem = { name: string; ran: number }

function lackingNames(before: readonly TestUnit[], now: readonly TestUnit[]): (Lacking & { whole: boolean })[] {
  const former = byStem(before)
  const present = byStem(now)
  // A test that only moved has its name elsewhere.
  const arrived = new Map<string, number>()
  for (const [stem, { name, ran }] of present) {
    const more = ran - (former.get(stem)?.ran ?? 0)
    if (more > 0 && !isFileName(name))
      arrived.set(stemOf(leafOf(name)), (arrived.get(stemOf(leafOf(name))) ?? 0) + more)
  }
  return [...former].flatMap(([stem, { name, ran }]) => {
    const has = present.get(stem)?.ran ?? 0
    if (has >= ran) return []
    const leaf = stemOf(leafOf(name))
    const moved = Math.min(ran - has, arrived.get(leaf) ?? 0)
    if (moved > 0) arrived.set(leaf, (arrived.get(leaf) ?? 0) - moved)
    return ran - has > moved ? [{ name, fewer: ran - has - moved, whole: has === 0 && moved === 0 }] : []
  })
}

function byStem(units: readonly TestUnit[]): Map<string, Stem> {
  const stems = new Map<string, Stem>()
  for (const [name, ran] of units) {
    const stem = stemOf(name)
    const known = stems.get(stem)
    if (known) known.ran += ran
    else stems.set(stem, { name, ran })
  }
  return stems
}

/**
 * Those that the change does not itself take away. What it removes or renames is for the guard of tests to judge; what
 * vanished without a word in any test file was kept from running.
 *
 * @param touched tests that the change touches
 * @param lost how many more tests it takes away than it adds, by their first lines
 */
export function unexplained(names: readonly Lacking[], touched: readonly TouchedFile[], lost: number): Lacking[] {
  const open = names.filter((one) => !touched.some((file) => explains(file, one.name)))
  // Names that are made while the tests run ("adds %i") are not in the source as they are printed.
  return open.reduce((sum, { fewer }) => sum + fewer, 0) <= Math.max(0, lost) ? [] : open
}

function explains({ path, oldPath, removed }: TouchedFile, name: string): boolean {
  // Lines that were only added explain nothing: they may well be what keeps the others from running.
  const paths = [...(removed === '' ? [] : [path]), ...(oldPath ? [oldPath] : [])]
  const file = isFileName(name) ? name : (DOC_TEST.exec(name)?.[1] ?? null)
  if (file !== null) return paths.some((own) => isSamePath(own, file))
  const leaf = leafOf(name)
  if (leaf.length >= 3 && removed.includes(leaf) && removed.split('\n').some((line) => declares(line, leaf)))
    return true
  if (/[\s:>]/.test(name)) return false
  // A class by its file, and a package by its folder.
  const held = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1).split('$', 1)[0] ?? ''
  return paths.some((own) => baseOf(own) === held || (name.includes('/') && isSamePath(name, folderOf(own))))
}

/** A line in which something of this name begins, and not one that only uses it. */
function declares(line: string, name: string): boolean {
  const at = line.indexOf(name)
  const around = `${line[at - 1] ?? ' '}${line[at + name.length] ?? ' '}`
  return at >= 0 && !/\w/.test(around) && BEGINS.test(line)
}

const BEGINS =
  /\b(?:fn|def|func|fun|function|void|class|test|tests|it|specify|describe|scenario|context|should|example|TEST\w*|SCENARIO|BOOST_\w+)\b|@Test|\bt\.Run\(/i

/** An example in Rust's documentation: "shop src/lib.rs - total (line 12)". */
const DOC_TEST = /^\S+ (\S+\.rs) - /

const baseOf = (path: string): string => (path.slice(path.lastIndexOf('/') + 1).split('.', 1)[0] ?? '').trim()
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** A runner may name a file from another folder than the root. */
const isSamePath = (one: string, other: string): boolean =>
  one === other || (other !== '' && one.endsWith(`/${other}`)) || (one !== '' && other.endsWith(`/${one}`))

const MOST_NAMED = 5

/** "3 tests that ran before did not run: a, b, c"; null: none is missing. */
export function missingText({ names, unnamed }: Missing): string | null {
  const count = names.reduce((sum, { fewer }) => sum + fewer, 0) + unnamed
  if (count === 0) return null
  const shown = names.slice(0, MOST_NAMED).map(({ name }) => name.replace(/\p{Cc}/gu, '?').slice(0, 120))
  const more = names.length > shown.length ? ', …' : ''
  const list = shown.length === 0 ? '' : `: ${shown.join(', ')}${more}`
  return `${counted(count, 'test')} that ran before the change did not run${list}`
}
