/*
 * What a line of a test is, by its words alone. Lines come bounded, without indentation and with single spaces, which
 * keeps the patterns linear.
 */

/** Names by which test runners find their files. */
const runnerNames = [
  /[._-](?:test|tests|spec|specs|e2e|cy)\.[cm]?[jt]sx?$/i,
  /(?:^|\/)test\.[cm]?[jt]sx?$/i,
  /(?:^|\/)test_[^/]*\.py$/,
  /_tests?\.(?:py|go|rs|exs|rb|dart|c|cc|cpp|clj|php)$/,
  /_spec\.rb$/,
  /(?:^|\/)(?:Test[A-Z][^/]*|[^/]*(?:Tests?|IT|Spec|TestCase))\.(?:java|kt|kts|groovy|scala|cs|fs|swift|php|m|mm)$/,
  /(?:^|\/)tests\.(?:py|rs)$/,
]
const testFolder = /(?:^|\/)(?:tests?|__tests?__|specs?|e2e|integration[-_]tests?)\//i
const codeFile =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|java|kt|kts|groovy|scala|cs|fs|swift|php|exs?|dart|c|cc|cpp|cxx|h|hpp|m|mm|clj|lua|pl|t|sh|bats)$/i
/** Test data, which no runner starts. */
const dataFolder = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|__snapshots__|node_modules|vendor)\//i

/** A file that a runner finds by name, wherever it is. */
export const hasRunnerName = (path: string): boolean =>
  !dataFolder.test(path) && runnerNames.some((name) => name.test(path))

/** Whether a path is that of test code: by its name, or as code in a folder of tests. */
export const isTestFile = (path: string): boolean =>
  !dataFolder.test(path) && (hasRunnerName(path) || (testFolder.test(path) && codeFile.test(path)))

/** `// …`, `# …` (not Rust's `#[…]`), `* …`, `-- …`: what the runner does not see. */
export const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*(?:[\s/]|$)|#(?!\[|!\[)|--\s|<!--)/.test(line)

