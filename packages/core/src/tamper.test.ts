import { describe, expect, test } from 'vitest'
import { decidesTests, findTampering, isTestFile } from './tamper.ts'

type File = { path: string; status: string; patch: string }

/** A file whose patch has these lines, with their signs, in one hunk. */
const file = (path: string, lines: string, status = 'M'): File => ({
  path,
  status,
  patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,9 +1,9 @@\n${lines}\n`,
})
const renamed = (from: string, to: string): File => ({
  path: to,
  status: 'R',
  patch: `diff --git a/${from} b/${to}\nsimilarity index 98%\nrename from ${from}\nrename to ${to}\n`,
})
const found = (...files: File[]) => findTampering({ files, collectedBefore: null, collectedAfter: null })
const each = (text: string, sign: string) =>
  text
    .split('\n')
    .map((line) => sign + line)
    .join('\n')

const js = `it('adds', () => {
  expect(add(1, 2)).toBe(3)
  expect(add(0, 0)).toBe(0)
})`

describe('tests that an attempt weakens (R4-075)', () => {
  test('are files that it deletes, or renames so that no runner finds them', () => {
    expect(found(file('src/add.test.ts', each(js, '-'), 'D'))).toEqual(['src/add.test.ts was deleted'])
    expect(found(file('empty.spec.js', '', 'D'))).toEqual(['empty.spec.js was deleted'])
    for (const [from, to] of [
      ['src/add.test.ts', 'src/add.test.ts.bak'],
      ['tests/test_add.py', 'tests/old_add.py'],
      ['add_test.go', 'add_test.go.off'],
      ['test/add.js', 'attic/add.js'],
    ] as const) {
      expect(found(renamed(from, to))).toEqual([`${from} was renamed to ${to}, where the runner may not find it`])
    }
  })

  test.each([
    ['a.test.ts', "  it.skip('adds', () => {", 'skip'],
    ['a.test.ts', "describe.only('all', () => {", 'only'],
    ['a.test.ts', "test.concurrent.skip('adds', run)", 'skip'],
    ['a.test.ts', "test.todo('adds')", 'todo'],
    ['a.test.ts', "it['skip']('adds', run)", 'skip'],
    ['a.test.ts', "  xit('adds', () => {", 'xit'],
    ['a.test.ts', "fdescribe('adds', () => {", 'fdescribe'],
    ['a.test.ts', "test('adds', { skip: true }, () => {", 'skip'],
    ['a.test.ts', "test('adds', { skip: 'later' }, () => {", 'skip'],
    ['a.test.ts', 'test.skipIf(process.env.CI)(name, run)', 'skipIf'],
    ['a.test.ts', '  this.skip()', 'skip'],
    ['a.spec.ts', "test.fixme('adds', run)", 'fixme'],
    ['test_a.py', '@pytest.mark.skip(reason="later")', 'skip'],
    ['test_a.py', '@pytest.mark.xfail', 'xfail'],
    ['test_a.py', '    pytest.skip("later")', 'skip'],
    ['test_a.py', '    @unittest.skip("later")', 'skip'],
    ['test_a.py', '@unittest.expectedFailure', 'expectedFailure'],
    ['test_a.py', '    self.skipTest("later")', 'skipTest'],
    ['a_test.go', '\tt.Skip("later")', 'Skip'],
    ['a_test.go', '//go:build ignore', 'ignore'],
    ['tests/a.rs', '#[ignore]', 'ignore'],
    ['tests/a.rs', '#[ignore = "slow"]', 'ignore'],
    ['ATest.java', '    @Disabled("later")', 'Disabled'],
    ['ATest.java', '  @Ignore', 'Ignore'],
    ['ATests.cs', '[Fact(Skip = "later")]', 'Skip'],
    ['a_spec.rb', "xit 'adds' do", 'skip'],
    ['a.test.ts', 'if (false) {', 'if (false)'],
    ['test_a.py', '    if False:', 'if (false)'],
  ])('in %s get the marker %j', (path, line, word) => {
    expect(found(file(path, `+${line}`))).toEqual([
      `${path} has 1 new marker of tests that do not run as before (${word})`,
    ])
  })

  test('become comments, a line at a time or enclosed', () => {
    const sentence = ['a.test.ts: 2 lines of tests became comments']
    expect(
      found(
        file(
          'a.test.ts',
          `-  expect(a).toBe(1)\n-  expect(b).toBe(2)\n+  // expect(a).toBe(1)\n+  //expect(b).toBe(2)`,
        ),
      ),
    ).toEqual(sentence)
    expect(
      found(file('a.test.ts', `+/*\n ${"it('adds', () => {"}\n   expect(a).toBe(1)\n })\n+*/\n   expect(b).toBe(2)`)),
    ).toEqual(sentence)
    expect(found(file('test_a.py', '-    assert a == 1\n+    # assert a == 1'))).toEqual([
      'test_a.py: 1 line of tests became comments',
    ])
  })

  test.each([
    ['a.test.ts', '-  expect(a).toBe(1)'],
    ['a.test.ts', '-  assert.equal(a, 1)\n+  void a'],
    ['a.test.ts', '-  expect(a).toBe(1)\n+  expect(true).toBe(true)'],
    ['a.test.ts', "-  a.should.equal(1)\n+  log('expect(a)')"],
    ['test_a.py', '-    assert a == 1\n+    assert True'],
    ['test_a.py', '-    self.assertEqual(a, 1)'],
    ['test_a.py', '-    with pytest.raises(KeyError):'],
    ['a_test.go', '-\t\tt.Errorf("got %d", a)'],
    ['a_test.go', '-\trequire.Equal(t, 1, a)'],
    ['tests/a.rs', '-    assert_eq!(a, 1);'],
    ['ATest.java', '-    assertThat(a).isEqualTo(1);'],
    ['ATest.java', '-    Assertions.assertEquals(1, a);'],
    ['a_test.cc', '-  EXPECT_EQ(1, a);'],
  ])('in %s lose an assertion: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([`${path} lost 1 assertion`])
  })

  test.each([
    [
      'package.json',
      '-    "test": "vitest run",\n+    "test": "vitest run || true",',
      'the command "test" cannot fail any more',
    ],
    [
      'package.json',
      '-    "test": "vitest run",\n+    "test": "vitest run; exit 0",',
      'the command "test" cannot fail any more',
    ],
    ['package.json', '-    "test": "vitest run",\n+    "test": "echo ok",', 'the command "test" does nothing any more'],
    ['package.json', '-    "lint": "oxlint",\n+    "lint": "exit 0",', 'the command "lint" does nothing any more'],
    ['package.json', '-    "test": "vitest run",', 'the command "test" was removed'],
    ['beadloom.json', '-  "test": "npm test",\n+  "test": "true",', 'the command "test" does nothing any more'],
    ['Makefile', '-\tpytest -q\n+\tpytest -q || true', 'the command of the tests cannot fail any more'],
    ['Makefile', '-\tpytest -q\n+\t-pytest -q', 'the command of the tests cannot fail any more'],
    ['Makefile', '-\tpytest -q\n+\t@true', 'the command of the tests does nothing any more'],
    ['scripts/test.sh', '-npm test\n+npm test || :', 'the command of the tests cannot fail any more'],
  ])('by their command in %s: %j', (path, lines, why) => {
    expect(found(file(path, lines))).toEqual([`${path}: ${why}`])
  })

  test.each([
    ['package.json', '-    "test": "vitest run",\n+    "test": "vitest run --passWithNoTests",', '--passWithNoTests'],
    ['jest.config.js', "+  testPathIgnorePatterns: ['add'],", 'testPathIgnorePatterns'],
    ['pytest.ini', '+addopts = --deselect tests/test_a.py::test_b', '--deselect'],
  ])('are left out by %s', (path, lines, option) => {
    expect(found(file(path, lines))).toEqual([`${path} leaves tests out (${option})`])
  })

  test('are fewer than the runner found before', () => {
    const collected = (before: number | null, after: number | null) =>
      findTampering({ files: [], collectedBefore: before, collectedAfter: after })
    expect(collected(12, 9)).toEqual(['the runner found 9 tests, 3 fewer than before'])
    for (const [before, after] of [
      [9, 12],
      [9, 9],
      [null, 9],
      [9, null],
    ] as const) {
      expect(collected(before, after)).toEqual([])
    }
  })
})

