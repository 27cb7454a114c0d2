import { isCodeFile, isTestFile } from '../../files/names-of-tests.ts'
import { formerPath, patchLines, type ChangedFile } from '../patch.ts'
import { isAssertion, isDeclaration } from '../words.ts'

/*
 * Folders that a runner may leave out, because a change adds them with the tests of another runner: nothing ran there
 * before.
 */

type Change = {
  /** The files that are read, and all that differ. */
  read: readonly ChangedFile[]
  all: readonly Pick<ChangedFile, 'path' | 'status'>[]
  /** The paths of the commit. */
  paths: readonly string[]
}

/** If there are more, not all of them are known. */
const MOST_PATHS = 20_000
/** Each is looked for in all paths. */
const MOST_PATTERNS = 50

/** Whether everything below the path of a pattern (`e2e/**`, `<rootDir>/e2e/`) is new, and no test was moved there. */
export function placesOfOthers({ read, all, paths }: Change): (pattern: string) => boolean {
  let known: { former: string[]; fresh: string[] } | null = null
  let lost: ReadonlySet<string> | null = null
  let asked = 0
  return (pattern) => {
    if (++asked > MOST_PATTERNS) return false
    const place = /^(?:<rootDir>)?(?:\.?\/)?(?:\*\*\/)?([\w@-]+(?:\/[\w@-]+)*)(?:\/|\/\*|\/\*\*(?:\/\*)?)?$/.exec(
      pattern,
    )?.[1]
    if (place === undefined || paths.length === 0 || paths.length >= MOST_PATHS) return false
    known ??= sides(read, all, paths)
    // A pattern may match in the middle of a name, too.
    if (known.former.some((path) => path.includes(place))) return false
    const within = (path: string): boolean => `/${path}`.includes(`/${place}/`)
    if (!known.fresh.some(within)) return false
    lost ??= testsIn(read, '-')
    const moved = lost
    return ![
      ...testsIn(
        read.filter(({ path }) => within(path)),
        '+',
      ),
    ].some((line) => moved.has(line))
  }
}

/** The code that was there before the change, and the code that it adds. */
function sides(read: Change['read'], all: Change['all'], paths: readonly string[]) {
  const added = new Set(all.flatMap(({ path, status }) => (status === 'A' || status === 'C' ? [path] : [])))
  const isCode = (path: string): boolean => isCodeFile(path) || isTestFile(path)
  const gone = [...all, ...read].flatMap(({ path, status }) => (status === 'D' ? [path] : []))
  return {
    former: [
      ...paths.filter((path) => !added.has(path)),
      ...gone,
      ...read.map(formerPath).filter((path) => !added.has(path)),
    ].filter(isCode),
    fresh: [...added].filter(isTestFile),
  }
}

const testsIn = (files: readonly ChangedFile[], sign: '+' | '-'): Set<string> =>
  new Set(
    files.flatMap(({ patch }) =>
      patchLines(patch).flatMap((line) =>
        line.sign === sign && (isAssertion(line.plain) || isDeclaration(line.plain)) ? [line.plain] : [],
      ),
    ),
  )
