import { asksWhetherTested, twinOfTests } from './asks-for-tests.ts'
import { asksWhoCalls, LOOKING } from './asks-who-calls.ts'
import { quotedLine, shortName } from './finding-words.ts'
import { OF_TOOLS } from './knows-its-tests.ts'
import { isCodeFile, isTestFile } from '../files/names-of-tests.ts'
import { patchLines, removedTexts, type ChangedFile, type PatchLine } from './patch.ts'
import { SCRIPT } from './project-modules.ts'
import { blindEquality } from './strength/equalities.ts'
import { builtIns } from './subverted.ts'

/*
 * Code outside of tests that affects the assertions of the tests: it changes their meaning, or is equal to anything
 * that it is compared with.
 */

/** Found in lines of such code, as a POSIX extended regular expression: all code has too many patches to read. */
export const REACHING =
  '(TestCase|builtins)\\.[A-Za-z_]+ *=|setattr\\( *(builtins|unittest|pytest|_pytest|pluggy)|_pytest[.A-Za-z_]* *=|def __(eq|ne)__|def (==|eql\\?)|asymmetricMatch|boolean equals|fun equals|[Bb]ool Equals|bool +operator *[=!]=|fn eq\\(|(globalThis|global|window|Object)(\\.|\\[.)(expect|assert|describe|it|test|is)|(Runner|Test|Suite|Runnable)\\.prototype|Matchers|PYTEST_CURRENT_TEST|atexit|(VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT|PYTEST_VERSION)|.pytest. (not )?in sys|testing\\.Testing\\(|cfg!\\(test\\)|defined\\?\\((RSpec|Minitest)|PHPUnit|org\\.junit|surefire|getStackTrace|inspect\\.stack|Mix\\.env|jest-matchers|at_exit|ModuleInitializer|os\\.Args\\[0\\]|failureException|bool Is\\(|Is\\(error\\) bool|Equal\\(.*bool \\{' +
  // The output of a runner, names of its parts, and exits of a program with linked tests.
  '|--- (PASS|FAIL): |=== RUN|test result: ok|\\[ +(OK|PASSED) +\\]|[0-9}] passed(,| in )|[0-9}] passing|All tests passed|Failures: 0|TAP version 1|(#|ℹ) pass [0-9]|examples, 0 fail|\\[100%\\]' +
  '|\\.pytest_[a-z_]+ *=|_hookimpls|linecache|JEST_STATE|reallyExit|import\\.meta\\.env\\??\\.MODE|Object\\.assign\\((global|globalThis|window)' +
  '|test\\.(run|skip|list|short|count|failfast)|env::var(_os)?\\(.(CARGO|NEXTEST)|(_?_?exit|_Exit|quick_exit) ?\\((0|EXIT_SUCCESS)\\)|SIGABRT|__assert_fail|(define|undef) +(assert|NDEBUG)|GTEST_|fork\\(\\) *> *0' +
  '|go:linkname|[sS]td(out|err)(\\.write|__)? *=|console\\.(log|info|error) *=|gnoreFailures|_exit ?\\(|SYS_exit|syscall\\(|asm.*syscall|bin/true|MESON_TEST|sigaction|define main|flag\\.Lookup|init_array|fini_array|cfg\\(not\\(test\\)\\)|[^A-Za-z_](other|that|rhs)\\.[a-z0-9_]|instanceof [A-Z][A-Za-z]* [a-z]+ &&' +
  // Assertions and macros of the runner by name, code that knows the calling test, and other forms of comparisons.
  '|doctest: *[+]SKIP|(^|[^A-Za-z_.])expect\\(|\\.assert[A-Z][A-Za-z]* *=|def assert[A-Z][a-zA-Z]*\\(self|expect\\.(extend|getState|setState)|macro_rules! *(assert|panic)|(define|undef) +(REQUIRE|CHECK|EXPECT_|ASSERT_|TEST|SECTION|CATCH_|DOCTEST_|TWOBLUECUBES)|os\\.Args *=|getsource|f_back|__(eq|ne)__ *=|[a-z] != (null|None)' +
  `|${LOOKING}|(_test|\\.test|\\.spec|[/'"]test_[a-z0-9_]+|Tests?)\\.([cm]?[jt]sx?|py|go|rs|java|kt|cc|cpp)['"\`]`

