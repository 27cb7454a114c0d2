/**
 * A requirement for PyPI: a name, extras, versions, a condition. A requirement with an address is left to the project's
 * own tool.
 */
const REQUIREMENT =
  /^[A-Za-z0-9][\w.-]{0,80}(?:\[[\w.,\s-]{1,100}\])?[\s()<>=!~,.*\w+-]{0,100}(?:;[\s()<>=!~,.*\w+'"-]{1,150})?$/
const NAME = /^[A-Za-z0-9][\w.-]{0,80}/

/** Null: it cannot be part of a command line. */
export function requirementOf(text: string): string | null {
  const plain = text.replace(/\s#[^]*$/, '').trim()
  const [, condition] = plain.split(';')
  const isCondition = condition === undefined || /[<>=]|\bin\b/.test(condition)
  return plain.length <= 300 && REQUIREMENT.test(plain) && isCondition ? plain : null
}

/** Names of packages, groups and extras ignore case and punctuation. */
export const sameName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

/** The name that a requirement begins with. */
export const nameIn = (requirement: string): string => sameName(NAME.exec(requirement.trim())?.[0] ?? '')

const WORD = /^[A-Za-z0-9][\w.-]{0,60}$/

/** The names of groups and extras that can be part of a command line. */
export const wordsOf = (names: readonly string[]): string[] => names.filter((name) => WORD.test(name))

/** Usual names for the requirements of tests, the plainest first. */
const TESTS = [
  'test',
  'tests',
  'testing',
  'unittest',
  'unit-test',
  'unit-tests',
  'pytest',
  'test-all',
  'all-tests',
  'tests-all',
]
const DEVELOPMENT = ['dev', 'develop', 'development', 'ci', 'devel', 'dev-requirements']

/** The groups, extras or files that tests need: those for tests, else those for developers. */
export function forTests(names: readonly string[]): string[] {
  const among = (known: readonly string[]) => names.filter((name) => known.includes(sameName(name)))
  const own = among(TESTS)
  return own.length > 0 ? own : among(DEVELOPMENT)
}

export const isForTests = (name: string): boolean => [...TESTS, ...DEVELOPMENT].includes(sameName(name))
