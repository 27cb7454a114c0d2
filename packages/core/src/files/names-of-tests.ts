/*
 * Whether a file holds tests, by its path alone: the names by which runners find tests and those that projects give
 * them. The guard reads the patch of each such file, so a name too many costs a look, and one too few lets tests be
 * weakened unseen.
 */

const script = '\\.(?:[cm]?[jt]sx?|g[jt]s|coffee)$'

/** Names by which test runners find their files. */
const runnerNames = [
  new RegExp(`[._-](?:test|tests|spec|specs|e2e|cy)${script}`, 'i'),
  new RegExp(`(?:^|/)(?:test|tests|spec|specs)${script}`, 'i'),
  /(?:^|\/)test-[^/]*\.[cm]?[jt]s$/,
  /[._-](?:test|spec)-d\.[cm]?tsx?$/,
  /(?:^|\/)[Tt]ests?(?:[A-Z_\d][^/]*)?\.py$/,
  /(?:^|\/)[^/]*Tests?\.(?:py|hs|elm|rb|jl)$/,
  /_tests?\.(?:py|rs|exs?|rb|dart|c|cc|cpp|cxx|m|cljs?|cljc|php|lua|ml|erl|gleam|nim|zig|sh|bash|f90|jl|r|R)$/,
  // Go ignores names that begin with a dot or an underscore.
  /(?:^|\/)[^_./][^/]*_test\.go$/,
  /_spec\.(?:rb|lua|cr|sh)$/,
  /(?:_unit_?tests?|_gtests?|[.-][Tt]ests?)\.(?:c|cc|cpp|cxx|m|mm)$|(?:^|\/)tst_[^/]*\.(?:cc|cpp|cxx|qml)$/,
  /(?:^|\/)test[_-][^/]*\.(?:rb|rs|c|cc|cpp|cxx|m|ml|sh|bash|lua|f90|nim|jl|r|R|pl|php|hs)$/,
  /(?:^|\/)(?:Test[A-Z\d][^/]*|[^/]*(?:Tests?|IT|Specs?|TestCases?|Suite|Facts|Cest))\.(?:java|kt|kts|groovy|scala|cs|fs|vb|swift|php|m|mm|c|cc|cpp|cxx|hs)$/,
  /(?:^|\/)tests?\.(?:rs|zig|sh|bash|pl|rb|php|c|cc|cpp|jl|lua|nim)$/,
  /(?:^|\/)runtests\.jl$|_SUITE\.erl$|[.-][Tt]ests?\.(?:ps1|sh|bash)$|\.t\.sol$/,
  /\.(?:bats|feature|robot|phpt|hurl|t)$/,
]

/** `tests/`, `src/integrationTest/`, `Shop.Tests/`, `ShopTests/`, `ui-tests/`, Perl's `t/`; no app's `features/`. */
const testFolder =
  /(?:^|\/)(?:(?:[^/]*[._-])?(?:tests?|specs?|TESTS?|Tests?|Specs?)|__(?:tests?|specs?)__|[Uu]nit[Tt]ests?|e2e|x?t|test-d|cypress|features\/(?:[^/]+\/)*(?:steps|step_definitions)|integration[-_]?tests?|[^/]*[a-z](?:Tests?|Specs?))\//
const codeFile =
  /\.(?:[cm]?[jt]sx?|g[jt]s|coffee|vue|svelte|py|go|rs|rb|java|kt|kts|groovy|scala|cs|fs|vb|swift|php|exs?|erl|dart|c|cc|cpp|cxx|h|hpp|m|mm|cljs?|cljc|lua|pl|pm|hs|elm|ml|nim|zig|jl|r|cr|gleam|f90|sol|ps1|t|sh|bash|bats|feature|robot|phpt|hurl)$/i
/** Test data, which no runner starts. */
const dataFolder = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|__snapshots__|node_modules|vendor)\//i
/** A script among tests, such as `tests/smoke`, but no text beside it. */
const plainName = /(?:^|\/)(?!(?:README|LICEN[CS]E|CHANGELOG|NOTICE|AUTHORS|TODO)$)[A-Za-z\d][^/.]*$/

/** Whether a runner finds the file by name, wherever it is. */
export const hasRunnerName = (path: string): boolean =>
  !dataFolder.test(path) && runnerNames.some((name) => name.test(path))

/** Go builds such a file for one system or processor, which may be another one than the checks run on. */
const OF_OTHER_SYSTEM =
  /_(windows|darwin|plan9|js|android|ios|freebsd|netbsd|openbsd|dragonfly|illumos|solaris|aix|wasip1|zos|hurd|nacl|wasm|amd64p?\d*|arm(?:64)?(?:be)?|386|loong64|mips(?:64)?(?:le)?|ppc(?:64)?(?:le)?|riscv(?:64)?|s390x?|sparc(?:64)?)_test\.go$/

/** Whether Go builds a file for other systems than under its former name. */
export const isOfOtherSystem = (former: string, path: string): boolean => {
  const system = OF_OTHER_SYSTEM.exec(path)?.[1]
  return system !== undefined && system !== OF_OTHER_SYSTEM.exec(former)?.[1]
}