describe('honest work is not accused when it', () => {
  test.each<[string, File[]]>([
    [
      'adds tests, some of which run only where they can',
      [file('a.test.ts', `+it.skipIf(!docker)('x', run)\n${each(js, '+')}`, 'A')],
    ],
    ['adds tests', [file('a.test.ts', each(js, '+'), 'A')]],
    [
      'moves tests to another file',
      [file('a.test.ts', each(js, '-')), file('b.test.ts', each(js.replace(/^ {2}/gm, '\t'), '+'), 'A')],
    ],
    ['moves a whole file', [file('src/a.test.ts', each(js, '-'), 'D'), file('test/b.test.ts', each(js, '+'), 'A')]],
    ['renames a file', [renamed('src/a.test.ts', 'test/b.test.ts'), renamed('test/helper.ts', 'test/kit.ts')]],
    [
      'moves a test that is skipped already',
      [file('a.test.ts', "-it.skip('x', run)"), file('b.test.ts', "+  it.skip('x', run)")],
    ],
    ['renames a test that is skipped already', [file('a.test.ts', "-it.skip('x', run)\n+it.skip('y', run)")]],
    ['takes a marker away', [file('a.test.ts', "-it.only('x', run)\n+it('x', run)")]],
    [
      'rewrites as many assertions',
      [
        file(
          'a.test.ts',
          '-  expect(a).toBe(1)\n-  expect(b).toBe(2)\n+  expect([a, b]).toEqual([1, 2])\n+  expect(c).toBe(3)',
        ),
      ],
    ],
    [
      'makes one table of tests',
      [
        file(
          'a.test.ts',
          "-it('1', () => {\n-  expect(a(1)).toBe(1)\n-it('2', () => {\n+it.each([1, 2])('%i', (n) => {\n+  expect(a(n)).toBe(n)",
        ),
      ],
    ],
    [
      'ports tests to another language',
      [file('a.test.js', each(js, '-'), 'D'), file('a.test.ts', each(js.replaceAll('expect(', 'assert('), '+'), 'A')],
    ],
    ['deletes a helper without tests', [file('test/support/server.ts', '-export const port = 1', 'D')]],
    ['deletes data of tests', [file('test/fixtures/a.test.ts', each(js, '-'), 'D')]],
    [
      'changes code that is no test',
      [file('src/assert.ts', '-  assert(a)\n-  expect(a)'), file('src/skip.ts', '+list.skip(1)')],
    ],
    [
      'writes of tests in comments and strings',
      [
        file(
          'a.test.ts',
          "+  // it.skip is not for us\n+  say('it.only(')\n+  list([`it['skip']('x')`])\n-  // expect(a).toBe(1)",
        ),
      ],
    ],
    ['silences a rule of the linter', [file('a.test.ts', '+// eslint-disable-next-line no-console')]],
    [
      'tests something that skips',
      [file('a.test.ts', "+  query({ skip: 10, todo: 'milk' })\n+  stream.skip(2)\n+  model.fit(x)")],
    ],
    [
      'imports another assertion library',
      [file('a.test.ts', "-import assert from 'node:assert'\n-const { expect } = require('chai')")],
    ],
    [
      'replaces the placeholder of npm',
      [file('package.json', '-    "test": "echo \\"Error: no test specified\\" && exit 1"\n+    "test": "vitest run"')],
    ],
    [
      'changes the command',
      [
        file(
          'package.json',
          '-    "test": "mocha",\n+    "test": "vitest run --coverage",\n+    "clean": "rm -r dist || true"',
        ),
      ],
    ],
    ['tolerates what is no test', [file('Makefile', '-\trm -r dist\n+\trm -r dist || true\n+\t-mkdir dist')]],
    [
      'moves its package',
      [file('a/package.json', '-    "test": "vitest"', 'D'), file('b/package.json', '+    "test": "vitest"', 'A')],
    ],
  ])('%s', (_, files) => {
    expect(found(...files)).toEqual([])
  })
})

