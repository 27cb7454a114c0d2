import { describe, expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'
import { findTampering } from './tamper.ts'

const body = ' def test_adds(self):\n     self.assertEqual(add(1, 1), 2)'

describe('tests that something beside them decides', () => {
  test.each([
    ['a_test.py', `+    def assertEqual(self, *args):\n+        pass\n${body}`, 'assertEqual'],
    ['a_test.py', `+unittest.TestCase.assertEqual = lambda *a: None\n${body}`, 'assertEqual'],
    ['a_test.py', `+    def run(self, result=None):\n+        return result\n${body}`, 'run'],
    ['a.test.js', "+const expect = () => new Proxy({}, {})\n it('adds', () => {", 'expect'],
    ['a.test.js', "+function test() {}\n it('adds', () => {", 'test'],
    ['a.test.ts', "+globalThis.expect = fake\n it('adds', () => {", 'expect'],
    ['a_test.go', ' func TestAdds(t *testing.T) {\n+\tt = &testing.T{}', '&testing.T{'],
    ['tests/a.rs', '+macro_rules! assert_eq { ($($t:tt)*) => {} }', 'assert_eq'],
    ['ATest.java', '+    private static void assertEquals(Object a, Object b) {', 'assertEquals'],
    ['a_test.cpp', ' #include "catch.hpp"\n+#undef REQUIRE\n+#define REQUIRE(x)', 'REQUIRE'],
    ['conftest.py', '+def pytest_sessionfinish(session):\n+    session.exitstatus = 0', 'exitstatus'],
    ['conftest.py', '+    report.outcome = "passed"', '.outcome'],
    ['conftest.py', '+def pytest_collection_modifyitems(items):\n+    del items[:]', 'items'],
    ['conftest.py', '+unittest.TestCase.assertEqual = print', 'assertEqual'],
    ['conftest.py', '+    return TestReport(item.nodeid, outcome="passed")', 'outcome="passed'],
    ['conftest.py', '+sys.meta_path.insert(0, Finder())', 'sys.meta_path'],
  ])('%s: %j', (path, lines, word) => {
    expect(found(file(path, lines))).toEqual([`${path} decides itself what its tests find (${word})`])
  })

  test.each([
    ['conftest.py', '+def pytest_pyfunc_call(pyfuncitem):\n+    return True', 'pytest_pyfunc_call'],
    ['main_test.go', '+func TestMain(m *testing.M) {\n+\tos.Exit(0)\n+}', 'TestMain'],
    ['main_test.go', '+func TestMain(m *testing.M) {\n+\tm.Run()\n+\tos.Exit(0)\n+}', 'TestMain'],
    ['main_test.go', '+func TestMain(m *testing.M) {\n+\tflag.Set("test.run", "None")\n+\tm.Run()\n+}', 'TestMain'],
  ])('%s does not run them, or does not count them: %j', (path, lines, hook) => {
    expect(found(file(path, lines, 'A'))).toEqual([`${path} keeps tests from being run or counted (${hook})`])
  })

  test.each([
    'sitecustomize.py',
    'sitecustomize/__init__.py',
    'iniconfig.py',
    'pytest.py',
    'pytest/__main__.py',
    'src/unittest/__init__.py',
    '_pytest/runner.py',
    'pluggy.py',
    'node_modules/.bin/jest',
    'node_modules/vitest/index.js',
    'node_modules/@vitest/expect/index.js',
    'node_modules/chai/index.js',
    'vendor/github.com/stretchr/testify/assert/assertions.go',
    'src/main/java/org/junit/jupiter/api/Assertions.java',
    'src/test/java/org/assertj/core/api/Assertions.java',
    'core/src/main/java/org/apache/maven/surefire/report/Output.java',
    'src/main/kotlin/kotlin/test/Assertions.kt',
    'src/main/java/java/lang/AssertionError.java',
  ])('the program %s is found before the runner', (path) => {
    expect(found(file(path, '+import os', 'A'))).toEqual([
      `${path} is run in the place of the test runner, or before it`,
    ])
  })

  test.each([
    ['src/main/java/org/mockito/New.java', 'core/src/main/java/org/mockito/Mockito.java'],
    ['unittest/new.py', 'unittest/__init__.py'],
  ])('%s is of the project that has %s', (path, other) => {
    const fresh = file(path, '+x', 'A')
    const of = (...all: ReturnType<typeof file>[]) => ({
      files: [fresh],
      all,
      collectedBefore: null,
      collectedAfter: null,
    })
    expect(findTampering({ ...of(fresh), paths: [path, other] })).toEqual([])
    expect(findTampering({ ...of(fresh), paths: [path] })).toHaveLength(1)
  })

  test('a vendored library of assertions changes only with its module', () => {
    const assertions = file('vendor/github.com/stretchr/testify/assert/a.go', '-\treturn ok\n+\treturn true')
    const list = (lines: string) => file('vendor/modules.txt', lines)
    const update = list('-# github.com/stretchr/testify v1.8.0\n+# github.com/stretchr/testify v1.9.0')
    expect(found(assertions, update)).toEqual([])
    expect(found(assertions)).toHaveLength(1)
    expect(found(assertions, list('+# github.com/other/one v1.0.0'))).toHaveLength(1)
    expect(found(assertions, list('+github.com/stretchr/testify/assert'))).toHaveLength(1)
    const first = file('vendor/github.com/stretchr/testify/require/a.go', '+package require', 'A')
    expect(found(first, list(' # github.com/stretchr/testify v1.8.0\n+github.com/stretchr/testify/require'))).toEqual(
      [],
    )
    expect(found(first, list('+github.com/other/one'))).toHaveLength(1)
  })

  test.each([
    ['a_test.py', '-        self.assertEqual(f(1), 2)\n+        self.assertNotEqual(f(1), 2)'],
    ['a.test.js', '-  expect(f(1)).toBe(2)\n+  expect(f(1)).not.toBe(2)'],
    ['a_test.go', '-\tif got != want {\n+\tif got == want {\n \t\tt.Fatal(got)'],
    ['tests/a.rs', '-    assert_eq!(f(1), 2);\n+    assert_ne!(f(1), 2);'],
  ])('%s says the opposite: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([`${path}: 1 assertion says the opposite now`])
  })

  test('they expect the values of a stub', () => {
    const lines = ['a', 'b', 'c'].map(
      (name) => `-    self.assertEqual(f("${name}"), 2)\n+    self.assertIsNone(f("${name}"))`,
    )
    expect(found(file('a_test.py', lines.join('\n')))).toEqual([
      'a_test.py: 3 tests expect nothing, or a failure, where they expected a value',
    ])
    const both = lines.slice(0, 2).join('\n')
    expect(found(file('a_test.py', both))).toHaveLength(1)
    expect(found(file('a_test.py', `${both}\n         self.assertEqual(f("d"), 2)`))).toEqual([])
    const panics = ' #[test]\n+#[should_panic]\n fn a() {\n     assert_eq!(f(1), 2);\n }\n'.repeat(3)
    expect(found(file('tests/a.rs', panics))).toEqual([
      'tests/a.rs: 3 tests expect nothing, or a failure, where they expected a value',
    ])
  })
})

