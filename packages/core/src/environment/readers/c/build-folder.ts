import type { Folder } from '../../repository-files.ts'

const NAMES = ['build', 'build-tests', 'build-beadloom']

/** Where a build goes: a folder that has nothing of the repository's in it. */
export const buildFolder = (folder: Folder): string =>
  NAMES.find((name) => folder.below(new RegExp(`^${name}(?:/|$)`), 1).length === 0) ?? NAMES[0]!
