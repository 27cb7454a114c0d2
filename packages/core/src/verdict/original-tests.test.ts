import { describe, expect, test } from 'vitest'
import {
  bentText,
  excusedBy,
  judgeOriginals,
  namedInTexts,
  newAmongTests,
  originalFiles,
  otherText,
  type RunOfTests,
} from './original-tests.ts'

const proved = { proved: true, needed: [] }
const changed = (path: string, status = 'M', oldPath: string | null = null) => ({ path, status, oldPath })

describe('the former tests', () => {
  test('are the changed ones, without new ones', () => {
    const all = [
      changed('src/a.ts'),
      changed('test/a.test.ts'),
      changed('test/b.test.ts', 'A'),
      changed('src/b.ts', 'A'),
    ]
    expect(originalFiles(all)).toEqual({
      paths: ['test/a.test.ts'],
      without: ['test/b.test.ts'],
      chosen: ['test/a.test.ts'],
    })
  })

  test('are empty if tests only came, or went', () => {
    expect(
      originalFiles([changed('src/a.ts'), changed('test/b.test.ts', 'A'), changed('test/c.test.ts', 'D')]),
    ).toBeNull()
  })

  test.each([
    ['data of tests', changed('test/fixtures/page.html')],
    ['results that tests compare theirs with', changed('golden/page.html')],
    ['a file that other tests take something from', changed('test/helpers.ts')],
    ['a set-up file', changed('conftest.py')],
    ['a copied framework', changed('third_party/catch.hpp')],
    ['a vendored framework', changed('vendor/unity.c')],
    ['settings of a runner that went', changed('jest.config.js', 'D')],
    ['a set-up file that came', changed('tests/conftest.py', 'A')],
  ])('are requested whole after a change of %s', (_name, file) => {
    expect(originalFiles([file])).toMatchObject({ chosen: null })
  })

  test('include moved and deleted ones, if some failed before the work', () => {
    const all = [changed('test/b.test.ts', 'R', 'test/a.test.ts'), changed('test/c.test.ts', 'D')]
    expect(originalFiles(all)).toBeNull()
    expect(originalFiles(all, { red: proved })).toEqual({
      paths: ['test/a.test.ts', 'test/c.test.ts'],
      without: ['test/b.test.ts'],
      chosen: ['test/a.test.ts', 'test/c.test.ts'],
    })
  })

  test('come without new code that may affect them unnamed, if some are known to have failed', () => {
    const came = [
      changed('test/Calm.java', 'A'),
      changed('test/fixtures/a.json', 'A'),
      changed('test/rows.js', 'A'),
      changed('test/CartTest.java', 'A'),
      changed('src/a.ts'),
    ]
    const without = ['test/Calm.java', 'test/CartTest.java']
    expect(originalFiles(came)).toBeNull()
    expect(originalFiles(came, { red: { ...proved, proved: false } })).toBeNull()
    expect(originalFiles(came, { red: { ...proved, needed: null } })).toBeNull()
    expect(originalFiles(came, { red: { ...proved, needed: ['test/rows.js'] } })).toEqual({
      paths: [],
      without,
      chosen: null,
    })
    const all = [...came, changed('test/a.test.ts')]
    expect(originalFiles(all, { red: { ...proved, needed: ['test/rows.js'] } })).toEqual({
      paths: ['test/a.test.ts'],
      without: ['test/Calm.java', 'test/fixtures/a.json', 'test/CartTest.java'],
      chosen: null,
    })
  })

  test.each(['test/b.test.ts', 'test/fixtures/a.json', 'src/a.ts'])(
    'are not run again only because %s is new',
    (path) => {
      expect(originalFiles([changed(path, 'A')], { red: proved })).toBeNull()
    },
  )

  test('are run again without a new file of their package', () => {
    expect(originalFiles([changed('shop/zz_test.go', 'A')], { red: proved })?.without).toEqual(['shop/zz_test.go'])
  })

  test('leave out files by others, and files that build the project', () => {
    expect(
      originalFiles([changed('vendor/lib/test/a_test.go'), changed('package.json'), changed('vite.config.ts')]),
    ).toBeNull()
  })
})

const run = (exitCode: number | null, ...titles: string[]): RunOfTests => ({
  exitCode,
  tool: 'pytest',
  findings: titles.map((title) => `pytest: ${title} | assert`),
  tests: [
    {
      tool: 'pytest',
      ran: 3,
      passed: 3 - titles.length,
      failures: titles.length,
      units: [],
      unrun: [],
      stopped: false,
    },
  ],
})
const nothing = (exitCode: number): RunOfTests => ({
  exitCode,
  tool: 'generic',
  findings: ['generic: Error'],
  tests: [],
})