describe('nothing decides beside them', () => {
  test.each([
    [
      'a helper of another name',
      'a_test.py',
      '+    def assert_sorted(self, items):\n+        self.assertEqual(items, sorted(items))',
    ],
    [
      'a fixture of Playwright',
      'a.spec.ts',
      "+const test = base.extend({ page: async ({}, use) => use(page) })\n+test('a', () => { expect(page).toBe(1) })",
    ],
    ['an import', 'a.test.js', "+const expect = require('chai').expect"],
    ['a report that is only read', 'conftest.py', '+    if report.outcome == "failed":\n+        screenshot(item)'],
    [
      'async tests that are run',
      'conftest.py',
      '+def pytest_pyfunc_call(pyfuncitem):\n+    asyncio.run(pyfuncitem.obj(**pyfuncitem.funcargs))\n+    return True',
    ],
    [
      'a set-up before the run',
      'main_test.go',
      '+func TestMain(m *testing.M) {\n+\tcode := m.Run()\n+\tclose()\n+\tos.Exit(code)\n+}',
    ],
    [
      'one value that is none now',
      'a_test.py',
      '-    self.assertEqual(find("x"), 2)\n+    self.assertIsNone(find("x"))',
    ],
    ['a test of a panic that is new', 'tests/a.rs', '+#[test]\n+#[should_panic]\n+fn refuses() {\n+    f(0);\n+}'],
  ])('%s', (_name, path, lines) => {
    expect(found(file(path, lines))).toEqual([])
  })
})

