import { describe, expect, test } from 'vitest'
import { bentText, excusedBy, judgeOriginals, originalFiles, otherText, type RunOfTests } from './original-tests.ts'

const changed = (path: string, status = 'M', oldPath: string | null = null) => ({ path, status, oldPath })

describe('the tests as they were', () => {
  test('are those that changed, without what came', () => {
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

  test('are none where tests only came, or went', () => {
    expect(
      originalFiles([changed('src/a.ts'), changed('test/b.test.ts', 'A'), changed('test/c.test.ts', 'D')]),
    ).toBeNull()
  })

  test.each([
    ['data of tests', changed('test/fixtures/page.html')],
    ['a set-up file', changed('conftest.py')],
    ['settings of a runner that went', changed('jest.config.js', 'D')],
    ['a set-up file that came', changed('tests/conftest.py', 'A')],
  ])('are asked for whole after a change of %s', (_name, file) => {
    expect(originalFiles([file])).toMatchObject({ chosen: null })
  })

  test('are those that moved or went, too, where some failed before the work', () => {
    const all = [changed('test/b.test.ts', 'R', 'test/a.test.ts'), changed('test/c.test.ts', 'D')]
    expect(originalFiles(all)).toBeNull()
    expect(originalFiles(all, { gone: true })).toEqual({
      paths: ['test/a.test.ts', 'test/c.test.ts'],
      without: ['test/b.test.ts'],
      chosen: ['test/a.test.ts', 'test/c.test.ts'],
    })
  })

  test('leave out what others wrote, and what builds the project', () => {
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

describe('a test that fails as it was', () => {
  test('was bent if it failed before the work', () => {
    const found = judgeOriginals(run(1, 'a', 'b'), run(0), run(1, 'a', 'c'))
    expect(found).toEqual({ red: ['a'], other: ['c'], silent: false })
    expect(bentText('tests', found)).toBe('1 test that failed before the work passes only because it was changed: a')
    expect(otherText(found)).toBe('1 test that passed before the work fails as it was, and passes as it was changed: c')
  })

  test('says nothing if it fails as it is now, too', () => {
    expect(judgeOriginals(run(1, 'a'), run(1, 'a'), run(1, 'a'))).toEqual({ red: [], other: [], silent: false })
  })

  test('was bent if nothing could be loaded before, by any name', () => {
    const silent = { ...run(2, 'collection of a.py'), tests: [] }
    expect(judgeOriginals(silent, run(0), run(1, 'a')).red).toEqual(['a'])
  })

  test('is known by the exit code alone where nothing has names', () => {
    const found = judgeOriginals(nothing(1), nothing(0), nothing(1))
    expect(bentText('tests (make test)', found)).toBe(
      'tests (make test) failed before the work, and passes only because its tests were changed',
    )
    expect(judgeOriginals(nothing(0), nothing(0), nothing(1))).toEqual({ red: [], other: [], silent: false })
  })

  test('says nothing if the run did not end', () => {
    expect(judgeOriginals(run(1, 'a'), run(0), run(null, 'a'))).toEqual({ red: [], other: [], silent: false })
  })
})

describe('a person who allowed weaker tests, or asked that some go,', () => {
  const allowed = excusedBy('Remove the test `exports`.', ['test/a.test.ts: 2 tests are skipped: two'])

  test('is not asked again about these files', () => {
    expect(originalFiles([changed('test/a.test.ts')], { excused: allowed })).toBeNull()
    expect(originalFiles([changed('test/b.test.ts')], { excused: allowed })).not.toBeNull()
  })

  test('is asked about every other test', () => {
    expect(judgeOriginals(run(1, 'o', 'two', 'exports'), run(0), run(1, 'o', 'two', 'exports'), allowed).red).toEqual([
      'o',
    ])
  })

  test('is not asked about what has no names', () => {
    expect(judgeOriginals(nothing(1), nothing(0), nothing(1), allowed).silent).toBe(false)
  })
})
