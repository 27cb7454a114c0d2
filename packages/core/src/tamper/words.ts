import { assertsNothing } from './strength/empty.ts'

/*
 * The purpose of a test's line, by its words alone. Lines are bounded, without indentation and with single spaces,
 * which keeps the patterns linear.
 */

/** `// …`, `# …` (not Rust's `#[…]`), `* …`, `-- …`: ignored by the runner. */
export const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*(?:[\s/]|$)|#(?!\[|!\[)|--\s|<!--)/.test(line)

/** A line without its comment's marks. */
export const uncommented = (line: string): string => line.replace(/^\s*(?:\/\/+|\/\*+|\*|#+|--|<!--)\s?/, '')

/**
 * Removes the text of strings, which does nothing; the quotes stay. By hand, since a pattern would back-track on
 * `'\'\'…`.
 */
export function withoutStrings(line: string): string {
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
  /(?:^|[^\w$])(?:expect|Expect|expectTypeOf|assertThat|verify(?:No\w*Interactions|ZeroInteractions)?|confirmVerified)\s*[(<]/,
  // Continues `expect(…)` or `expect { … }` from the lines above.
  /^\.(?:(?:not|resolves|rejects|soft)\.)*to[A-Z]\w*\(|^(?:\}|end)?\.(?:(?:not\.)?to|not_to|to_not)[ .(]|^expect \{.*\}\.(?:to|not_to|to_not)\b/,
  /(?:^|[^\w$])expect\.(?:soft|poll|hasAssertions|assertions|unreachable)\s*\(/,
  /(?:^|[^\w$])(?:debug_)?[aA]ssert\w*!?\s*[(.[{]/,
  /^\s*assert\s+\S/,
  /[.\s](?:should|Should)\s*[(.]|^Should\.[A-Z]/,
  // Kotest, Shouldly, specs of Minitest.
  /[.\s][sS]hould(?:Not)?(?:Be|Have|Contain|Throw|Match|Start|End|Equal|Satisfy|All)\w*(?:\s|[(<{]|$)/,
  /\.(?:must|wont)_\w+/,
  /(?:^|\W)require\.[A-Z]\w*\(/,
  /(?:^|\W)[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/,
  /(?:^|\W)t\.(?:is|not|ok|notOk|equal|notEqual|same|deepEqual|notDeepEqual|like|truthy|falsy|true|false|throws|notThrows|throwsAsync|regex|match|snapshot|assert)\(/,
  /(?:^|\W)pytest\.(?:raises|warns|fail)\b/,
  /(?:^|\W)self\.fail\(/,
  /\bexpectException\w*\(/,
  /^(?:n_?)?(?:fail(?:ures?|ed|s|_count)?|errors?)(?:\+\+| \+= 1);?$/,
  /(?:^|\W)(?!CHECK_NOFAIL\b)(?:EXPECT|ASSERT|REQUIRE|CHECK)_?\w*\s*\(/,
  // Boost.Test, Unity, acutest, CUnit, CppUnit, Qt, CppUTest, libcheck, Criterion, MUnit, GLib; proptest.
  /(?:^|\W)(?:BOOST_(?:TEST(?:_REQUIRE)?|(?:CHECK|REQUIRE|ERROR|FAIL)\w*)|(?:TEST|CU|CPPUNIT)_(?:ASSERT|CHECK|FAIL)\w*|QCOMPARE\w*|QVERIFY\w*|QFAIL|(?:LONGS|STRCMP|DOUBLES|BYTES|POINTERS|MEMCMP)_EQUAL\w*|(?:ck|cr|mu|munit|g|z)_assert\w*)\s*\(/,
  /(?:^|\W)prop_assert\w*!\s*\(/,
  /(?:^|\W)(?:is|qt)\.(?:Equal|NotEqual|True|NoErr|Check)\(/,
  /^\s*#\[should_panic/,
  // Shells and Bats, Perl, scenarios in words.
  /^(?:assert|refute)_\w+(?:\s|$)|^refute[ (]/,
  /^\[{1,2} .*(?:\s(?:==?|!=|=~|-(?:eq|ne|lt|le|gt|ge))\s|-[a-zA-Z]\s).*\]{1,2}/,
  /^(?:ok|is|isnt|like|unlike|is_deeply|cmp_ok|can_ok|isa_ok|throws_ok|lives_ok|dies_ok)\s*[( ]\s*[\w$@%&\\[{"'-]/,
  /^(?:Then|But) \S/,
]

/** Always true, so it checks nothing. */
const empty =
  /(?:(?:^|\W)expect\s*\(\s*(true|false|null|undefined|\d+|''|"")\s*\)\.\w+\(\s*\1?\s*\)|(?:^|\W)(?:[aA]ssert\w*!?(?:\.\w+)?|REQUIRE|CHECK|(?:EXPECT|ASSERT)_TRUE)[( ] ?(?:true|True|1|1\s*==\s*1|true,\s*true|True,\s*True|1,\s*1)\s*\)?\s*;?\s*$)/

/** Always true, too: a value is compared with itself or with anything, or `true` is an alternative. */
const alwaysTrue =
  /\bexpect\(\s*([\w.$]+)\s*\)\.(?:toBe|toEqual|toStrictEqual)\(\s*\1\s*\)|\.(?:toBe|toEqual|toStrictEqual)\(\s*expect\.anything\(\)\s*\)|^assert ([\w.]+) == \2$|\b[aA]ssert\w*!?(?:\.\w+)?\(\s*([\w.]+),\s*\3\s*\)|\|\|\s*true\b|\btrue \|\|\s|\bor True\b|\bTrue or\b|\(void\).*, ?true\)|\btoBeCloseTo\(.{1,200}, ?-\d|\bplaces ?= ?-\d|\.to\w+\(\/\^?(?:\\?[\w.]|\[[^\]]{1,50}\])\*\$?\/[a-z]*\)|\.getClass\(\),.*\.getClass\(\)|\b(?:abs|rel|delta|atol|rtol) ?= ?(?:1e\d{2}|\d{6}|(?:math|np|float)\W{1,3}inf)/

export const isAssertion = (line: string): boolean => {
  if (isComment(line) || imports.test(line) || empty.test(line)) return false
  const code = withoutStrings(line)
  if (!assertions.some((pattern) => pattern.test(code)) || isConstant(code) || alwaysTrue.test(code)) return false
  return !comparesWithItself(line) && !isTuple(code) && !assertsNothing(code)
}

/** Go has no assertions: a condition with a comparison is one. */
export const asks = (line: string): boolean => isAssertion(line) || /^if\b.*[!=]=/.test(line)

/** `assert (a == 1, "why")`, which is a non-empty tuple. */
function isTuple(code: string): boolean {
  const inner = /^assert \((.*)\)$/.exec(code)?.[1]
  if (inner === undefined) return false
  const parts = partsOf(inner)
  return parts !== null && parts.length > 1
}

/** `expect(sum(1, 2)).toBe(sum(1, 2))`, `assertEquals(sum(1, 2), sum(1, 2))`, `assert sum(1, 2) == sum(1, 2)`. */
function comparesWithItself(line: string): boolean {
  const [, got, wanted] =
    /^(?:await )?expect\((.{1,300})\)\.(?:toBe|toEqual|toStrictEqual)\((.{1,300})\);?$/.exec(line) ??
    /^assert (.{1,300}?) == ([^=].{0,300})$/.exec(line) ??
    /^expect\((.{1,300})\)\.to (?:eq|eql|be)\((.{1,300})\)$/.exec(line) ??
    /^(?:assert_equal|assert_same) ([^,]{1,300}), ([^,]{1,300})$/.exec(line) ??
    []
  if (got !== undefined) return got.trim() === wanted?.trim().replace(/^(?:pytest\.)?approx\((.*)\)$/, '$1')
  const both =
    /^(?:(?:self|t|Assert|Assertions|assert)\.|\$this->|(?:self|static)::)?(?:assert\w*!?|(?:strict|deep)?[eE]quals?|ASSERT_EQ|EXPECT_EQ)\((.{1,600})\);?$/.exec(
      line,
    )?.[1]
  const parts = both === undefined ? null : partsOf(both)
  return parts !== null && parts.length > 1 && parts[0]?.trim() === parts[1]?.trim()
}

/** The parts between top-level commas; null: the brackets do not match, or there are strings. */
function partsOf(text: string): string[] | null {
  const parts = ['']
  let depth = 0
  let quote = ''
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (`"'\``.includes(letter)) quote = letter
    else if ('([{'.includes(letter)) depth += 1
    else if (')]}'.includes(letter) && --depth < 0) return null
    if (letter === ',' && depth === 0 && quote === '') parts.push('')
    else parts[parts.length - 1] += letter
  }
  return depth === 0 && quote === '' ? parts : null
}

/** Whether no bracket is closed on another line. */
export const isClosed = (line: string): boolean => line.split('(').length === line.split(')').length

/** `expect(1 + 1).toBe(2)`: it names nothing that a change could break. */
const isConstant = (code: string): boolean =>
  /^\s*(?:expect|assert\w*!?|(?:self|t|Assert|Assertions)\.\w+)\s*[( ]/.test(code) &&
  isClosed(code) &&
  /\d|true|false/i.test(code) &&
  !/\b(?:got|result|actual|err)\b/.test(code) &&
  subjectsOf([code]).size === 0

const assertionWords =
  /^(?:expect\w*|assert\w*|verify\w*|should\w*|must_\w+|wont_\w+|(?:prop|test|ck|cr|cu|g|mu|munit)_assert\w*|boost_\w+|require|refute\w*|ok|is|be|to|not|have|equal\w*|same|true|false|null|none|nil|undefined|some|err|if|else|for|in|of|and|or|return|const|let|var|val|new|await|async|the|self|this|it|test|describe|def|do|end|fn|func|fun|function|void|public|throws|static|got|want|result|expected|actual|errorf?|fatalf?|fail\w*|raises|pytest|assertj|assertions|that|must|contain\w*|eq|ne|len|length|vec|string|int|float|double|bool\w*)$/i

/** "toBe", "isEmpty", but not "total" or "issue". */
const matcher = /^(?:to|is)[A-Z]\w*$/

/** The subjects of lines of tests: names that are not words of a test library or of the language. */
export function subjectsOf(lines: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const line of lines)
    for (const [name] of withoutStrings(line).matchAll(/(?<![\w$])(?![tb]\.)[A-Za-z_$][\w$]{0,99}/g))
      if (!assertionWords.test(name) && !matcher.test(name)) names.add(name)
  return names
}

const declarations = [
  /(?:^|[^\w.$])(?:it|test|specify|Deno\.test)(?:\.[a-z]\w*)*\s*[(`]/,
  /^\s*(?:async\s+)?def\s+test/,
  /^\s*func\s+(?:(?:Test|Fuzz|Example)(?![a-z])|test)\w*\s*\(/,
  /(?:^|\W)t\.Run\(/,
  /^\s*#\[(?:\w+::)*test\b/,
  /^\s*@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|Property)\b/,
  /^\s*\[(?:Fact|Theory|Test|TestMethod|TestCase)\b/,
  /^\s*(?:it|test|scenario|specify)\s+['"].{0,500}\bdo\b/,
  /^\s*def\s+test_\w+/,
  /^\s*#\[Test\b/,
  /^\s*it\s*\{/,
  /^\s*(?:public\s+)?function\s+test\w*\s*\(/,
  /^\s*TEST(?:_F|_P|_CASE)?\s*\(/,
  // Ginkgo, Boost.Test
  /^[PXF]?(?:It|Specify)\(/,
  /^BOOST_(?:AUTO|FIXTURE|DATA|PARAM)_TEST_CASE\w*\s*\(/,
  /^\s*@test\s/,
  /^subtest\s+['"\w]/,
  /^test\s+"/,
  /^(?:Scenario(?: Outline| Template)?|Example):/,
]

/** Playwright's marker within a test: `test.fail()`, `test.fixme(browserName === 'webkit')`. */
const calledWithin = /^(?:test|it)\.(?:fail|fixme|skip|slow)\((?!\s*["'`]|\w+, ?)(?!$)/

/** Whether the line begins a test. */
export const isDeclaration = (line: string): boolean =>
  !isComment(line) && !calledWithin.test(line) && declarations.some((pattern) => pattern.test(line))

const functionLine = /(?:\b(?:def|func?|fun|function|void|Task)\s+`?|\bfn\s+)([\w ]{1,200}?)`?\s*[(<]/

/** The name of the test that a declaration begins; '' if the next line has it (`@Test`, `#[test]`). */
export function titleOf(line: string): string {
  const scenario = /^(?:Scenario(?: Outline| Template)?|Example):\s*(.{1,200})$/.exec(line)?.[1]
  if (scenario !== undefined) return scenario
  const called = /^\s*(?:async )?(?:def|func|(?:public )?function)\s+(\w+)/.exec(line)?.[1]
  if (called !== undefined) return called
  const macro = /^\s*(?:TEST(?:_F|_P|_CASE)?|BOOST_\w+_TEST_CASE\w*)\s*\(\s*(\w+)\s*(?:,\s*(\w+))?/.exec(line)
  if (macro) return [macro[1], macro[2]].filter(Boolean).join(' ')
  if (/^\s*(?:@(?!test)|\[|#\[)/.test(line)) return functionLine.exec(line)?.[1] ?? ''
  return (
    /(["'`])(.{1,200}?)\1/.exec(line)?.[2] ??
    functionLine.exec(line)?.[1] ??
    /@test\s([^{]{1,300})\{/.exec(line)?.[1]?.trim() ??
    ''
  )
}

/** The function that a line begins, or null. */
export const functionOf = (line: string): string | null =>
  isComment(line)
    ? null
    : (functionLine.exec(line)?.[1] ??
      /^(?:export )?(?:const|let|var)\s+(\w+)\s*=.*(?:=>|\bfunction\b)/.exec(line)?.[1] ??
      /^(?:(?:public|private|internal|protected|static|async|final)\s+)*[\w<>[\]]+\s+(\w+)\s*\(/.exec(line)?.[1] ??
      null)

/** Rust's conditions that usually do not hold for tests. */
const nowhere =
  'any\\(\\)|not\\((?:test|unix|all\\(\\)|debug_assertions)\\)|feature ?= ?"|windows\\b|target_os ?= ?"|never\\b'
const script = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i
const scriptMarkers: [RegExp, string][] = [
  [
    /(?:^|[^\w.$])(?:it|test|describe|suite|context|specify|t)(?:\.\w+)*\.(skip|only|todo|fixme|fails|failing|skipIf|runIf)\b/,
    '',
  ],
  [/(?:^|[^\w.$])((?:x|f)(?:it|describe|test|context|specify))\s*[(.`]/, ''],
  [/(?:^|[^\w.$])(?:it|test|describe)(?:\.\w+)*\.fail\s*\(/, 'fail'],
  [
    /^(?:await )?(?:it|test|describe|suite)\s*\(.*[{,]\s*(skip|todo|only|fails|failing|expectFailure)\s*:\s*(?!false\b|undefined\b)\S/,
    '',
  ],
  [/(?:^|[^\w.$])(?:this|ctx|context)\.(skip)\s*\(/, ''],
]
const otherMarkers: [RegExp, string][] = [
  [/pytest\.mark\.(skip|skipif|xfail)\b/, ''],
  [/pytest\.(skip|xfail|importorskip)\s*\(/, ''],
  [/@(?:unittest\.)?(skip|skipIf|skipUnless|expectedFailure)\b/, ''],
  [/\.(skipTest)\s*\(|\braise\s+(?:unittest\.)?(SkipTest)\b/, 'skipTest'],
  [/(?:^|\W)[tb]\.(Skip|Skipf|SkipNow)\s*\(/, ''],
  [/^#!?\[(ignore)\b|^#!?\[cfg_attr\(.*\b(ignore)\b/, ''],
  [new RegExp(`^#!?\\[(cfg)\\((?:${nowhere})`), ''],
  [/^@(?:[\w.]+\.)?(Disabled(?:On|If|For)?\w*|Ignore|Enabled(?:On|If|For)\w+)\b/, ''],
  [/^\s*\[(Ignore|Explicit)\b|\bSkip\s*=\s*"/, 'Skip'],
  [/^(?:public |final )*(abstract) class \w*Tests?\b/, ''],
  [/\b(GTEST_SKIP)\s*\(|\bTEST(?:_F|_P)?\s*\([^)]{0,200}\b(DISABLED_)/, 'skip'],
  [/\b(markTestSkipped|markTestIncomplete)\s*\(/, ''],
  [/@tag\s+:(skip)\b/, ''],
  [/^\s*\/\/go:build\s+(ignore)\b|^\s*\/\/(go:build)\s+\S|^\/\/ ?(\+build)\s+\S/, ''],
  [/^\s*(?:x(?:it|describe|context)|skip|pending)\b\s*(?:['"(]|$)/, 'skip'],
  [
    /^(?:it|describe|context|specify|example|scenario|feature)\b.*,\s*(?::(skip|pending)\b|(skip|pending):\s*(?!false|nil))/,
    '',
  ],
  [/@Test\s*\([^)]{0,200}\b(enabled\s*=\s*false)/, ''],
  [/\b(assum(?:e(?:True|False|That)|ingThat)|Assume\.\w+)\s*\(/, ''],
  [/^(__test__)\s*=\s*False\b/, ''],
  [/^#\[(cfg)\(all\(test\b/, ''],
  // Ginkgo, doctest, Boost.Test
  [
    /^(?:var _ = )?([PXF](?:It|Specify|Describe|Context|When|Entry|DescribeTable))\(|^(Skip)\((?:"|\))|^(?:It|Specify|Describe|Context)\(.*, ?(Pending|Focus)\b/,
    '',
  ],
  [/\* ?(?:doctest::)?(skip|may_fail|should_fail|expected_failures)\s*\(/, ''],
  [
    /\* ?(?:\w+::)*(disabled|expected_failures)\s*\(|\* ?(?:\w+::)*(enable_if<false>)|\b(BOOST_AUTO_TEST_CASE_EXPECTED_FAILURES)\b/,
    '',
  ],
  [/\b(skip_all)\b|^(SKIP|TODO):\s*\{/, 'skip'],
]
/** Not for headers, which may be a library's. */
const compiled: [RegExp, string] = [
  /^# ?(?:ifdef|if) (?!.*(?:_WIN32|_MSC_VER|__\w+|NDEBUG))(?:defined ?\(?)?([A-Z]\w{2,})\)?$/,
  '',
]
const tags: [RegExp, string][] = [[/^@(skip|ignore|wip|pending|todo|disabled|manual)\b/i, '']]
const dead: [RegExp, string][] = [
  [/^\s*(?:if\s*\(\s*(?:false|0|!1)\s*\)|if\s+(?:False|0|false)\s*[:{]|#if\s+0\b)/, 'if (false)'],
  [new RegExp(`^if (cfg!)\\((?:${nowhere})`), ''],
]

/** The word in a line that keeps a test (or, with `only`, all others) from running, or null. */
export function skipMarker(path: string, line: string): string | null {
  if (isComment(line) && !/^\s*(?:\/\/go:build|\/\/ ?\+build|# ?if(?:def)?\s)/.test(line)) return null
  const quoted = /^(?:await )?(?:it|test|describe)\s*\[\s*['"`](skip|only|todo|fails)['"`]\s*\]/.exec(line)
  if (quoted) return quoted[1] ?? 'skip'
  const tag = /^(?:\w+_)?(?:TEST_CASE|SCENARIO)\w*\s*\(.*"[^"]*\[(\.|!mayfail|!shouldfail|!hide)[^"]*"/.exec(line)
  if (tag) return `[${tag[1]}]`
  const code = withoutStrings(line)
  const markers = script.test(path) ? scriptMarkers : path.endsWith('.feature') ? tags : otherMarkers
  const own = /\.(?:c|cc|cpp|cxx|m|mm)$/.test(path) ? [compiled] : []
  for (const [pattern, word] of [...markers, ...own, ...dead]) {
    const found = pattern.exec(code)
    if (found) return found.slice(1).find(Boolean) ?? word
  }
  return null
}

/** Whether a declaration begins a test that does not run: `it.skip(…)`. */
export const isDisabling = (line: string): boolean =>
  isDeclaration(line) && (skipMarker('a.test.ts', line) ?? skipMarker('a_test.go', line)) !== null
