import { describe, expect, test } from 'vitest'
import type { ToolTests, TestUnit } from '../digest/tests-run.ts'
import { insteadText, missingTests, missingText, printedText, unknownText } from './missing-tests.ts'

const run = (tool: string, units: readonly TestUnit[], own: Partial<ToolTests> = {}): ToolTests => {
  const ran = units.reduce((sum, [, count]) => sum + count, 0)
  return { tool, failures: 0, ran, passed: ran, units, unrun: [], stopped: false, ...own }
}
/** Missing names with their numbers, and the number of missing tests without names. */
const lost = (base: readonly ToolTests[], now: readonly ToolTests[]) => {
  const { names, unnamed } = missingTests(base, now)
  return { names: names.map(({ name, fewer }) => ({ name, fewer })), unnamed }
}
const ones = (...names: string[]): TestUnit[] => names.map((name) => [name, 1])

const none = { names: [], unnamed: 0 }

describe('tests that ran on the base', () => {
  test('are missing if they no longer run, whatever else does', () => {
    const base = [run('cargo-test', ones('shop tests::sums', 'shop tests::first'))]
    const now = [run('cargo-test', ones('shop tests::sums', 'shop tests::other'))]
    expect(lost(base, now)).toEqual({ names: [{ name: 'shop tests::first', fewer: 1 }], unnamed: 0 })
    expect(lost(base, base)).toEqual({ names: [], unnamed: 0 })
  })

  test('are all missing if their runner was not seen at all', () => {
    expect(lost([run('pytest', [['tests/test_a.py', 9]])], [])).toEqual({
      names: [{ name: 'tests/test_a.py', fewer: 9 }],
      unnamed: 0,
    })
    expect(lost([run('go-test', ones('example.com/shop'), { ran: null })], [])).toMatchObject({
      names: [{ name: 'example.com/shop' }],
    })
  })

  test('are unknown if a runner that named them names only some of as many, or none', () => {
    const base = [run('pytest', [['tests/test_a.py', 9]])]
    const now = [run('pytest', [], { ran: 9 })]
    expect(missingTests(base, now)).toMatchObject({ names: [], unnamed: 0, unknown: ['pytest'] })
    expect(unknownText(missingTests(base, now))).toContain('have it print their names')
    // A test's own output may be on the line with its name, or there are too many names.
    expect(missingTests([run('unittest', ones('a', 'b'))], [run('unittest', [], { ran: 2 })]).unknown).toEqual([])
    const many = [run('pytest', ones(...Array.from({ length: 15_000 }, (_, at) => `tests/test_a.py::${at}`)))]
    expect(missingTests(many, [run('pytest', [], { ran: 21_000 })]).unknown).toEqual([])
  })

  test('under one of two runners are missed, though the other runs as many as before', () => {
    const base = [run('node-test', [], { ran: 545 }), run('jest', ones('a.test.js'), { ran: 1 })]
    expect(lost(base, [run('jest', ones('a.test.js'), { ran: 1 })])).toEqual({ names: [], unnamed: 545 })
  })

  test('are not replaced by another file that runs more', () => {
    const base = [run('vitest', [['a.test.ts', 50]])]
    const now = [
      run('vitest', [
        ['a.test.ts', 1],
        ['c.test.ts', 49],
      ]),
    ]
    expect(lost(base, now).names).toEqual([{ name: 'a.test.ts', fewer: 49 }])
    const versions = [run('pytest', [['test_v1.py', 2]])]
    expect(lost(versions, [run('pytest', [['test_v2.py', 2]])]).names).toHaveLength(1)
  })

  test('are present if their file is named from another folder, or by the tests in it', () => {
    const prefixed = [run('vitest', [['packages/a: src/x.test.ts', 3]])]
    expect(lost(prefixed, [run('vitest', [['packages/a/src/x.test.ts', 3]])])).toEqual(none)
    expect(lost(prefixed, [run('vitest', [['packages/b/src/x.test.ts', 3]])]).names).toHaveLength(1)
    const files = [run('pytest', [['tests/t.py', 2]])]
    const tests = [run('pytest', ones('tests/t.py::test_a', 'tests/t.py::test_b'))]
    expect(lost(files, tests)).toEqual(none)
    expect(lost(tests, files)).toEqual(none)
    expect(lost(tests, [run('pytest', [['tests/t.py', 1]])]).names).toEqual([{ name: 'tests/t.py', fewer: 1 }])
  })

  test('are not known to have run if packages are named instead', () => {
    const verbose = [run('go-test', ones('example.com/shop TestA', 'example.com/shop TestB'))]
    const quiet = missingTests(verbose, [run('go-test', ones('example.com/shop'), { ran: null })])
    expect([quiet.names, unknownText(quiet)]).toEqual([
      [],
      'go-test says less than before, and its output does not say which of the former tests ran: have it print their names',
    ])
    expect(lost([run('go-test', ones('example.com/shop'), { ran: null })], verbose)).toEqual(none)
  })

  test('that moved to another group or file are present', () => {
    const base = [run('vitest', ones('auth > logs in', 'auth > logs out'))]
    const now = [run('vitest', ones('session > logs in', 'session > logs out'))]
    expect(lost(base, now)).toEqual({ names: [], unnamed: 0 })
  })

  test('are counted by table: a missing case counts, a changed value does not', () => {
    const base = [run('pytest', ones('t.py::test_sum[1-2]', 't.py::test_sum[2-3]'))]
    expect(lost(base, [run('pytest', ones('t.py::test_sum[5-6]', 't.py::test_sum[7-8]'))]).names).toEqual([])
    expect(lost(base, [run('pytest', ones('t.py::test_sum[5-6]'))]).names).toEqual([
      { name: 't.py::test_sum[2-3]', fewer: 1 },
    ])
  })

  test('are known by number alone if no names are given', () => {
    expect(lost([run('mocha', [], { ran: 12 })], [run('mocha', [], { ran: 10 })])).toEqual({
      names: [],
      unnamed: 2,
    })
  })

  test('of a class that repeats flaky ones are not missed while as many ran in all', () => {
    const base = [run('maven', [['a.FlakyTest', 2]], { ran: 1 })]
    expect(lost(base, [run('maven', [['a.FlakyTest', 1]])])).toEqual({ names: [], unnamed: 0 })
  })
})

