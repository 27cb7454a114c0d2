import { isTestFile } from '../../files/names-of-tests.ts'
import { NOT_OURS } from './folders-of-others.ts'
import type { Family, TestFile } from '../found.ts'
import { folderOf, nameOf } from './repository-path.ts'

/** Such folders hold code that the project does not test. */
const IS_NOT_OURS = new RegExp(`(?:^|/)(?:${NOT_OURS})/`, 'i')

/** The part of a name that tells tests, in languages that have one: helpers beside the tests have another ending. */
const endingOf = (path: string): string => /(?:_test)?\.[^./]+$/.exec(nameOf(path))?.[0] ?? ''

/**
 * The first test file for each ending of each project: the evidence that it has tests.
 *
 * @param only the folders whose files are of interest; default: all
 * @param members folders of Python that a workspace above them installs, and tests
 */
export function testFilesOf(
  paths: readonly string[],
  projects: readonly string[],
  members: ReadonlySet<string> = new Set(),
  only: ReadonlySet<string> | null = null,
): TestFile[] {
  const all = new Set(projects)
  const apart = new Set(projects.filter((folder) => !members.has(folder)))
  const found = new Map<string, TestFile>()
  for (const file of paths) {
    if (IS_NOT_OURS.test(file) || !isTestFile(file)) continue
    const folder = projectOf(file, file.endsWith('.py') ? apart : all)
    if (only?.has(folder) === false) continue
    const key = JSON.stringify([folder, endingOf(file)])
    if (!found.has(key)) found.set(key, { folder, file })
  }
  return only === null ? [...found.values()].slice(0, MOST) : [...found.values()]
}

const MOST = 200

function projectOf(file: string, projects: ReadonlySet<string>): string {
  let folder = folderOf(file)
  while (folder !== '' && !projects.has(folder)) folder = folderOf(folder)
  return folder
}

/** The endings of a family's tests. Other families compile the code: their command is of use without tests, too. */
const ENDINGS: Partial<Record<Family, RegExp>> = {
  node: /\.[cm]?[jt]sx?$/,
  deno: /\.[cm]?[jt]sx?$/,
  python: /\.py$/,
  go: /_test\.go$/,
  elixir: /_test\.exs$/,
  ruby: /\.rb$/,
  php: /\.php$/,
}
/** The tests of a solution are projects in folders of their own. */
const BELOW: Partial<Record<Family, RegExp>> = { dotnet: /\.(?:cs|fs|vb)$/ }

/** Whether a project in a folder has tests of this family. True for families whose tests have no known ending. */
export const hasTestsOf = (files: readonly TestFile[], folder: string, family: Family): boolean => {
  const below = BELOW[family]
  if (below !== undefined && folder !== '')
    return files.some(({ file }) => file.startsWith(`${folder}/`) && below.test(file))
  const ending = ENDINGS[family]
  return ending === undefined || files.some((one) => one.folder === folder && ending.test(one.file))
}
