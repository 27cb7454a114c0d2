import { isInTestFolder, isTestFile } from '../tamper/names-of-tests.ts'
import { hasEndIn } from '../tamper/path-ends.ts'
import { hasBeginIn, withBegin } from '../text/sorted-texts.ts'

/** Words of a text that could be a path: with a folder, or with an ending. Not what is part of an address. */
const PATHS = /(?<![\w@:/.+-])(?:\.\/)?((?:[\w.@+-]+\/)+[\w.@+-]*|[\w@+][\w.@+-]*\.[A-Za-z]\w{0,7})(?![\w@])/g
/** Of a text, so that a description as long as a book costs no more than a page. */
const MOST_NAMED = 200

/** What changes with almost any other file: what is installed, what is noted, what a test has recorded. */
const ALONG =
  /(?:^|\/)(?:package(?:-lock)?\.json|[\w.-]*lock(?:\.(?:json|ya?ml|toml|b))?|Cargo\.toml|go\.(?:mod|sum|work)|pyproject\.toml|requirements[\w.-]*\.txt|Gemfile|composer\.json|CHANGE(?:S|LOG)(?:\.\w+)?|__snapshots__\/.*|[^/]+\.snap)$/i

/** What a task says that may be files. */
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
 * Which of the changed files a task does not name: neither they nor their folder, nor a test of such a file. Null where the
 * task names none that there are, as most do, or only names without a folder of files that were left alone: then nobody can
 * say. An agent decides how many files there are, so none is compared with every name or folder.
 *
 * @param named as `namesIn` has them
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
    // A name alone may be an example, or what goes wrong: it is what the task is about if it was changed.
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