/**
 * Whether runners ignore the folder, as one below or beside Rust's `tests` or a source folder of Java without tests;
 * or, by Go's names, the file is for one system.
 */
export const isPassedOver = (path: string): boolean =>
  /(?:^|\/)tests\/(?:[^/]+\/)+(?!main\.rs$|mod\.rs$)[^/]+\.rs$/.test(path) ||
  /(?:^|\/)(?:test|benches|examples)\/[^/]+\.rs$/.test(path) ||
  /(?:^|\/)src\/(?![^/]*(?:[Tt]est|[Ss]pec|IT|\bit\b))[^/]+\/(?:java|kotlin|groovy|scala)\//.test(path) ||
  /(?:^|\/)(?:[._][^/]*(?<!__)|node_modules|venv|build|dist|attic)\//.test(path) ||
  OF_OTHER_SYSTEM.test(path)

/**
 * Whether a runner that finds the one name finds the other. JUnit's know no specs. Most distinguish upper and lower
 * case: one that finds `a.test.js` ignores `a.Test.js`.
 */
export const isFoundAs = (former: string, path: string): boolean =>
  hasRunnerName(path) &&
  (!isPassedOver(path) || isPassedOver(former)) &&
  (!/Test(?:s|Case)?\.java$/.test(former) || !/Specs?\.java$/.test(path)) &&
  runnerNames.some((name) => {
    const strict = new RegExp(name.source)
    return name.test(former) && (strict.test(path) || !strict.test(former))
  })

/** Runners that find several forms of names, which others do not. */
export type Finder = keyof typeof formsOf
const formsOf = {
  jest: /(?:^|\/)__tests__\/(?:[^/]+\/)*[^/]+\.[cm]?[jt]sx?$|(?:^|\/)(?:[^/]*\.)?(?:test|spec)\.[cm]?[jt]sx?$/,
  node: /(?:^|\/)(?:[^/]*[._-]test|test-[^/]*|test)\.[cm]?[jt]s$/,
  pytest: /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/,
}

/** Whether one of these runners finds both names, each in another form: `test_cart.py`, `cart_test.py`. */
export const isFoundBy = (finders: readonly Finder[], former: string, path: string): boolean =>
  !dataFolder.test(path) &&
  (!isPassedOver(path) || isPassedOver(former)) &&
  finders.some((finder) => formsOf[finder].test(former) && formsOf[finder].test(path))

/**
 * The runners that may be a project's, by its checks' commands and its files. Unittest and Vitest look for one form
 * only, and a project's own scripts may start any.
 */
export function findersOf(commands: readonly string[], paths: readonly string[]): Finder[] {
  const starts = commands.join('\n')
  const has = (name: RegExp): boolean => paths.some((path) => name.test(path))
  const isJest = /\b(?:jest|react-scripts)\b/.test(starts) || has(/(?:^|\/)jest\.config\.\w+$/)
  const isOther =
    /\b(?:vitest|mocha|ava|playwright|cypress|jasmine)\b|--test\b|\b(?:bun|deno) test\b/.test(starts) ||
    has(/(?:^|\/)(?:(?:vitest|vite|karma|ava|playwright)\.(?:config|conf|workspace)\.[cm]?[jt]s|\.mocharc[^/]*)$/)
  return [
    ...(isJest || !isOther ? ['jest' as const] : []),
    ...(/\bnode\b.* --test\b/.test(starts) ? ['node' as const] : []),
    ...(/\bunittest\b|\bmanage\.py test\b|\bnose/.test(starts) ? [] : ['pytest' as const]),
  ]
}

/** Whether a path is test code: by its name, or as code in a folder of tests. */
export const isTestFile = (path: string): boolean =>
  !dataFolder.test(path) &&
  (hasRunnerName(path) || (testFolder.test(path) && (codeFile.test(path) || plainName.test(path))))

export const isBelowTests = (path: string): boolean => testFolder.test(path)
export const isInTestFolder = (path: string): boolean => testFolder.test(path) || dataFolder.test(path)

/** Code, rather than settings or declarations of types. */
export const isCodeFile = (path: string): boolean =>
  codeFile.test(path) &&
  !dataFolder.test(path) &&
  !/\.d\.[cm]?ts$|\.config\.[cm]?[jt]s$|(?:^|\/)(?:setup|conftest)\.py$/.test(path)

/** Lines that begin tests in a file that also has code: only its patch shows whether it has any. */
export const inlineTests = /^(?:pub\s+)?mod\s+tests?\b|^#\[cfg\(test\)\]|^#\[(?:\w+::)*test\b|^test\s+"/
export const mayHoldTests = (path: string): boolean =>
  /\.(?:rs|zig)$/.test(path) && !isTestFile(path) && !dataFolder.test(path)

/** Files with a test's expected results, which a runner rewrites if they are missing: then it compares nothing. */
export const isSnapshot = (path: string): boolean =>
  /(?:\.snap|\.ambr|\.approved\.\w+|\.verified\.\w+|\.snap\.\w+|\.shot)$|(?:^|\/)__(?:file|image)?_?snapshots__\//.test(
    path,
  ) && !/(?:^|\/)(?:node_modules|vendor)\//.test(path)