describe('a test that fails in its former form', () => {
  test('was bent if it failed before the work', () => {
    const found = judgeOriginals(run(1, 'a', 'b'), run(0), run(1, 'a', 'c'))
    expect(found).toEqual({ red: ['a'], other: ['c'], silent: false, silentOther: false })
    expect(bentText('tests', found)).toBe('1 test that failed before the work passes only because it was changed: a')
    expect(otherText('tests', found)).toBe(
      '1 test that passed before the work fails in its old version and passes only in the changed one: c',
    )
  })

  test('says nothing if it fails in its present form, too', () => {
    expect(judgeOriginals(run(1, 'a'), run(1, 'a'), run(1, 'a'))).toEqual({
      red: [],
      other: [],
      silent: false,
      silentOther: false,
    })
  })

  test('was bent if nothing could be loaded before, by any name', () => {
    const silent = { ...run(2, 'collection of a.py'), tests: [] }
    expect(judgeOriginals(silent, run(0), run(1, 'a')).red).toEqual(['a'])
  })

  test('is known by the exit code alone if nothing has names', () => {
    const found = judgeOriginals(nothing(1), nothing(0), nothing(1))
    expect(bentText('tests (make test)', found)).toBe(
      'tests (make test) failed before the work, and passes only because its tests were changed',
    )
    expect(judgeOriginals(nothing(0), nothing(0), nothing(1))).toEqual({
      red: [],
      other: [],
      silent: false,
      silentOther: true,
    })
  })

  test('says nothing if the run did not end', () => {
    expect(judgeOriginals(run(1, 'a'), run(0), run(null, 'a'))).toEqual({
      red: [],
      other: [],
      silent: false,
      silentOther: false,
    })
  })
})

test('a new file is named by a text with its name as a word, and never a Go file', () => {
  const paths = ['data/rows.json', 'data/row.json', 'test/helpers.ts', 'test/help.ts', 'test/main.go']
  const texts = ["open('data/rows.json')", "from './helpers'", 'package main']
  expect(namedInTexts(paths, texts)).toEqual(['data/rows.json', 'test/helpers.ts'])
})

test('a new file that a runner starts is one that no test waits for', () => {
  const all = [
    changed('test/a.test.ts', 'A'),
    changed('test/rows.ts', 'A'),
    changed('test/old.ts'),
    changed('src/a.ts', 'A'),
  ]
  expect(newAmongTests(all)).toEqual(['test/rows.ts'])
})

test('a test that fails only because new files are left out counts by its name', () => {
  const found = judgeOriginals(run(1, 'a'), run(0), run(1, 'a', 'c'), { only: true })
  expect(found).toEqual({ red: ['a'], other: [], silent: false, silentOther: false })
  expect(bentText('the tests', found, true)).toBe(
    '1 test that failed before the work passes only for new files beside the tests: a',
  )
})

test('a build that fails only because new files are left out says nothing', () => {
  const nobody = { red: [], other: [], silent: false, silentOther: false }
  expect(judgeOriginals(nothing(1), nothing(0), nothing(2), { only: true })).toEqual(nobody)
  const unbuilt = { ...run(1, 'shop'), tests: [{ ...run(1).tests![0]!, unrun: ['shop'] }] }
  expect(judgeOriginals(run(1, 'shop'), run(0), unbuilt, { only: true })).toEqual(nobody)
})

describe('tests that cannot be built in their former form', () => {
  const unbuilt = { ...run(1), tests: [{ ...run(1).tests![0]!, ran: 0, passed: 0, unrun: ['shop'] }] }
  const texts = ['func TestDiscount(t *testing.T) {']

  test('were bent if they failed before the work, pass now, and are in the changed part', () => {
    const found = judgeOriginals(run(1, 'shop.TestDiscount', 'shop.TestOther', 'TestTotal'), run(0), unbuilt, { texts })
    expect(found).toEqual({ red: ['shop.TestDiscount'], other: [], silent: false, silentOther: false })
  })

  test('were not bent if they ran in their former form, in a part that could be built', () => {
    const rest = {
      ...unbuilt,
      tests: [{ ...unbuilt.tests[0]!, ran: 1, passed: 1, units: [['shop.TestDiscount', 1] as const] }],
    }
    expect(judgeOriginals(run(1, 'shop.TestDiscount'), run(0), rest, { texts }).red).toEqual([])
  })

  test('are those of the changed part, by whole words alone', () => {
    expect(judgeOriginals(run(1, 'shop.TestDisc'), run(0), unbuilt, { texts }).red).toEqual([])
  })

  test('say nothing if they still fail, or a person asked for it', () => {
    expect(judgeOriginals(run(1, 'TestDiscount'), run(1, 'TestDiscount'), unbuilt, { texts }).red).toEqual([])
    const excused = excusedBy('Remove the test TestDiscount.', [])
    expect(judgeOriginals(run(1, 'TestDiscount'), run(0), unbuilt, { texts, excused }).red).toEqual([])
  })
})

describe('a person who allowed weaker tests, or asked that some go,', () => {
  const allowed = excusedBy('Remove the test `exports`.', ['test/a.test.ts: 2 tests are skipped: two'])

  test('is not asked again about these files', () => {
    expect(originalFiles([changed('test/a.test.ts')], { excused: allowed })).toBeNull()
    expect(originalFiles([changed('test/b.test.ts')], { excused: allowed })).not.toBeNull()
  })

  test.each(['a.test.ts', 'test/a.test.tsx', 'more/test/a.test.ts', 'test/a'])(
    'is asked about %s all the same',
    (path) => {
      expect(allowed.file(path)).toBe(false)
    },
  )

  test('is asked about every other test', () => {
    expect(
      judgeOriginals(run(1, 'o', 'two', 'exports'), run(0), run(1, 'o', 'two', 'exports'), { excused: allowed }).red,
    ).toEqual(['o'])
  })

  test('is not asked about tests without names', () => {
    expect(judgeOriginals(nothing(1), nothing(0), nothing(1), { excused: allowed }).silent).toBe(false)
  })
})