test('a new file with skipped tests is told of when it may stand for a deleted one, or keeps others from running', () => {
  const fresh = file('b.test.ts', `+it.skip('adds', () => {\n${each(js, '+')}`, 'A')
  expect(found(fresh)).toEqual([])
  expect(found(file('a.test.ts', each(js, '-'), 'D'), fresh)).toContainEqual(expect.stringContaining('(skip)'))
  expect(found(file('b.test.ts', "+it.only('x', run)", 'A'))).toEqual([expect.stringContaining('(only)')])
})

test('assertions count as moved once: those that make up for others of their own file do not', () => {
  const before = '-  expect(x).toBe(1)\n+  expect(a).toBe(1)'
  expect(found(file('a.test.ts', '-  expect(a).toBe(1)'), file('b.test.ts', before))).toEqual([
    'a.test.ts lost 1 assertion',
  ])
})

test('a path is that of test code by its name or its folder', () => {
  for (const path of [
    'a.test.ts',
    'x/a.spec.jsx',
    'test_a.py',
    'x/a_test.py',
    'a_test.go',
    'tests/a.rs',
    'src/test/java/ATest.java',
    'AIT.java',
    'a_spec.rb',
    '__tests__/a.js',
    'test/a.js',
    'cypress/e2e/login.cy.ts',
    'test.js',
    'ATests.cs',
  ]) {
    expect([path, isTestFile(path)]).toEqual([path, true])
  }
  for (const path of [
    'src/a.ts',
    'src/latest.ts',
    'contest.py',
    'test/data.json',
    'test/fixtures/a.test.js',
    'src/testing.go',
    'docs/test.md',
    'node_modules/x/a.test.js',
    'Manifest.java',
    'attestation_spec.md',
  ]) {
    expect([path, isTestFile(path)]).toEqual([path, false])
  }
})

