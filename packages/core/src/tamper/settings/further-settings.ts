import { shortName } from '../finding-words.ts'
import type { ChangedFile } from '../patch.ts'
import { repeatedTests } from './repeated-tests.ts'

/** Findings about files each of which is judged alone: a setting for tests, wherever it is. */
export const furtherSettings = (files: readonly ChangedFile[]): string[] =>
  files.flatMap((file) => repeatedTests(file, shortName(file.path)))
