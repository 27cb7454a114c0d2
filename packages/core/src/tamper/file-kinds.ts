import type { ChangedFile } from './patch.ts'
import { isResult } from './changed-values.ts'
import { shortName } from './finding-words.ts'
import { isBelowTests, isInTestFolder } from '../files/names-of-tests.ts'

/*
 * Changes to a file as a whole, by the headers of its patch: it became a link or a submodule, or can no longer be
 * started; and whether there is anything to read at all.
 */

/** The most characters in which git's headers end. */
const HEADERS = 10_000
const head = ({ patch }: ChangedFile): string => patch.slice(0, HEADERS)

const isLinkNow = (file: ChangedFile): boolean => /^new file mode 120000$/m.test(file.patch)

/** The file as deleted, if something else took its place. */
export function asDeleted(file: ChangedFile): ChangedFile {
  if (file.status !== 'T' || !/^deleted file mode 100\d{3}$/m.test(head(file))) return file
  const [removed = ''] = file.patch
    .split(/(?<=^|\n)(?=diff --git )/)
    .filter((part) => /\ndeleted file mode /.test(part))
  return { ...file, status: 'D', patch: removed }
}

/** Whether a folder of tests became a commit of another repository: no patch shows its lines. */
export const isTestModule = (file: ChangedFile): boolean =>
  mayBeTestModule(file.path) && /^[+-]Subproject commit [0-9a-f]{40,64}$/m.test(head(file))

/** The same by its path alone. */
export const mayBeTestModule = (path: string): boolean => isBelowTests(`${path}/`) && !/\.[^/]*$/.test(path)

/** Lines changed but none is shown: tests among them may have changed unseen. */
export const isUnreadable = ({ patch, added, removed, status, cut }: ChangedFile): boolean =>
  !cut &&
  !/^@@ /m.test(patch) &&
  (added === null || removed === null || (added ?? 0) > 0 || (removed ?? 0) > 0 || (patch === '' && status !== 'A'))

const started = /\.(?:sh|bash|bats|t|pl)$/

/** One sentence for each way. `name`: the file's name in them. */
export function changedKinds(file: ChangedFile, name: string): string[] {
  const found: string[] = []
  const wasLink = /^index \S+ 120000$/m.test(head(file))
  if (isUnreadable(file)) found.push(`${name} changed, and what changed in it could not be read`)
  if (isTestModule(file)) {
    found.push(
      file.status === 'D'
        ? `${name}, a submodule in a folder of tests, was removed`
        : `${name}, a submodule in a folder of tests, is at another commit`,
    )
  } else if (file.status === 'T' && isLinkNow(file)) found.push(`${name} was replaced by a link`)
  else if (file.status === 'M' && wasLink) found.push(`${name} is a link, and leads elsewhere now`)
  if (started.test(file.path) && /^old mode 100755\nnew mode 100644$/m.test(head(file)))
    found.push(`${name} can no longer be executed`)
  return found
}

/**
 * Files that tests read and that became something else, such as a link to what the code itself writes. Their patches
 * are not needed. `known`: paths that are judged by their patches.
 */
export const changedData = (
  all: readonly Pick<ChangedFile, 'path' | 'status'>[],
  known: ReadonlySet<string>,
): string[] =>
  all.flatMap(({ path, status }) =>
    status === 'T' &&
    !known.has(path) &&
    (isInTestFolder(path) || isResult(path)) &&
    !/(?:^|\/)(?:node_modules|vendor)\//.test(path)
      ? [`${shortName(path)}, which tests may read, became a link, or is no link any more`]
      : [],
  )