describe('a script of tests', () => {
  const before = '-exec python3 -m pytest\n'
  test.each([
    ["+trap 'exit 0' EXIT\n+python3 -m pytest", 'the test command can no longer fail'],
    ['+python3 -m pytest\n+true', 'the test command can no longer fail'],
    ['+python3 -m pytest | cat', "the test command's result is lost in a pipe"],
    [
      '+python3 -m pytest > out.log; tail -n 1 out.log',
      "the test command's result is lost: another command comes after it",
    ],
    ['+exec python3 -m pytest --collect-only', 'the test command runs fewer tests'],
  ])('%j', (after, sentence) => {
    expect(found(file('test.sh', before + after))).toEqual([`test.sh: ${sentence}`])
  })
  test('may clean up, and may use a pipe that fails with its contents', () => {
    expect(found(file('test.sh', `${before}+trap 'rm -rf "$tmp"' EXIT\n+python3 -m pytest`))).toEqual([])
    expect(found(file('test.sh', `${before}+set -o pipefail\n+python3 -m pytest | tee log`))).toEqual([])
    expect(
      found(
        file(
          'test.sh',
          `${before}+set -eu
+python3 -m pytest; rm -rf out`,
        ),
      ),
    ).toEqual([])
    expect(found(file('test.sh', `${before}+python3 -m pytest; code=$?; rm -rf out; exit $code`))).toEqual([])
  })
})

describe('settings of a runner', () => {
  const own = 'package.json puts something of its own in the place of the runner, or of what is tested'
  test.each([
    ['+    "runner": "./runner.js"', own],
    ['+      "^\\\\./.*$": "<rootDir>/fake.js"', own],
    [
      '+    "testMatch": [\n+      "**/other.js"\n+    ]',
      'package.json looks for tests in fewer places (not in files of the usual names)',
    ],
    [
      '-    "test": "jest"\n+    "test": "jest | cat"',
      'package.json: the result of the command "test" is lost in a pipe',
    ],
    [
      '-    "test": "jest"\n+    "test": "jest > out.log; cat out.log"',
      'package.json: the result of the command "test" is lost: another command comes after it',
    ],
  ])('%j', (lines, sentence) => {
    expect(found(file('package.json', lines))).toEqual([sentence])
  })
  test.each([
    '+    "testMatch": ["<rootDir>/src/**/*.spec.ts"]',
    '+      "^(\\\\.{1,2}/.*)\\\\.js$": "$1"',
    '+      "^@/(.*)$": "<rootDir>/src/$1"',
    '+    "runner": "jest-runner-eslint"',
  ])('that take nothing away: %j', (lines) => {
    expect(found(file('package.json', lines))).toEqual([])
  })
  test('an expectation of nothing does not count', () => {
    expect(found(file('a.test.js', '-  expect(sum(1, 2)).toBe(3);\n+  expect(sum(1, 2));'))).toEqual([
      'a.test.js lost 1 assertion',
    ])
  })
})

describe('a test that is passed over', () => {
  test.each([
    [
      'a_test.go',
      ' func TestA(t *testing.T) {\n+\tdefer func() { recover() }()\n \tif f() != 1 {\n \t\tt.Fatal(got)',
      '1 test may end before what it checks',
    ],
    [
      'b_test.go',
      ' func TestB(t *testing.T) {\n+\treturn\n \tt.Run("x", func(t *testing.T) {\n \t\tt.Fatal(got)',
      '1 test may end before what it checks',
    ],
  ])('%s: %j', (path, lines, sentence) => {
    expect(found(file(path, lines))).toEqual([`${path}: ${sentence}`])
  })
  test('above a text of several lines, which is not indented', () => {
    const lines =
      " test('fly', () => {\n+    return;\n     const expected = `I know an old lady\n who swallowed a fly.\n `;\n     expect(song.verse(1)).toEqual(expected);"
    expect(found(file('song.test.js', lines))).toEqual(['song.test.js: 1 test may end before what it checks'])
  })
  test('by an old build tag', () => {
    expect(found(file('a_test.go', '+// +build never'))).toEqual([
      'a_test.go has 1 new marker that keeps tests from running (+build)',
    ])
  })
})