/** By the extension of a file: a line that changes the meaning of functions that tests call. */
const others: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.pyx?$/,
    /^(?:\w+\.)*TestCase\.\w+ ?=[^=]|^builtins\.\w+ ?=[^=]|\bsetattr\( ?(?:builtins|unittest|pytest|_pytest|pluggy)\b|^(?:_pytest|pluggy)(?:\.\w+){1,5} ?=[^=]|\batexit\.register\(.*\b_exit\b|(?<!self)\.pytest_\w+ ?=[^=]|\._hookimpls\b|\blinecache\.getlines?\(.*\bf_|^(?!self\b)\w+(?:\.\w+)*\.assert[A-Z]\w* ?=[^=]|\bsetattr\([\w.]+, ?["']assert[A-Z]|^def assert(?:Equal|NotEqual|True|False|Is|In|IsNone|Raises)\(self\b|\bgetsource(?:lines)?\(.*(?:frame|f_back|f_code|stack)/,
  ],
  [
    /\.[cm]?[jt]sx?$/,
    /\b(?:globalThis|global|window)(?:\.|\[["'])(?:expect|assert|describe|it|test)\b["'\]]* ?=[^=>]|\b(?:Runner|Test|Suite|Runnable|Hook)\.prototype\.\w+ ?= |\bObject\.is ?= |\basymmetricMatch ?(?:\(\w*\) ?\{ ?return true|[=:] ?\(?\w*\)? ?=> ?true)|\bObject\.assign\((?:global|globalThis|window), ?\{.*\b(?:expect|assert|describe|it|test)\b|\bJEST_STATE|\bprocess\.reallyExit\(|\bexpect\.(?:getState|setState)\(/,
  ],
  [
    /\.rs$/,
    /^#\[link_section = "\.(?:init|fini)_array"|^macro_rules! ?(?:assert|assert_eq|assert_ne|panic)\b|^pub use .*\bas (?:assert|assert_eq|assert_ne)\b/,
  ],
  [
    /(?:^|\/)(?:buildSrc|build-logic)\/.*\.(?:java|kt|groovy)$/,
    /\b(?:setIgnoreFailures\(true\)|ignoreFailures(?:\.set\(true\)| ?= ?true))/,
  ],
  [
    /\.go$/,
    /^\/\/go:linkname \w+ testing\.|["']-?test\.(?:run|skip|list|short|count|failfast)\b|\bflag\.Lookup\(.*\.Value\.Set\(/,
  ],
  [
    /\.(?:c|cc|cpp|cxx|h|hpp|hh)$/,
    /^# ?(?:define|undef) (?:assert\b|NDEBUG\b|main\b(?! __weak)|(?:REQUIRE(?:_\w+)?|CHECK_(?:FALSE|THROWS\w*|NOTHROW|THAT)|(?:EXPECT|ASSERT)_(?:EQ|NE|TRUE|FALSE|THAT|STREQ|THROW|NEAR)|TEST_CASE\w*|SECTION|SCENARIO|INTERNAL_CATCH_\w+|CATCH_CONFIG_\w+|TWOBLUECUBES_\w+|DOCTEST_(?:CONFIG_DISABLE|\w*INCLUDED))\b)|\bsigaction ?\( ?(?:6|SIGABRT)\b|\bsignal ?\( ?SIGABRT\b|\b__assert_fail ?\(|["'](?:GTEST|CTEST|DOCTEST|BOOST_TEST)_\w+["']|\bfork\(\) ?> ?0\b.*_?exit/,
  ],
]

/** A runner's output about passing tests: code with such a text pretends that they ran. */
const SAID =
  /--- (?:PASS|FAIL): |=== RUN +\w|test result: ok|\[ +(?:OK|PASSED) +\]|(?:\d|\}) passed(?:, | in )|\d passing \(|All tests passed \(|Tests run: .*Failures: 0|TAP version 1\d|\bexamples?, 0 failures|\.{3,}\s+\[100%\]/
/** A line in a text of several lines. */
const LINE_OF_RUNNER =
  /^=+ .*\b\d+ passed in [\d.]+s|^test result: ok\. \d|^--- PASS: Test|^\[ +PASSED +\] \d|^\d+ passing \(|^Tests: +\d+ passed|^(?:#|ℹ) pass \d+$/

const isPrinted = (plain: string): boolean => LINE_OF_RUNNER.test(plain) || (/["'`]/.test(plain) && SAID.test(plain))

/**
 * A program that exits well by itself, in a language whose tests may be just a program: CTest, Meson and Automake know
 * only its exit. Files of the project's own programs are excepted.
 */
const ENDS =
  /\b(?:_?_?exit|_Exit|quick_exit) ?\( ?(?:0|EXIT_SUCCESS|!\d) ?\) ?;|\b(?:_exit|_Exit|quick_exit) ?\((?! ?(?:[1-9]|EXIT_FAILURE))|\bSYS_exit|\b(?:__)?asm(?:__)?\b.*\bsyscall\b|\bsyscall ?\( ?(?:60|231)\b|\bexec[lv]p?e? ?\(.*bin\/true/
const OF_PROGRAMS =
  /(?:^|\/)[^/]*(?:main|cli|cmd|command|usage|opt|arg|help|daemon|server|shell|app|signal|process|fork|child|spawn|exec)[^/]*$|(?:^|\/)(?:bin|cmd|tools?|apps?|examples?|samples?|demos?|bench\w*|scripts?|fuzz\w*|programs?|utils?|contrib)\//i

/** The first line of a comparison, by the extension of a file, and an answer that is always the same. */
const EQUALS =
  /^(?:async )?def __eq__\(|^def (?:==|eql\?)[ (]|\bboolean equals\s?\(|\bfun equals\s?\(|\b[Bb]ool Equals\s?\(|\bbool operator ?==|\bfn eq\(|\basymmetricMatch\s?\(|^func \(.*\) (?:Equal|Is)\(.*\) bool \{/
const TRUE = /^(?:return )?(?:true|True|1);?(?: \}?;?)?$|[{=>] ?(?:return )?true;? ?\}?;?$|\): return True$/
/** The lines between the two: a comment, a brace, a description. */
const NOTHING = /^(?:[{(]|#.*|\/\/.*|\/?\*.*|"""[^]*|'''.*|@\w+)?$/

type IsNew = (line: PatchLine) => boolean

const COMMENT = /^(?:\/\/|#|\*|\/\*)/

function endsByItself(
  path: string,
  lines: readonly PatchLine[],
  isNew: (line: PatchLine) => boolean,
): PatchLine | undefined {
  if (!/\.(?:c|cc|cpp|cxx|h|hpp|hh)$/.test(path) || OF_PROGRAMS.test(path)) return undefined
  if (lines.some(({ plain }) => /\bmain ?\(/.test(plain))) return undefined
  return lines.find((line) => isNew(line) && !COMMENT.test(line.plain) && ENDS.test(line.plain))
}

const TAKES_OUTPUT =
  /\bprocess\.std(?:out|err)\.write ?= |\bsys\.(?:__)?std(?:out|err)(?:__)? ?= |\bconsole\.(?:log|info|error) ?= |^\$std(?:out|err) ?= |\bos\.Std(?:out|err) ?= /
const OTHER_WORDS = /\b(?:replace|replaceAll|sub|gsub|ReplaceAll)\(.*(?:fail|✕|✗|✖|not ok|passed)/i

/** Code that has the output go through its own hands, and changes what it says about failures. */
const changesOutput = (lines: readonly PatchLine[], isNew: IsNew): PatchLine | undefined =>
  lines.some((line) => isNew(line) && OTHER_WORDS.test(line.plain))
    ? lines.find((line) => isNew(line) && TAKES_OUTPUT.test(line.plain))
    : undefined

/** JUnit's way to intercept a failure before it counts. */
const HEARS = /\bimplements\b.*\b(?:TestExecutionExceptionHandler|InvocationInterceptor)\b/

/** An extension of JUnit that neither proceeds nor throws. */
const swallows = (path: string, lines: readonly PatchLine[], isNew: IsNew): PatchLine | undefined =>
  /\.(?:java|kt)$/.test(path) && !lines.some(({ plain }) => /\bthrow\b|\.proceed\(/.test(plain))
    ? lines.find((line) => isNew(line) && HEARS.test(line.plain))
    : undefined

/** `expect.extend({ toBe: …` */
function givesMatchers(path: string, lines: readonly PatchLine[], isNew: IsNew): PatchLine | undefined {
  if (!SCRIPT.test(path) || !lines.some(({ plain }) => plain.includes('expect.extend('))) return undefined
  return lines.find((line) => isNew(line) && builtIns.test(line.plain))
}

/** Go's runner reads its choice of tests from there when it starts, after the code's own `init`. */
const givesArguments = (path: string, lines: readonly PatchLine[], isNew: IsNew): PatchLine | undefined =>
  path.endsWith('.go') && !OF_PROGRAMS.test(path) && !lines.some(({ plain }) => plain === 'package main')
    ? lines.find((line) => isNew(line) && /^os\.Args ?= /.test(line.plain))
    : undefined

/** One sentence for each file. Only new lines count. */
export function reachingCode(files: readonly ChangedFile[]): string[] {
  return files.flatMap((file) => {
    const { path, status, patch } = file
    if (status === 'D' || isTestFile(path) || !isCodeFile(path)) return []
    const all = patchLines(patch)
    const lines = all.filter(({ sign }) => sign !== '-')
    const former = removedTexts(all)
    const isNew = ({ sign, plain }: { sign: string; plain: string }) => sign === '+' && !former.has(plain)
    const own = others.filter(([name]) => name.test(path)).map(([, pattern]) => pattern)
    const reaching =
      lines.find((line) => isNew(line) && own.some((pattern) => pattern.test(line.plain))) ??
      givesArguments(path, lines, isNew) ??
      swallows(path, lines, isNew) ??
      changesOutput(lines, isNew) ??
      givesMatchers(path, lines, isNew)
    if (reaching !== undefined)
      return [`${shortName(path)} changes what tests are judged with (${quotedLine(reaching.plain)})`]
    const asking =
      asksWhetherTested(path, lines, isNew) ?? (OF_TOOLS.test(path) ? undefined : asksWhoCalls(path, lines, isNew))
    if (asking !== undefined)
      return [
        `${shortName(path)} asks whether it is tested, and may do something else then (${quotedLine(asking.plain)})`,
      ]
    const printed = lines.find(
      (line) => isNew(line) && (!COMMENT.test(line.plain) || SCRIPT.test(path)) && isPrinted(line.plain),
    )
    if (printed !== undefined)
      return [`${shortName(path)} prints what a runner of tests would print (${quotedLine(printed.plain)})`]
    const ends = endsByItself(path, lines, isNew)
    if (ends !== undefined)
      return [`${shortName(path)} ends the program of its tests, and well (${quotedLine(ends.plain)})`]
    const equal = lines.find(({ plain }, at) => {
      if (!EQUALS.test(plain)) return false
      const below = lines.slice(at + 1, at + 7)
      const answer = TRUE.test(plain) ? lines[at] : below.find((line) => !NOTHING.test(line.plain))
      return answer !== undefined && TRUE.test(answer.plain) && isNew(answer)
    })
    const blind = equal ?? blindEquality(all, isNew)
    if (blind !== undefined)
      return [`${shortName(path)} is equal to whatever it is compared with (${quotedLine(blind.plain)})`]
    const twin = path.endsWith('.rs') ? twinOfTests(lines, isNew) : undefined
    return twin === undefined
      ? []
      : [`${shortName(path)} is other code in its tests than without them (${quotedLine(twin.plain)})`]
  })
}
