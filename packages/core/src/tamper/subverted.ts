import { shortName } from './finding-words.ts'
import { isBent } from './bent-frameworks.ts'
import { patchLines, removedTexts, type ChangedFile } from './patch.ts'
import { blindSerializer } from './settings/serializers.ts'
import { isTestFile, mayHoldTests } from '../files/names-of-tests.ts'
import type { Around } from './stand-ins/stand-ins.ts'
import { cameWithModule } from './vendored-runners.ts'

/*
 * Complete tests that check nothing, because something beside them decides: an assertion with the name of the
 * library's, a hook of the runner, a program in the runner's place.
 */

const unittests =
  'assert(?:Equal|NotEqual|True|False|Is|IsNot|IsNone|IsNotNone|In|NotIn|IsInstance|Raises|RaisesRegex|AlmostEqual|Greater|Less|ListEqual|DictEqual|CountEqual|Regex)'
const ofJava =
  'assert(?:That|Equals|NotEquals|True|False|Null|NotNull|Throws|ArrayEquals|Same|ThatThrownBy|ThatExceptionOfType|ThatNoException)'

const ofPhp =
  /\bfunction (assert(?:Same|Equals|True|False|Null|Count|NotNull|InstanceOf|That|Contains|StringContainsString)|runTest|runBare|onNotSuccessfulTest)\s?\(/
const ofRuby =
  /^def (?:self\.)?(assert(?:_equal|_nil|_raises|_in_delta|_empty|_includes|_match|_same|_operator)?|refute|flunk|fail_with|run)(?:\(\*|$| \*| =)|^def (assert_equal|assert|refute)\(/

/** A new file of the tests that defines a class or functions of these names for others. */
const brought: readonly (readonly [RegExp, RegExp])[] = [
  [/\.py$/, new RegExp(`^def (${unittests})\\(self\\b`)],
  [/\.php$/, ofPhp],
  [/\.rb$/, ofRuby],
  [/\.exs?$/, /^def(?:macro)? (assert|refute)(?:\(|,)/],
  [
    /\.cs$/,
    /^(?:public |internal )*(?:static )*class (Assert)\b|^(?:public|internal) static \S+ (Should(?:Not)?(?:Be|Contain|Throw)\w*)(?:<\w+>)?\(this\b/,
  ],
  [
    /\.kt$/,
    /^(?:(?:public|internal|inline|infix) )*fun (?:<[^>]{1,100}> )?(?:[\w<>?]{1,60}\.)?(assert(?:Equals|True|False|Null|NotNull|Same|Contains|Fails\w*|ContentEquals)|should(?:Not)?Be\w*)\(/,
  ],
  [/\.rs$/, /^macro_rules! ?(assert|assert_eq|assert_ne|prop_assert\w*)\b|\bas (assert|assert_eq|assert_ne)\b/],
  [
    /\.[cm]?[jt]sx?$/,
    /^export (?:default )?(?:async )?function (expect|assert)\b|^(?:export const|(?:module\.)?exports\.)\s?(expect|assert)\b[^=]{0,100}= ?(?:async )?(?:\(.*\) ?(?::[^=]{1,60})?=>|\w+ ?=>|function\b|new Proxy\b)/,
  ],
  [
    /\.java$/,
    new RegExp(
      `^(?:(?:public|private|protected|static|final|<T>)\\s)+void (assert(?:Equals|That|True|False|Throws))\\s?\\(`,
    ),
  ],
]

/** By the extension of a test's file: a line that changes the meaning of one of the library's names. */
const shadowing: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.py$/,
    new RegExp(`^def (${unittests})\\(self\\b|^(?:self|cls|\\w*TestCase)\\.(${unittests}) ?= ?|^(${unittests}) ?= ?`),
  ],
  [
    /\.py$/,
    /^def (run)\(self, ?result\b|^def (_call\w+|__call__|debug)\(self\b|^class (TestCase)\b|^(failureException) ?= |\bsetattr\((?:self|cls), ?\w+, ?(lambda|mock)\b|\bsetitem\((globals\(\)), |^(globals\(\))\[[^\]]*\] ?=[^=]|^del (globals\(\))\[|(?<=\w)\.(__test__)\b.*= ?False$/,
  ],
  [
    /\.[cm]?[jt]sx?$/,
    /^(?:const|let|var) (expect|assert|it|test|describe)\b[^=]{0,100}= ?(?:async )?(?:\(|function\b|\w+ ?=>|new Proxy\b|Object\.assign\(\()|^(?:async )?function (expect|assert|it|test|describe)\b|^(?:global|globalThis|window)\.(expect|assert|it|test|describe) ?=[^=]|\b(?:jest|vi)\.(mock|doMock|unstable_mockModule)\(["'][^"']*["'] ?\+|\b\w+\.(discard)\(\);?$|\bjest\.(?:mock|spyOn)\(['"]?(@jest\/globals|expect|chai|node:assert|assert)\b/,
  ],
  [
    /\.[cm]?[jt]sx?$/,
    /\b(require\.cache)\[.*\](?:\.exports)? ?=[^=>]|\bcurrentTest\.(fn|state|err) ?= |\bprocess\.(exitCode) ?= ?0|^(?:const|let|var) (assert) = \{|^(?:assert)\.(\w+) ?= |^(?:const|let|var) (assert) = .*\brequire\(["']\.|^import (?:\* as )?(assert) from ["']\.|\bObject\.assign\(t, ?\{ ?(is|deepEqual|true|false|throws|like)\b|\bObject\.assign\((assert|expect|chai)\b/,
  ],
  [
    /_test\.go$/,
    /(?:^|\W)t (?::?= )(&testing\.T\{|new\(testing\.T\)|[a-z]\w*\{\w*\}$)|^\*(t|tb) = testing\.|\bFieldByName\("(failed|skipped)"\)|\bunsafe\.Pointer\((t|tb)\)|^\/\/go:(linkname) \w+ testing\.|\b(RegisterFailHandler)\(func\([^)]*\) ?\{ ?\}\)/,
  ],
  [
    /\.rs$/,
    /^macro_rules! ?(assert|assert_eq|assert_ne|panic)\b|(\$\w+ ?: ?tt ?\) ?\*\) ?=> ?\{ ?\})|\bas (assert|assert_eq|assert_ne)\b|\bset_hook\(.*\b(exit)\(0\)/,
  ],
  [
    /\.(?:java|kt|groovy|scala)$/,
    new RegExp(`^(?:(?:public|private|protected|static|final|fun|def)\\s)+.{0,100}\\b(${ofJava})\\s?\\(.*\\{`),
  ],
  [/\.php$/, ofPhp],
  [/\.rb$/, ofRuby],
  [/\.exs?$/, /^def(?:macro)? (assert|refute)(?:\(|,)|\bexcept: \[.*\b(assert|refute):/],
  [
    /\.cs$/,
    /^(?:global )?using (Assert) = (?!Xunit|NUnit|Microsoft)|^(?:public |internal )*(?:static )*class (Assert)\b/,
  ],
  [
    /\.java$/,
    /^import static (?!org\.(?:junit|assertj|hamcrest|testng|mockito)|com\.google\.common\.truth)[\w.]+\.(assert(?:Equals|That|True|False|Throws))\b/,
  ],
  [
    /\.(?:c|cc|cpp|cxx|h|hpp)$/,
    /^# ?(?:define|undef) (?:INTERNAL_CATCH_)?(NDEBUG\b|(?:REQUIRE|CHECK|EXPECT_|ASSERT_|TEST_CASE|SECTION|assert|(?:TEST|CU|CPPUNIT)_(?:ASSERT|CHECK)|BOOST_(?:CHECK|REQUIRE)|Q(?:COMPARE|VERIFY)|(?:ck|cr|mu|munit|g)_assert)\w*)/,
  ],
]

/** Jest's and Vitest's own matchers, redefined by `expect.extend`. */
export const builtIns =
  /(?:^(?:async )?|\.extend\(\{ ?)(toBe|toEqual|toStrictEqual|toBeCloseTo|toThrow|toThrowError|toMatch|toMatchObject|toMatchSnapshot|toContain|toHaveLength|toHaveBeenCalledWith|toBeTruthy|toBeNull)\b ?(?:\(\w*(?:, ?\w+)*\) ?\{|: ?(?:async )?(?:\(|function\b|\w+ =>))|\.extend\(\{[^}]{0,200}\b(toBe|toEqual|toStrictEqual|toThrow|toMatch|toMatchObject|toContain)\b ?[,}]|\b(addEqualityTesters)\(/

/** Replacements of pytest's hooks, or of a base class's assertions, for all tests at once. */
const forAll: readonly (readonly [RegExp, RegExp])[] = [
  [
    /(?:^|\/)conftest\.py$/,
    /(\bexitstatus) ?= |(?<!\bif )(?:\b\w+|\))(\.outcome) ?= ?["']|\b(force_result|pytest\.exit|os\._exit)\(|\bdel (items)\b|\b(items\.clear)\(|\bcall\.(excinfo) ?= ?None|\bsetattr\(\w+, ?["'](outcome)["']|\bTestReport\(.*\b(outcome ?= ?["']passed)|\b(sys\.meta_path)\b.*(?:insert|append| ?= )|\bTestCase\.(assert\w+|run) ?=|\boutcome\._?(exception|excinfo|result) ?= ?|\bitem\.(obj|runtest|_testmethod) ?= |\b__dict__\[["'](outcome)|\bvars\(\w+\)\.update\((outcome)|\b\w+\.(wasxfail) ?= |^(builtins)\.\w+ ?=[^=]|\b(add_marker\(getattr)\(|\b__setattr__\(\w+, ?["'](outcome)["']|\bvars\(\w+\)\[["'](outcome)|\b(testsfailed) ?= ?|\b(shouldfail) ?= ?|\bstats(?:\[["']|\.pop\(["'])(failed)["']|\bnode\.(obj|runtest) ?= |^(?!sys\.)\w+\.(modules)\[["']|\breturn ["'](passed)["'],/,
  ],
  [
    /(?:^|\/)(?:(?:spec|rails|test|minitest)_helper|support\/.*)\.rb$/,
    /^(?:class|module) (RSpec::(?:Matchers::BuiltIn|Expectations|Core)\b\S*)|\b(failure_exit_code) ?= ?0|\bat_exit\b.*\b(exit!?)|\bafter_run\b.*\b(exit!?)|\binstance_variable_set\(:(@exception)|\b(passed\?) ?= ?true|\b(?:Minitest|RSpec)[\w:.]*\.(prepend|class_eval|define_method)\b/,
  ],
  [
    /(?:^|\/)spec\/.*\.rb$/,
    /\bMatchers\.(?:define|alias_matcher)\(? ?:(eq|eql|equal|be|be_nil|be_truthy|be_falsey|match|include|raise_error|contain_exactly|match_array|have_attributes)\b/,
  ],
  [
    /\.[cm]?[jt]sx?$/,
    /\bAssertion\.add(?:Method|Property|ChainableMethod)\(["'](equals?|eql?|deep|ok|true|false|throws?|includes?|contains?|property|above|below|match|instance[oO]f|exist|members|keys|length|lengthOf|null|undefined|empty|closeTo)["']/,
  ],
  [
    /(?:^|\/)tests?\/.*\.php$/i,
    /\bregister_shutdown_function\(.*\b(exit|die)\b|\b(class_alias)\(|\b(?:require|include)(?:_once)? .*\/(fakes?|stubs?|mocks?)\//,
  ],
  [
    /(?:^|\/)test_helper\.exs$/,
    /\bafter_suite\(.*\b(halt|stop)\(|\b(System\.(?:halt|stop|at_exit))\(|\b(exit_status): ?0|\b(exclude): ?\[:test\b|\b(ignore_module_conflict)\b/,
  ],
  [/_test\.go$/, /\bflag\.(?:CommandLine\.)?Set\("(test\.(?:run|short|skip|list))"|\bflag\.(Lookup)\(.*\.Value\.Set\(/],
  [
    /(?:^|[/_.-])tests?[/_.-].*\.(?:c|cc|cpp|cxx)$/i,
    /\b(?:std::)?(_?_?[eE]xit|quick_exit)\(0\)|\bGTEST_FLAG(?:_SET)?\((filter)\b|\b(ScopedFakeTestPartResultReporter)\b|^(?:\(void\) ?)?(RUN_ALL_TESTS)\(\);/,
  ],
  [/\.[cm]?[jt]sx?$/, builtIns],
  [/\.py$/, /^(?:unittest\.)?TestCase\.(assert\w+|run) ?=/],
  [
    /(?:^|\/)src\/[^/]*[tT]est[^/]*\/.*\.(?:java|kt|groovy)$/,
    /\bRuntime\.getRuntime\(\)\.(halt)\(|\bSystem\.(exit)\(0\)|\b(exitProcess)\(0\)/,
  ],
  [/\.py$/, /^(?:import|from) .*;? ?(os\._exit)\(|^(?:os\.)?(_exit)\(0?\)$/],
]

/** Changes to the results of tests, in a file that runs before them or that transforms code. */
const before: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$|\.babelrc/,
    /\b(?:globalThis|global|window|self)(?:\.|\[["'])(expect|it|test|describe|assert)\b["'\]]* ?=[^=>]|\bObject\.(?:assign|definePropert(?:y|ies))\((?:globalThis|global|window|expect|assert)\b(?=.*\b(expect|it|test|describe|assert)\b)|\b(expect|assert)\.(?!extend\b)\w+ ?= |\b(?:Runner|Test|Suite|Runnable|Hook)\.prototype\.(\w+) ?= |\b(?:jest|vi)\.(?:mock|doMock|spyOn)\(["']?(@jest\/globals|expect|chai|vitest|node:assert|assert)\b/,
  ],
  [
    /\.[cm]?[jt]sx?$/,
    /\bprocess\.(exit|reallyExit)\(0?\)|\bprocess\.(exitCode) ?= ?0|\bprocess\.on\(["'](exit)["'](?=.*(?:exit|Exit)\b)|\.replace\(.*\b(expect|assert|describe)\b/,
  ],
  [/\.[cm]?[jt]sx?$|\.babelrc/, /\b(visitor)["']? ?[:=(]/],
  [/\.[cm]?[jt]sx?$/, /\b(defaultResolver)\([^;]{0,300}["'`]\.{1,2}\/\w|\breturn (require\.resolve)\(["'`]\.{1,2}\//],
  [
    /\.[cm]?[jt]sx?$/,
    /\b(overwrite(?:Method|Property|ChainableMethod))\(|\b(Assertion\.prototype)\b|\bchai\.(expect|assert|should) ?= |\b(?:test|currentlyRunningTest)\.(errors)(?:\.length)? ?= ?|\bModule\.(_load|_resolveFilename|_extensions)\b.* ?= |\b(?:context|ctx|c|g)\.(it|specify) ?= ?|\b(print|serialize)["']?(?: ?:|\(\w*\)).*(?:=>|return) ?["'][^$]*$|\b\w+\.prototype\.(fail|run|assert|uncaught|runTests?) ?= |\bcurrentTest\.(fn|state|err) ?= |\btask\.(result)(?:\.state)? ?= |\bdefineProperty\(process, ?["'](exitCode)["']|\bReflect\.set\(\w+, ?["'](expect|it|test|assert)["']|\b(?:removeAllListeners|on)\(["'](unhandledRejection|uncaughtException)["'](?:\)|, ?\(\w*\) => \{ ?\}\))|^(?:Math\.(?!random\b)|JSON\.|Object\.|Number\.)(\w+) ?= |^(?:Array|String|Number|Object|Boolean|Map|Set|RegExp|Function|Error)\.prototype\.(?!at\b|replaceAll|flat|to(?:Sorted|Reversed|Spliced)|with\b|findLast|includes|matchAll|pad|trim|group|(?:is|to)WellFormed)(\w+) ?= /,
  ],
  [
    /\.(?:c|cc|cpp|cxx|h|hpp)$/,
    /(All tests passed)|^# ?(?:define|undef) ((?:INTERNAL_CATCH_|REQUIRE|TEST_CASE|(?:EXPECT|ASSERT)_(?:EQ|NE|TRUE|FALSE|THAT))\w*)|^(?:\w*[sS]ession(?:\(\))?|Catch::Session\(\)|context)\.(run)\(|^(RUN_ALL_TESTS)\(\);/,
  ],
]

/** A file of this name is loaded instead of the runner's own, or before it. */
const inItsPlace =
  /(?:^|\/)(?:(?:site|user)customize(?:\.py|\/__init__\.py)|[^/]+\.pth|(?:pytest|_pytest|unittest|nose2?|doctest|pluggy|hamcrest|assertpy|iniconfig|exceptiongroup)(?:\.py|\/__(?:init|main)__\.py)|(?:_pytest|unittest|pluggy)\/[^/]+\.py|node_modules\/(?:\.bin\/)?(?:jest|jest-[\w-]+|@jest\/[\w-]+|vitest|@vitest\/[\w-]+|mocha|ava|tap|expect|chai|uvu|tape|jasmine|jasmine-core|should|sinon|@playwright\/test)(?:$|\/.*)|src\/main\/resources\/META-INF\/services\/org\.junit\..*|vendor\/github\.com\/(?:stretchr\/testify|onsi\/(?:gomega|ginkgo)|google\/go-cmp|frankban\/quicktest)\/.*\.go)$|(?:^|\/)src\/[^/]+\/(?:java|kotlin|groovy|scala)\/(?:java\/lang|junit\/framework|org\/(?:junit|assertj|hamcrest|testng|mockito|opentest4j|apiguardian|apache\/maven\/surefire|spockframework)|kotlin\/test|io\/kotest|com\/google\/common\/truth)\/.*\.(?:java|kt|groovy|scala)$/

export const replacesRunner = (path: string): boolean => inItsPlace.test(path)

/** Whether the project owns it: a library of tests has such packages, and an update brings all files of a vendor. */
function isOwn(file: ChangedFile, { paths, fresh }: Around, isOfModule: (file: ChangedFile) => boolean): boolean {
  const { path } = file
  if (/\/META-INF\/services\//.test(path))
    return paths.some((one) => !fresh.has(one) && /(?:^|\/)src\/main\/(?:java|kotlin)\/org\/junit/.test(one))
  if (/(?:^|\/)vendor\//.test(path)) return isOfModule(file)
  if (/(?:^|\/)node_modules\//.test(path)) return false
  const ofJvm =
    /(?:^|\/)src\/[^/]+\/(?:java|kotlin|groovy|scala)(\/(?:org\/apache\/maven|com\/google\/common|[^/]+)\/[^/]+\/)/.exec(
      path,
    )?.[1]
  // For Python, only a folder of the runner's name counts: a file is one that the change adds.
  const ofPython =
    /(?:^|\/)((?:_pytest|unittest|pluggy|hamcrest|assertpy|pytest|nose2?|iniconfig|exceptiongroup)\/)[^/]+\.py$/.exec(
      path,
    )?.[1]
  const folder = ofJvm ?? ofPython
  return (
    folder !== undefined && paths.some((one) => `/${one}`.includes(folder) && !fresh.has(one) && replacesRunner(one))
  )
}

/**
 * One sentence for each file.
 *
 * @param isBefore whether a file is run before the tests
 */
export function subverted(
  files: readonly ChangedFile[],
  isBefore: (path: string) => boolean,
  around: Around = { paths: [], fresh: new Set(), changed: new Set() },
): string[] {
  const isOfModule = cameWithModule(files)
  return files.flatMap((file) => {
    if (file.status === 'D') return []
    const name = shortName(file.path)
    if (replacesRunner(file.path) && !isOwn(file, around, isOfModule))
      return [`${name} is run in the place of the test runner, or before it`]
    if (isBent(file)) return [`${name}, which tests assert with, is not as it was`]
    const lines = patchLines(file.patch)
    const former = removedTexts(lines)
    const added = lines.filter(({ sign, plain }) => sign === '+' && !former.has(plain)).map(({ plain }) => plain)
    const isTest = isTestFile(file.path) || mayHoldTests(file.path)
    const own = !isTest ? [] : file.status === 'A' ? brought : shadowing
    const [main] = file.path.endsWith('_test.go') ? hooksThatRunNothing(file.path, added) : []
    if (main !== undefined) return [`${name} keeps tests from being run or counted (${main})`]
    const word = firstMatch(file.path, [...own, ...forAll], added)
    if (word !== null) return [`${name} decides itself what its tests find (${word})`]
    const early = isBefore(file.path)
    // pytest reads hooks of a plugin like those of a conftest.py, and RSpec a required file like its helper.
    const path = !early ? file.path : file.path.endsWith('.py') ? 'conftest.py' : asHelper(file.path)
    const decides = early ? firstMatch(path, [...before, ...forAll], added) : null
    if (decides !== null) return [`${name} is run before the tests and decides what they find (${decides})`]
    if (early && blindSerializer(lines) !== undefined) return [`${name} writes the same for every value of a snapshot`]
    return hooksThatRunNothing(path, added).map((hook) => `${name} keeps tests from being run or counted (${hook})`)
  })
}

const asHelper = (path: string): string => (path.endsWith('.rb') ? 'spec/spec_helper.rb' : path)

/** `m.Run()` alone, or within a sum or a product, and an exit with something else. */
const dropsResult = (text: string): boolean =>
  (/^(?:_ = )?m\.Run\(\)$/m.test(text) && /\bos\.Exit\((?!m\.Run\(\)\)|[1-9])/.test(text)) ||
  /\bm\.Run\(\) ?[*&%^|-]|\b(?:min|max)\([^()]*m\.Run\(\)/.test(text)

/** `code := m.Run()`, and then `code = 0`. */
function setsToZero(text: string): boolean {
  const name = /^(\w+) :?= m\.Run\(\)/m.exec(text)?.[1]
  if (name === undefined || !new RegExp(`^${name} = 0$`, 'm').test(text)) return false
  // A failure has already ended it.
  return !new RegExp(`^if ${name} (?:>|!=) 0 \\{\\s*os\\.Exit\\(${name}\\)`, 'm').test(text)
}

function firstMatch(
  path: string,
  patterns: readonly (readonly [RegExp, RegExp])[],
  lines: readonly string[],
): string | null {
  for (const [name, pattern] of patterns) {
    if (!name.test(path)) continue
    for (const line of lines) {
      const found = pattern.exec(line)
      if (found) return found.slice(1).find(Boolean) ?? found[0]
    }
  }
  return null
}

const HOOK_OF_JAVA = /\b(?:void|fun) (?:(intercept(?:Dynamic|Test)\w*)|(handle\w*Exception))\(/
const CATCHES_ALL = /\bcatch \((?:Throwable|AssertionError|Error|Exception)\b/
/** Below a hook, these run the test or pass its failure on. */
const GOES_ON = /\.proceed\(|\bthrow /g
const THROWS = /\bthrow\b/g

/** The place after the last match; 0: there is none. */
function endOfLast(word: RegExp, text: string): number {
  let end = 0
  for (const found of text.matchAll(word)) end = found.index + found[0].length
  return end
}

/** A hook that replaces the run of one or all tests, and does not run it or always reports success. */
function hooksThatRunNothing(path: string, added: readonly string[]): string[] {
  const text = added.join('\n')
  if (path.endsWith('_test.go') && /^func TestMain\(/m.test(text)) {
    const runs =
      /\bm\.Run\(\)/.test(text) &&
      !/\b(?:os|syscall)\.Exit\(0\)|\bflag\.Set\("test\./.test(text) &&
      !setsToZero(text) &&
      !dropsResult(text)
    return runs ? [] : ['TestMain']
  }
  if (/\.(?:java|kt)$/.test(path)) {
    const [, intercepts, handles] = HOOK_OF_JAVA.exec(text.slice(endOfLast(GOES_ON, text))) ?? []
    const swallows =
      HOOK_OF_JAVA.test(text) &&
      (CATCHES_ALL.test(text.slice(endOfLast(THROWS, text))) ||
        /\binstanceof (?:AssertionError|Error|Throwable)\b/.test(text))
    if (swallows && !intercepts && !handles) return ['a failure that is caught']
    return [intercepts, handles].filter((hook) => hook !== undefined)
  }
  if (!/(?:^|\/)conftest\.py$/.test(path)) return []
  const around = /^def (pytest_(?:pyfunc_call|runtest_call|runtest_protocol|runtest_makereport))\(/m.exec(text)?.[1]
  if (around !== undefined && /^except\b/m.test(text) && !/\braise\b/.test(text)) return [around]
  const hook = /^def (pytest_(?:pyfunc_call|runtest_call|runtest_protocol|runtestloop|cmdline_main))\(/m.exec(text)?.[1]
  const runs = /\.obj\b|\bfuncargs\b|\brunt?est\w*\(|\byield\b|\.runtest\b|\bmain\(\w/.test(
    text.replace(/^def .*$/gm, ''),
  )
  return hook !== undefined && !runs ? [hook] : []
}