describe('another runner', () => {
  const jest = (...files: string[]) => run('jest', ones(...files), { ran: 2 * files.length })

  test('replaces the former one if it runs the same files and as many tests', () => {
    const taken = missingTests(
      [jest('a.test.js', 'b.test.js')],
      [
        run('vitest', [
          ['a.test.js', 2],
          ['b.test.js', 2],
        ]),
      ],
    )
    expect(taken).toMatchObject({ ...none, unknown: [] })
    expect(insteadText(taken)).toBe('the tests are run by vitest now, and no longer by jest')
  })

  test('does not make up for a file by more tests in another', () => {
    expect(lost([jest('a.test.js', 'b.test.js')], [run('vitest', [['a.test.js', 9]])])).toEqual({
      names: [{ name: 'b.test.js', fewer: 1 }],
      unnamed: 0,
    })
  })

  test('runs as many as both of the two that it replaced', () => {
    const both = [run('jest', [], { ran: 3 }), run('mocha', [], { ran: 3 })]
    expect(lost(both, [run('vitest', [['a.test.js', 4]])])).toEqual({ names: [], unnamed: 2 })
    expect(lost(both, [run('vitest', [['a.test.js', 6]])])).toEqual(none)
  })

  test('is compared by the names of tests, or by number if only one of them gives names', () => {
    const unittest = [run('unittest', ones('test_a (tests.test_shop.Cart.test_a)', 'test_b (tests.test_shop.Cart)'))]
    expect(
      lost(unittest, [run('pytest', ones('tests/test_shop.py::Cart::test_a', 'tests/test_shop.py::test_c'))]),
    ).toEqual({
      names: [{ name: 'test_b (tests.test_shop.Cart)', fewer: 1 }],
      unnamed: 0,
    })
    expect(lost(unittest, [run('pytest', [['tests/test_shop.py', 2]])])).toEqual(none)
    expect(lost(unittest, [run('pytest', [['tests/test_shop.py', 1]])])).toEqual({ names: [], unnamed: 1 })
    expect(lost([run('mocha', [], { ran: 12 })], [run('node-test', ones('a', 'b'))])).toEqual({
      names: [],
      unnamed: 10,
    })
  })

  test('is not known to run the same if neither names nor number can be compared', () => {
    const taken = missingTests(
      [run('go-test', ones('example.com/shop'), { ran: null })],
      [run('gotestsum', [], { ran: 12 })],
    )
    expect(taken).toMatchObject(none)
    expect(unknownText(taken)).toBe(
      'the tests are run by gotestsum now, and no longer by go-test, and its output does not say which of the former tests ran: have it print their names',
    )
  })

  test('beside a remaining one makes up only for tests that it names', () => {
    const base = [
      run('vitest', [
        ['a.test.ts', 3],
        ['b.test.ts', 3],
      ]),
    ]
    const kept = run('vitest', [['a.test.ts', 3]])
    expect(lost(base, [kept, run('node-test', ones('x', 'y', 'z'))]).names).toEqual([{ name: 'b.test.ts', fewer: 3 }])
    expect(lost(base, [kept, run('jest', ones('b.test.ts'), { ran: 3 })])).toEqual(none)
  })
})

test('missing tests are reported with their number and the first of their names', () => {
  expect(missingText({ names: [], unnamed: 0 })).toBeNull()
  expect(missingText({ names: [{ name: 'a > b', fewer: 2, whole: true, gone: [] }], unnamed: 1 })).toBe(
    '3 tests that ran before the change did not run: a > b',
  )
})

test("names beyond a runner's count were printed by something else, unless they were there before", () => {
  const named = (tool: string, ran: number, ...names: readonly string[]) =>
    run(
      tool,
      names.map((name) => [name, 1]),
      { ran, passed: ran },
    )
  const base = named('cargo-test', 2, 'shop adds', 'shop totals')
  // One of the former names is only printed by a test, and a new test makes up for the number.
  const printed = missingTests([base], [named('cargo-test', 2, 'shop adds', 'shop totals', 'shop other')])
  expect(printed).toMatchObject({ names: [], unnamed: 0, printed: ['cargo-test'] })
  expect(printedText(printed)).toContain('names more tests than cargo-test counts')
  const nested = named('cargo-test', 1, 'shop adds', 'shop inner')
  expect(missingTests([nested], [nested]).printed).toEqual([])
  // This runner mixes the tests' output with its own lines.
  const mocha = named('mocha', 2, 'adds', 'totals')
  expect(missingTests([mocha], [named('mocha', 2, 'adds', 'totals', 'installed')]).printed).toEqual([])
})

test('a number that is no longer given is missed', () => {
  const counted = (ran: number | null) => run('boost-test', [], { ran, stopped: true })
  expect(missingTests([counted(4)], [counted(null)]).unknown).toEqual(['boost-test'])
  expect(missingTests([counted(null)], [counted(null)]).unknown).toEqual([])
})
