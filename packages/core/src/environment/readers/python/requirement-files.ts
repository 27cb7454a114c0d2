import { forTests, isForTests } from './requirement.ts'

/** Usual names of files with requirements, for `pip install -r`. */
const BASE = ['requirements.txt', 'requirements.in', 'requirements/base.txt', 'requirements/main.txt'].concat([
  'requirements/requirements.txt',
  'requirements/common.txt',
  'requirements/prod.txt',
  'requirements/base.in',
])
/** Names that identify a folder without any other sign. */
export const inFolderOfTheirOwn: readonly string[] = BASE.filter((file) => file.includes('/'))

/** @param has whether the folder has a file */
export const baseFiles = (has: (file: string) => boolean): string[] => BASE.filter((file) => has(file)).slice(0, 1)

const OF_TESTS =
  /^(?:requirements\/|reqs\/)?(?:(?:requirements|reqs)[-_.])?([a-z][a-z_-]{1,20}?)(?:[-_.](?:requirements|reqs))?\.(?:txt|in)$/
const BESIDE_TESTS = /^(?:tests?|testing)\/requirements\.txt$/
const PLAIN = /^[\w./-]{1,150}$/

/** `base`: the needs of the project itself. `tests`: further needs of its tests or its developers. */
export type RequirementFiles = { base: readonly string[]; tests: readonly string[] }

/** @param files all paths of the folder */
export function requirementFiles(files: readonly string[]): RequirementFiles {
  const there = new Set(files.filter(isRequirementFile))
  // A file that was made from an `.in` has all of its content.
  const made = [...there].filter((file) => !file.endsWith('.in') || !there.has(file.replace(/in$/, 'txt')))
  const base = BASE.find((file) => made.includes(file))
  const byName = new Map<string, string[]>()
  for (const file of made.toSorted()) {
    const name = nameOf(file)
    if (name !== null && file !== base) byName.set(name, [...(byName.get(name) ?? []), file])
  }
  return {
    base: base === undefined ? [] : [base],
    tests: forTests([...byName.keys()]).flatMap((name) => byName.get(name) ?? []),
  }
}

export const isRequirementFile = (file: string): boolean =>
  PLAIN.test(file) && (BASE.includes(file) || nameOf(file) !== null)

/** The purpose of a file; null: it is not for tests. */
function nameOf(file: string): string | null {
  if (BESIDE_TESTS.test(file)) return 'test'
  const name = /req/.test(file) ? OF_TESTS.exec(file)?.[1] : undefined
  return name !== undefined && isForTests(name) ? name : null
}
