import type { Family, Unread } from '../found.ts'
import { isLockFile } from '../../files/lock-files.ts'
import { hasTestsOf, testFilesOf } from './files-of-tests.ts'
import type { Folders } from './repository-files.ts'

const MOST = 1000

/** Manifests of languages whose test files are known by their names. */
const FAMILIES: readonly (readonly [Family, RegExp])[] = [
  ['node', /^package\.json$/],
  ['deno', /^deno\.jsonc?$/],
  ['python', /^(?:pyproject\.toml|setup\.py|Pipfile|requirements\.txt)$/],
  ['go', /^go\.mod$/],
  ['ruby', /^Gemfile$/],
  ['php', /^composer\.json$/],
  ['elixir', /^mix\.exs$/],
]

/**
 * Projects that are left out and have test files, by the names of their files alone.
 *
 * @param read the folders that are not left out
 * @param members those that a workspace installs, by family
 */
export function unreadProjects(
  folders: Folders,
  { read, left, members }: { read: readonly string[]; left: readonly string[]; members: Map<Family, Set<string>> },
): Unread[] {
  if (left.length === 0) return []
  const some = left.slice(0, MOST)
  const of = new Set(some)
  const files = testFilesOf(folders.files, [...read, ...some], members.get('python'), of)
  return some.flatMap((folder) => {
    const { names } = folders.folder(folder)
    const families = FAMILIES.flatMap(([family, manifest]) =>
      names.some((name) => manifest.test(name)) &&
      members.get(family)?.has(folder) !== true &&
      hasTestsOf(files, folder, family)
        ? [family]
        : [],
    )
    return families.length === 0 ? [] : [{ folder, families, locked: names.some(isLockFile) }]
  })
}
