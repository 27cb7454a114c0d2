/*
 * Options by which a command runs only some of its tests. A single letter has another meaning for each program: `-p` is
 * a package for cargo, and only parallel for tox.
 */

const long =
  /^(?:--collect-only|--co|-list|--list|--list-tests|--listTests|--dry-run|-run|--run|--grep|--filter|--testNamePattern|--testPathPattern|--test-name-pattern|--changed|--onlyChanged|--related|--shard|--lib|--tests-by|--no-run|--ignored|--exact|--skip|--doc|--bins?|--examples?|--benches|--package|--file|-pl|-LE|--gtest_filter|-fn|--fail-never|-D(?:test|it\.test|groups|excludedGroups|skip(?:Tests|ITs)|maven\.test\.[\w.]+))(?:[=\s]|$)/

/** The letters with which each program chooses, of those that choose for any. An unknown program may mean them all. */
const letters: Readonly<Record<string, string>> = {
  ava: '',
  bats: 'f',
  behave: 't',
  bun: 't',
  busted: 'ft',
  cargo: 'pE',
  ctest: 'REL',
  cucumber: 'pt',
  deno: '',
  dotnet: 'ft',
  eslint: '',
  ginkgo: '',
  go: '',
  gradle: 'p',
  gradlew: 'p',
  jest: 'fot',
  make: 'fot',
  meson: '',
  mocha: 'fg',
  mvn: 'f',
  mvnw: 'f',
  nox: 'fkpt',
  phpunit: '',
  playwright: 'g',
  pytest: 'kop',
  rspec: 'tE',
  tox: 'f',
  tsc: 'p',
  unittest: 'kp',
  vitest: 't',
}
const anyLetter = /^-([tkgopfREL])(?:[=\s]|$)/

/** Settings of pytest that say where tests are and which fail; plugins that find tests, and foreign ones. */
const settingOfPytest =
  /^["']?(?!(?:testpaths|python_\w+|addopts|norecursedirs|collect\w*|xfail_strict|\w*markers)\b)\w+ ?=/
const pluginOfPytest =
  /^["']?(?:no:(?!(?:python|unittest|doctest|main|runner|assertion|skipping|fixtures)\b)\w+|xdist|pytest_(?:asyncio|benchmark|cov|django|mock|randomly|sugar|timeout))["']?$/

/** The runner that a command starts, also behind `npx`, `python -m`, `bundle exec` and the like. */
const programOf = (words: readonly string[]): string | undefined =>
  words.map((word) => word.replace(/^.*\//, '')).find((word) => Object.hasOwn(letters, word))

/**
 * Whether a word of a command chooses tests.
 *
 * @param words all words of the command
 */
export function choosesTests(word: string, words: readonly string[]): boolean {
  if (long.test(word)) return true
  const letter = anyLetter.exec(word)?.[1]
  if (letter === undefined) return false
  const program = programOf(words)
  if (program === undefined) return true
  if (!letters[program]?.includes(letter)) return false
  const value = word.length > 2 ? word.slice(3) : (words[words.indexOf(word) + 1] ?? '')
  if (program !== 'pytest') return true
  return !(letter === 'o' && settingOfPytest.test(value)) && !(letter === 'p' && pluginOfPytest.test(value))
}
