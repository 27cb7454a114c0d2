import { isTestFile } from '../../files/names-of-tests.ts'
import { patchLines, removedTexts, type ChangedFile } from '../patch.ts'

/*
 * Settings for the surroundings of a test run: variables, flags of a compiler or a virtual machine, files that a runner
 * loads by a comment. None of them names a test, and each can keep all of them from failing.
 */

const ENV = /(?:^|\/)\.env(?:rc|\.[\w-]+)?$|(?:^|\/)\.?mise\.toml$/
const WRAPPER = /(?:^|\/)gradle-wrapper\.properties$/
const MAKE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[^/]*\.mk)$/
const RECIPES =
  /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[^/]*\.(?:mk|sh)|[Jj]ustfile|Taskfile\.ya?ml|tox\.ini|package\.json)$/
const VM = /(?:^|\/)\.mvn\/(?:jvm|maven)\.config$/
const GRADLE = /\.gradle(?:\.kts)?$|(?:^|\/)gradle\.properties$/
const CMAKE = /(?:^|\/)(?:CMakeLists\.txt|[^/]*\.cmake)$/
const JEST = /(?:^|\/)(?:(?:vitest|vite|jest)\.(?:config|workspace)\.[\w.]+|package\.json)$/

/** Variables that load code first, choose tests, or replace a tool; a cache and a path of the system are none. */
const VARIABLES =
  /\b(PYTEST_PLUGINS|GTEST_FILTER|DOCTEST_TEST_CASE\w*) ?:?= ?["']?\S|\b(LD_PRELOAD) ?:?= ?["']?\.{1,2}\/|\b(RUBYOPT) ?:?=.*-r ?\.|\b(JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS) ?:?=.*(?:-javaagent:\.{0,2}\/?[\w.]|-Xbootclasspath|-D(?:skipTests|maven\.test))/
const OF_RUNNERS =
  /^(?:export )?(NODE_OPTIONS) ?=.*(?:require|import|loader)[ =]["']?\.{0,2}\/|^(?:export )?(PYTHONOPTIMIZE) ?= ?["']?[1-9]|^(?:export )?(PYTEST_ADDOPTS) ?=.*(?:-[kmp]\b|--ignore|--deselect|--co)|^(?:export )?(GOFLAGS) ?=.*-(?:run|skip|exec|short|overlay)|^(?:export )?(RUSTC(?:_WORKSPACE)?_WRAPPER) ?= ?["']?\.{0,2}\//

type Rule = readonly [RegExp, RegExp]
const rules: readonly Rule[] = [
  [ENV, OF_RUNNERS],
  [ENV, VARIABLES],
  [RECIPES, VARIABLES],
  [
    MAKE,
    /^(?:(?:override|export) )?(?:AM_)?(?:C|CPP|CXX|LD)FLAGS ?[:+?]?=.*(?:-D ?(NDEBUG|assert=|REQUIRE|CHECK)|-(include) ["']?\S*\b(?:tests?|fakes?|mocks?|stubs?)\/)|-Wl,(--wrap|--defsym)\b/,
  ],
  [VM, /(-javaagent:|-Xbootclasspath|--patch-module|-da\b|-disableassertions)/],
  [GRADLE, /\b(enableAssertions) ?= ?false|["'](-da|-disableassertions|-javaagent:(?![^"']*\$)|-Xbootclasspath)/],
  [WRAPPER, /^(distributionUrl) ?= ?(?!https?\\?:)/],
  [CMAKE, /\bENVIRONMENT\w* .*\b(GTEST_FILTER|DOCTEST_TEST_CASE\w*|LD_PRELOAD)=/],
  [JEST, /\b(automock)["']? ?: ?true|\b(snapshotResolver)["']? ?: ?["']|\b(resolveSnapshotPath)\b/],
]
/** A runner reads such a comment at the head of a file of tests. */
const DOCBLOCK = /@(?:jest|vitest)-environment (?:<rootDir>|\.{1,2})\/(\S+)/

/** A file of tests has one; each is compared with all new files. */
const MOST_ASKED = 20

/** Whether a file sets the surroundings of tests, and is read for nothing else. */
export const isEnvironment = (path: string): boolean => ENV.test(path) || WRAPPER.test(path)

/** A sentence for each file. @param fresh the paths that are new */
export function environments({ path, patch, status }: ChangedFile, name: string, fresh: ReadonlySet<string>): string[] {
  const own = rules.filter(([file]) => file.test(path)).map(([, pattern]) => pattern)
  const isTest = isTestFile(path) && status !== 'A'
  if (status === 'D' || (own.length === 0 && !isTest)) return []
  const lines = patchLines(patch)
  const former = removedTexts(lines)
  let asked = 0
  for (const { sign, plain } of lines) {
    if (sign !== '+' || former.has(plain) || (plain.startsWith('#') && !plain.startsWith('#!'))) continue
    const found = own.map((pattern) => pattern.exec(plain)).find((one) => one !== null)
    if (found) return [`${name} keeps tests from running, or from failing (${found.slice(1).find(Boolean)})`]
    const loaded = isTest && asked < MOST_ASKED ? DOCBLOCK.exec(plain)?.[1] : undefined
    if (loaded !== undefined) asked += 1
    if (loaded !== undefined && isFresh(loaded, fresh))
      return [`${name} is run in something new of its own (${loaded})`]
  }
  return []
}

const isFresh = (end: string, fresh: ReadonlySet<string>): boolean => {
  const bare = end.replace(/^(?:\.{1,2}\/)+/, '')
  return [...fresh].some(
    (path) => path === bare || path.endsWith(`/${bare}`) || path.replace(/\.[a-z]+$/, '').endsWith(bare),
  )
}
