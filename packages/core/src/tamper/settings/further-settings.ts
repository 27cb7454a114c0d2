import { shortName } from '../finding-words.ts'
import type { ChangedFile } from '../patch.ts'
import { environments } from './environments.ts'
import { broughtRunners, ownRunners } from './own-runners.ts'
import { repeatedTests } from './repeated-tests.ts'

/**
 * Findings about files each of which is judged alone: a setting for tests, wherever it is.
 *
 * @param all all files that differ
 */
export function furtherSettings(
  files: readonly ChangedFile[],
  all: readonly Pick<ChangedFile, 'path' | 'status'>[],
): string[] {
  const fresh = new Set(all.flatMap(({ path, status }) => (status === 'A' || status === 'C' ? [path] : [])))
  const found = files.flatMap((file) => {
    const name = shortName(file.path)
    return [...repeatedTests(file, name), ...environments(file, name, fresh), ...ownRunners(file, name)]
  })
  return [...found, ...broughtRunners(all)]
}
