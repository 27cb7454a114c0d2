import { asksForSnapshots, isAsked, withNames, type Removals } from './asked.ts'
import { patchLines, type ChangedFile } from './patch.ts'
import { isSnapshot, isTestFile } from '../files/names-of-tests.ts'

/** An entry in a file of several snapshots: Jest's and Vitest's, or Syrupy's. */
const entry = /^(?:exports\[`(.{1,500})`\]|# name: (.{1,500})$)/

/** `removals`: those that the bead asks for. `paths`: all of the commit, if they are known. */
type Around = {
  removals: Removals
  all: readonly Pick<ChangedFile, 'path'>[]
  paths: readonly string[]
}

/**
 * Lost snapshots whose tests are still there: their runner writes new ones from the code's current results, and passes.
 * One sentence for each file.
 */
export function lostSnapshots(
  files: readonly ChangedFile[],
  nameOf: (path: string) => string,
  around: Around,
): string[] {
  return [...lostFiles(files, nameOf, around), ...emptiedInline(files, nameOf)]
}

/** The run itself writes the text of `toMatchInlineSnapshot()`. */
const INLINE = /\b(?:toMatch|toThrowErrorMatching)InlineSnapshot\((.*)$/

function emptiedInline(files: readonly ChangedFile[], nameOf: (path: string) => string): string[] {
  return files.flatMap((file) => {
    if (file.status === 'A' || file.status === 'D' || !isTestFile(file.path)) return []
    const [went, came] = (['-', '+'] as const).map((sign) =>
      patchLines(file.patch).flatMap((line) => (line.sign === sign ? (INLINE.exec(line.plain)?.[1] ?? []) : [])),
    )
    const count = came?.filter((rest) => rest.startsWith(')')).length ?? 0
    const lost = Math.min(count, went?.filter((rest) => !rest.startsWith(')')).length ?? 0)
    return lost > 0 ? [`${nameOf(file.path)} lost ${lost} ${lost > 1 ? 'snapshots' : 'snapshot'}`] : []
  })
}

function lostFiles(
  files: readonly ChangedFile[],
  nameOf: (path: string) => string,
  { removals, all, paths }: Around,
): string[] {
  const snapshots = files.filter(({ path }) => isSnapshot(path))
  if (snapshots.length === 0 || files.some(comparesLess)) return []
  // Where no code changed, the snapshots that a runner writes anew are those of the work before.
  const isAlone = [...files, ...all].every(({ path }) => isSnapshot(path))
  if (isAlone && asksForSnapshots(removals)) return []
  const isWanted = askedIn(removals)
  const places = new Set(paths.length < MOST_PATHS ? paths.map(baseOf) : [])
  const lines = snapshots.map((file) => patchLines(file.patch))
  const added = new Set(lines.flatMap((some) => entriesOf(some, '+')))
  return snapshots.flatMap((file, at) => {
    const name = nameOf(file.path)
    const entries = entriesOf(lines[at] ?? [], '-')
    const lost = entries.filter((one) => !added.has(one) && !isWanted(file.path, one))
    if (file.status === 'D') {
      const isFine =
        (entries.length > 0 && lost.length === 0) || isWanted(file.path, '') || hasNoTest(file.path, places)
      return isFine ? [] : [`${name}, a snapshot, was deleted`]
    }
    return lost.length > 0 ? [`${name} lost ${lost.length} ${lost.length > 1 ? 'snapshots' : 'snapshot'}`] : []
  })
}

/** If there are more, not all of them are known. */
const MOST_PATHS = 20_000

/** Whether the bead asks to remove an entry, by its name, its file's or its test's. */
function askedIn(removals: Removals): (path: string, entry: string) => boolean {
  const named = withNames(removals)
  return (path, entry) => {
    const title = entry.replace(/ \d+$/, '')
    return [path, testOf(path) ?? path].some((one) => isAsked(named, { path: one, title, line: 'snapshot' }))
  }
}

/** The file of tests that a file of snapshots belongs to: Jest's, Vitest's, or Syrupy's. */
function testOf(path: string): string | undefined {
  const [, folder = '', script, python] =
    /^(.*?)__snapshots__\/(?:([^/]+\.[cm]?[jt]sx?)\.snap|([^/]+)\.ambr)$/.exec(path) ?? []
  return script === undefined && python === undefined ? undefined : `${folder}${script ?? `${python}.py`}`
}

/**
 * Whether its tests are not there any more, in any folder, as a project may have its own place for snapshots. If this
 * change removed them, another rule looks at that.
 */
function hasNoTest(path: string, places: ReadonlySet<string>): boolean {
  const test = testOf(path)
  return test !== undefined && places.size > 0 && !places.has(baseOf(test))
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const entriesOf = (lines: ReturnType<typeof patchLines>, sign: '+' | '-'): string[] =>
  lines.flatMap((line) => {
    const [, jest, syrupy] = (line.sign === sign && entry.exec(line.plain)) || []
    return jest ?? syrupy ?? []
  })

/** Whether a test is gone, renamed or no longer compares: its snapshot goes with it, and other rules look at that. */
const comparesLess = ({ path, status, patch }: ChangedFile): boolean =>
  !isSnapshot(path) &&
  (isTestFile(path) || path.endsWith('.rs')) &&
  (status === 'D' ||
    status === 'R' ||
    /^-.*(?:[sS]napshot|[aA]pprov|[vV]erif|^-\s*(?:it|test|def test)\b)/m.test(patch))
