import { describe, expect, test } from 'vitest'
import { decidesTests, isTestFile } from './tamper.ts'
import type { ChangedFile } from './patch.ts'
import { each, file, found, js, renamed } from '../testing/sample-patch.ts'
import { longTest } from '../testing/long-test.ts'

describe('honest work is not accused when it', () => {
  test.each<[string, ChangedFile[]]>([
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

test('a new file with skipped tests is reported when it may replace a deleted one, or keeps others from running', () => {
  const fresh = file('b.test.ts', `+it.skip('adds', () => {\n${each(js, '+')}`, 'A')
  expect(found(fresh)).toEqual([])
  expect(found(file('a.test.ts', each(js, '-'), 'D'), fresh)).toContainEqual(expect.stringContaining('(skip)'))
  expect(found(file('b.test.ts', "+it.only('x', run)", 'A'))).toEqual([expect.stringContaining('(only)')])
})

test('moved assertions count once: those that make up for others of their own file do not', () => {
  const before = '-  expect(x).toBe(1)\n+  expect(a).toBe(1)'
  expect(found(file('a.test.ts', '-  expect(a).toBe(1)'), file('b.test.ts', before))).toEqual([
    'a.test.ts lost 1 assertion',
  ])
})

test('a path is test code by its name or its folder', () => {
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

test('a file that decides about tests is known by its name', () => {
  for (const path of [
    'package.json',
    'a/Makefile',
    'vitest.config.ts',
    'pyproject.toml',
    'conftest.py',
    'scripts/test.sh',
    'third_party/catch.hpp',
    'vendor/modules.txt',
  ]) {
    expect([path, decidesTests(path)]).toEqual([path, true])
  }
  for (const path of ['src/a.ts', 'README.md', 'deploy.sh', 'config.json']) {
    expect([path, decidesTests(path)]).toEqual([path, false])
  }
})

test('a new fixture may skip the tests that ask for it, and not those that were there', () => {
  const fixture = (head: string, rest = '', body = '+    return pytest.importorskip("psycopg")') =>
    found(file('tests/conftest.py', `+${head}\n+def database():\n${body}\n${rest}`))
  expect(fixture('@pytest.fixture')).toEqual([])
  expect(fixture('@pytest.fixture', '', '+    if not docker():\n+        pytest.skip("no docker")')).toEqual([])
  expect(fixture('@pytest.fixture(autouse=True)')).toHaveLength(1)
  expect(fixture('@pytest.fixture', ' def cart(database):\n     return Cart(database)')).toHaveLength(1)
})

describe('hostile patches', () => {
  longTest('cost time in proportion to their length', () => {
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

  test('get a bounded answer on single lines, and a note when they were too much', () => {
    const many = Array.from({ length: 2100 }, (_, at) => file(`\n${'x'.repeat(900)}${at}.test.ts`, '-expect(a)', 'D'))
    const answer = found(...many)
    expect(answer).toHaveLength(13)
    expect(answer.at(-1)).toBe('and 1989 more')
    expect(answer.join('').length).toBeLessThan(5000)
    expect(found(file('a.test.ts', `+${'x'.repeat(9 * 1024 ** 2)}`))).toEqual([
      'the tests changed more than could be checked',
    ])
  })
})
