import { shortName } from '../finding-words.ts'
import type { ChangedFile } from '../patch.ts'
import { environments } from './environments.ts'
import { repeatedTests } from './repeated-tests.ts'

/** Findings about files each of which is judged alone: a setting for tests, wherever it is. */
export const furtherSettings = (files: readonly ChangedFile[], fresh: ReadonlySet<string>): string[] =>
  files.flatMap((file) => {
    const name = shortName(file.path)
    return [...repeatedTests(file, name), ...environments(file, name, fresh)]
  })