test('what decides about tests is known by its name', () => {
  for (const path of [
    'package.json',
    'a/Makefile',
    'vitest.config.ts',
    'pyproject.toml',
    'conftest.py',
    'scripts/test.sh',
  ]) {
    expect([path, decidesTests(path)]).toEqual([path, true])
  }
  for (const path of ['src/a.ts', 'README.md', 'deploy.sh', 'tsconfig.json']) {
    expect([path, decidesTests(path)]).toEqual([path, false])
  }
})

describe('hostile patches', () => {
  test('cost time in proportion to their length', () => {
    const lines = [
      "'\\'",
      '/*',
      'it.skip.',
      'expect ( ',
      'assert',
      'test(,{skip:',
      '|| echo ',
      '"a\\',
      'it it ',
      '\t',
      'test=',
    ]
    const files = lines.map((line, at) => file(`${at}.test.ts`, each(`${line.repeat(2000)}\n`.repeat(40), '+')))
    for (const name of ['package.json', 'Makefile', 'pytest.ini']) {
      files.push(...lines.map((line, at) => file(`${at}/${name}`, each(line.repeat(90_000), '+'))))
    }
    expect(found(...files).length).toBeLessThan(14)
  })

  test('get a bounded answer on single lines, and one that says when they were too much', () => {
    const many = Array.from({ length: 2100 }, (_, at) => file(`\n${'x'.repeat(900)}${at}.test.ts`, '-expect(a)', 'D'))
    const answer = found(...many)
    expect(answer).toHaveLength(13)
    expect(answer.at(-1)).toBe('and 1989 more')
    expect(answer.join('').length).toBeLessThan(5000)
    expect(found(file('a.test.ts', `+${'x'.repeat(9 * 1024 ** 2)}`))).toEqual([
      'more changed in the tests than can be looked at',
    ])
  })
})
