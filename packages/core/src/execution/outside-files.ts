import { isInTestFolder, isTestFile } from '../files/names-of-tests.ts'
import { hasEndIn } from '../files/path-ends.ts'
import { hasBeginIn, withBegin } from '../text/sorted-texts.ts'

/** Words of a text that could be a path: with a folder, or with an ending. Not parts of an address. */
const PATHS = /(?<![\w@:/.+-])(?:\.\/)?((?:[\w.@+-]+\/)+[\w.@+-]*|[\w@+][\w.@+-]*\.[A-Za-z]\w{0,7})(?![\w@])/g
/** The most names read from a text: a description as long as a book costs no more than a page. */
const MOST_NAMED = 200

/** Files that change along with almost any other: dependencies, change logs, recordings of tests. */
const ALONG =
  /(?:^|\/)(?:package(?:-lock)?\.json|[\w.-]*lock(?:\.(?:json|ya?ml|toml|b))?|Cargo\.toml|go\.(?:mod|sum|work)|pyproject\.toml|requirements[\w.-]*\.txt|Gemfile|composer\.json|CHANGE(?:S|LOG)(?:\.\w+)?|__snapshots__\/.*|[^/]+\.snap)$/i

/** A task's words that may name files. */
export type NamedFiles = {
  /** The bead's words. */
  task: string
  /** Files and folders (with a slash) that its plan names. */
  planned: readonly string[]
}

/** Words that could be the names of files; without any there is no need to look at the repository. */
export const namesIn = ({ task, planned }: NamedFiles): string[] =>
  [...[...task.matchAll(PATHS)].map(([, path = '']) => path).slice(0, MOST_NAMED), ...planned].map((path) =>
    path.replace(/^\.\//, '').replace(/\.+$/, ''),
  )

/**
 * The changed files that a task names neither themselves nor by their folder, without tests. Null if nobody can tell:
 * the task names no existing file (most tasks do not), or only bare names of unchanged files. An agent decides how many
 * files there are, so no file is compared with every name or folder.
 *
 * @param named names from `namesIn`
 * @param there paths of the repository before the change
 */
export function outsideFiles(
  named: readonly string[],
  changed: readonly string[],
  there: readonly string[],
): string[] | null {
  const known = [...new Set([...there, ...changed])].toSorted()
  const isPlace = (name: string): boolean => name.includes('/')
  const files = new Set([
    ...known.filter(hasEndIn(named.filter(isPlace))),
    // A bare name may be an example or the symptom; it counts as the task's file only if it was changed.
    ...changed.filter(hasEndIn(named.filter((name) => !isPlace(name)))),
  ])
  const folders = named
    .filter(isPlace)
    .map((name) => `${name.replace(/\/$/, '')}/`)
    .filter((folder) => withBegin(known, folder) !== undefined)
  if (files.size + folders.length === 0) return null
  const isAround = hasBeginIn([...folders, ...[...files].map(folderOf).filter((folder) => folder !== '')])
  const stems = new Set([...files].map(stemOf))
  return changed.filter(
    (path) =>
      !files.has(path) &&
      !isAround(path) &&
      !stems.has(stemOf(path)) &&
      !ALONG.test(path) &&
      !isTestFile(path) &&
      !isInTestFolder(path),
  )
}

/** With its slash; '' for the root. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

const stemOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/(?:\.d)?\.\w+$/, '')
    .replace(/^test_|[._](?:test|spec)$/i, '')