/** A line without its comment's marks. */
export const uncommented = (line: string): string => line.replace(/^\s*(?:\/\/+|\/\*+|\*|#+|--|<!--)\s?/, '')

/**
 * Without the text of strings, which does nothing; the quotes stay. By hand, since a pattern would back-track on
 * `'\'\'…`.
 */
function withoutStrings(line: string): string {
  let code = ''
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? ''
    if (quote === '') code += letter
    else if (letter === '\\') at++
    if (quote === letter) code += letter
    if (quote === letter) quote = ''
    else if (quote === '' && `"'\``.includes(letter)) quote = letter
  }
  return code
}

const imports =
  /^\s*(?:import\b|from\b|use\b|using\b|require\s+['"]|#include|(?:const|let|var)\s[^=]{0,200}=\s*(?:await\s+)?(?:require|import)\b)/

const assertions = [
  /(?:^|[^\w$])(?:expect|Expect|expectTypeOf|assertThat|verify)\s*[(<]/,
  /(?:^|[^\w$])expect\.(?:soft|poll|hasAssertions|assertions|unreachable)\s*\(/,
  /(?:^|[^\w$])(?:debug_)?[aA]ssert\w*!?\s*[(.[{]/,
  /^\s*assert\s+\S/,
  /[.\s](?:should|Should)\s*[(.]/,
  /(?:^|\W)require\.[A-Z]\w*\(/,
  /(?:^|\W)[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/,
  /(?:^|\W)t\.(?:is|not|ok|notOk|equal|notEqual|same|deepEqual|notDeepEqual|like|truthy|falsy|true|false|throws|notThrows|throwsAsync|regex|match|snapshot|assert)\(/,
  /(?:^|\W)pytest\.(?:raises|warns|fail)\b/,
  /(?:^|\W)self\.fail\(/,
  /(?:^|\W)(?:EXPECT|ASSERT|REQUIRE|CHECK)_?\w*\s*\(/,
  /^\s*#\[should_panic/,
]

/** Always true, so it checks nothing. */
const empty =
  /(?:(?:^|\W)expect\s*\(\s*(true|false|null|undefined|\d+|''|"")\s*\)\.\w+\(\s*\1?\s*\)|(?:^|\W)[aA]ssert\w*!?(?:\.\w+)?[( ] ?(?:true|True|1|1\s*==\s*1|true,\s*true|True,\s*True|1,\s*1)\s*\)?\s*;?\s*$)/

export const isAssertion = (line: string): boolean => {
  if (isComment(line) || imports.test(line) || empty.test(line)) return false
  const code = withoutStrings(line)
  return assertions.some((pattern) => pattern.test(code))
}

const declarations = [
  /(?:^|[^\w.$])(?:it|test|specify|Deno\.test)(?:\.[a-z]\w*)*\s*[(`]/,
  /^\s*(?:async\s+)?def\s+test/,
  /^\s*func\s+(?:Test|Fuzz|Example|test)\w*\s*\(/,
  /(?:^|\W)t\.Run\(/,
  /^\s*#\[(?:\w+::)*test\b/,
  /^\s*@(?:Test|ParameterizedTest|RepeatedTest|Property)\b/,
  /^\s*\[(?:Fact|Theory|Test|TestMethod|TestCase)\b/,
  /^\s*(?:it|test|scenario)\s+['"].{0,500}\bdo\b/,
  /^\s*(?:public\s+)?function\s+test\w*\s*\(/,
  /^\s*TEST(?:_F|_P|_CASE)?\s*\(/,
  /^\s*@test\s/,
]

/** The line with which a test begins. */
export const isDeclaration = (line: string): boolean =>
  !isComment(line) && declarations.some((pattern) => pattern.test(line))

const script = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i
const scriptMarkers: [RegExp, string][] = [
  [
    /(?:^|[^\w.$])(?:it|test|describe|suite|context|specify|t)(?:\.\w+)*\.(skip|only|todo|fixme|fails|failing|skipIf|runIf)\b/,
    '',
  ],
  [/(?:^|[^\w.$])((?:x|f)(?:it|describe|test|context|specify))\s*[(.`]/, ''],
  [/(?:^|[^\w.$])(?:it|test|describe)(?:\.\w+)*\.fail\s*\(/, 'fail'],
  [/^(?:await )?(?:it|test|describe|suite)\s*\(.*[{,]\s*(skip|todo|only)\s*:\s*(?!false\b|undefined\b)\S/, ''],
  [/(?:^|[^\w.$])(?:this|ctx|context)\.(skip)\s*\(/, ''],
]
const otherMarkers: [RegExp, string][] = [
  [/pytest\.mark\.(skip|skipif|xfail)\b/, ''],
  [/pytest\.(skip|xfail|importorskip)\s*\(/, ''],
  [/@(?:unittest\.)?(skip|skipIf|skipUnless|expectedFailure)\b/, ''],
  [/\.(skipTest)\s*\(|\braise\s+(?:unittest\.)?(SkipTest)\b/, 'skipTest'],
  [/(?:^|\W)[tb]\.(Skip|Skipf|SkipNow)\s*\(/, ''],
  [/^\s*#\[(ignore)\b/, ''],
  [/^\s*@(Disabled|Ignore)\b/, ''],
  [/^\s*\[(Ignore|Explicit)\b|\bSkip\s*=\s*"/, 'Skip'],
  [/\b(GTEST_SKIP)\s*\(|\bTEST(?:_F|_P)?\s*\([^)]{0,200}\b(DISABLED_)/, 'skip'],
  [/\b(markTestSkipped|markTestIncomplete)\s*\(/, ''],
  [/@tag\s+:(skip)\b/, ''],
  [/^\s*\/\/go:build\s+(ignore)\b/, ''],
  [/^\s*(?:x(?:it|describe|context)|skip|pending)\b\s*['"(]/, 'skip'],
]
const dead: [RegExp, string] = [
  /^\s*(?:if\s*\(\s*(?:false|0|!1)\s*\)|if\s+(?:False|0|false)\s*[:{]|#if\s+0\b|#\[cfg\(any\(\)\)\])/,
  'if (false)',
]

/** The word with which a line keeps a test from running (or all others: `only`), or null. */
export function skipMarker(path: string, line: string): string | null {
  if (isComment(line) && !/^\s*(?:\/\/go:build|#if\s)/.test(line)) return null
  const quoted = /^(?:await )?(?:it|test|describe)\s*\[\s*['"`](skip|only|todo|fails)['"`]\s*\]/.exec(line)
  if (quoted) return quoted[1] ?? 'skip'
  const code = withoutStrings(line)
  for (const [pattern, word] of [...(script.test(path) ? scriptMarkers : otherMarkers), dead]) {
    const found = pattern.exec(code)
    if (found) return found[1] ?? found[2] ?? word
  }
  return null
}
