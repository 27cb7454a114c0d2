/**
 * A requirement as PyPI's projects write it: a name, extras, versions, a condition. Nothing with an address: what is
 * elsewhere is for the tool that the project uses.
 */
const REQUIREMENT =
  /^[A-Za-z0-9][\w.-]{0,80}(?:\[[\w.,\s-]{1,100}\])?[\s()<>=!~,.*\w+-]{0,100}(?:;[\s()<>=!~,.*\w+'"-]{1,150})?$/
const NAME = /^[A-Za-z0-9][\w.-]{0,80}/

/** Null: it is none that can be written into a command line. */
export function requirementOf(text: string): string | null {
  const plain = text.replace(/\s#[^]*$/, '').trim()
  const [, condition] = plain.split(';')
  const isCondition = condition === undefined || /[<>=]|\bin\b/.test(condition)
  return plain.length <= 300 && REQUIREMENT.test(plain) && isCondition ? plain : null
}

/** Names of packages, groups and extras are the same in other letters. */
export const sameName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

/** The name that a requirement begins with. */
export const nameIn = (requirement: string): string => sameName(NAME.exec(requirement.trim())?.[0] ?? '')

const WORD = /^[A-Za-z0-9][\w.-]{0,60}$/

/** Names of groups and extras that can be written into a command line. */
export const wordsOf = (names: readonly string[]): string[] => names.filter((name) => WORD.test(name))

/** What people call the tests' own requirements, the plainest first. */
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

/** Which of these groups, extras or files tests need: those for tests, else those for whoever develops the project. */
export function forTests(names: readonly string[]): string[] {
  const among = (known: readonly string[]) => names.filter((name) => known.includes(sameName(name)))
  const own = among(TESTS)
  return own.length > 0 ? own : among(DEVELOPMENT)
}

export const isForTests = (name: string): boolean => [...TESTS, ...DEVELOPMENT].includes(sameName(name))
