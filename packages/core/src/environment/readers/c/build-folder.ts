import type { Folder } from '../../files/repository-files.ts'

const NAMES = ['build', 'build-tests', 'build-beadloom']

/** The folder for a build; nothing of the repository is in it. */
export const buildFolder = (folder: Folder): string =>
  NAMES.find((name) => folder.below(new RegExp(`^${name}(?:/|$)`), 1).length === 0) ?? NAMES[0]!
