import { describe, expect, test } from 'vitest'
import type { ToolTests, TestUnit } from '../digest/tests-run.ts'
import { missingTests, missingText, unexplained } from './missing-tests.ts'

const run = (tool: string, units: readonly TestUnit[], own: Partial<ToolTests> = {}): ToolTests => {
  const ran = units.reduce((sum, [, count]) => sum + count, 0)
  return { tool, failures: 0, ran, passed: ran, units, unrun: [], stopped: false, ...own }
}
const ones = (...names: string[]): TestUnit[] => names.map((name) => [name, 1])

describe('tests that ran on the base', () => {
  test('are missing where they do not run any more, whatever else does', () => {
    const base = [run('cargo-test', ones('shop tests::sums', 'shop tests::first'))]
    const now = [run('cargo-test', ones('shop tests::sums', 'shop tests::other'))]
    expect(missingTests(base, now)).toEqual({ names: [{ name: 'shop tests::first', fewer: 1 }], unnamed: 0 })
    expect(missingTests(base, base)).toEqual({ names: [], unnamed: 0 })
  })

  test('are all missing where their runner was not seen at all', () => {
    expect(missingTests([run('pytest', [['tests/test_a.py', 9]])], [])).toEqual({
      names: [{ name: 'tests/test_a.py', fewer: 9 }],
      unnamed: 0,
    })
    expect(missingTests([run('go-test', ones('example.com/shop'), { ran: null })], [])).toMatchObject({
      names: [{ name: 'example.com/shop' }],
    })
  })

  test('of one of two runners are missed, though the other runs as many as before', () => {
    const base = [run('node-test', [], { ran: 545 }), run('jest', ones('a.test.js'), { ran: 1 })]
    expect(missingTests(base, [run('jest', ones('a.test.js'), { ran: 1 })])).toEqual({ names: [], unnamed: 545 })
  })

  test('may be run by another runner that runs as many', () => {
    const base = [run('jest', ones('a.test.js'), { ran: 3 })]
    expect(missingTests(base, [run('vitest', [['a.test.js', 4]])])).toEqual({ names: [], unnamed: 0 })
    expect(missingTests(base, [run('vitest', [['a.test.js', 2]])]).names).toHaveLength(1)
  })

  test('that moved to another group or file are there', () => {
    const base = [run('vitest', ones('auth > logs in', 'auth > logs out'))]
    const now = [run('vitest', ones('session > logs in', 'session > logs out'))]
    expect(missingTests(base, now)).toEqual({ names: [], unnamed: 0 })
  })

  test('are counted by table: a case less is missing, another value is not', () => {
    const base = [run('pytest', ones('t.py::test_sum[1-2]', 't.py::test_sum[2-3]'))]
    expect(missingTests(base, [run('pytest', ones('t.py::test_sum[5-6]', 't.py::test_sum[7-8]'))]).names).toEqual([])
    expect(missingTests(base, [run('pytest', ones('t.py::test_sum[5-6]'))]).names).toEqual([
      { name: 't.py::test_sum[1-2]', fewer: 1 },
    ])
  })

  test('are known by number alone where no names are told', () => {
    expect(missingTests([run('mocha', [], { ran: 12 })], [run('mocha', [], { ran: 10 })])).toEqual({
      names: [],
      unnamed: 2,
    })
  })

  test('of a class that repeats flaky ones are not missed while as many ran in all', () => {
    const base = [run('maven', [['a.FlakyTest', 2]], { ran: 1 })]
    expect(missingTests(base, [run('maven', [['a.FlakyTest', 1]])])).toEqual({ names: [], unnamed: 0 })
  })
})

describe('a change explains', () => {
  const lacking = (name: string) => [{ name, fewer: 1 }]

  test('a test whose name it takes away', () => {
    const touched = [{ path: 'src/lib.rs', removed: 'fn first() {' }]
    expect(unexplained(lacking('shop tests::first'), touched, 0)).toEqual([])
    expect(unexplained(lacking('shop tests::other'), touched, 0)).toHaveLength(1)
  })

  test('a file that it renames, deletes or shortens, and none to which it only adds', () => {
    expect(unexplained(lacking('tests/test_a.py'), [{ path: 'tests/test_a.py', removed: 'assert x' }], 0)).toEqual([])
    const renamed = { path: 'tests/test_b.py', oldPath: 'tests/test_a.py', removed: '' }
    expect(unexplained(lacking('tests/test_a.py'), [renamed], 0)).toEqual([])
    expect(unexplained(lacking('tests/test_a.py'), [{ path: 'tests/test_a.py', removed: '' }], 0)).toHaveLength(1)
  })

  test('a class by its file, a package by its folder, an example in the documentation by its source', () => {
    const gone = (path: string) => [{ path, removed: 'x' }]
    expect(unexplained(lacking('com.example.CartTest'), gone('src/test/java/com/example/CartTest.java'), 0)).toEqual([])
    expect(unexplained(lacking('example.com/shop/cart'), gone('cart/cart_test.go'), 0)).toEqual([])
    expect(unexplained(lacking('shop src/lib.rs - total (line 12)'), gone('src/lib.rs'), 0)).toEqual([])
    expect(unexplained(lacking('com.example.CartTest'), gone('src/main/java/Cart.java'), 0)).toHaveLength(1)
  })

  test('names made while the tests run, as many as it takes away', () => {
    expect(unexplained(lacking('adds one and two'), [], 1)).toEqual([])
    expect(unexplained([...lacking('adds one and two'), ...lacking('other')], [], 1)).toHaveLength(2)
  })
})

test('missing tests are told with their number and the first of their names', () => {
  expect(missingText({ names: [], unnamed: 0 })).toBeNull()
  expect(missingText({ names: [{ name: 'a > b', fewer: 2 }], unnamed: 1 })).toBe(
    '3 tests that ran before the change did not run: a > b',
  )
})

describe('a small change', () => {
  test('explains no more tests than it takes away', () => {
    expect(unexplained([{ name: 'adds one', fewer: 545 }], [], 1)).toHaveLength(1)
  })

  test('of a line that only uses a name explains no test of that name', () => {
    const use = [{ path: 'src/order.rs', removed: '    let s = cart.total();' }]
    expect(unexplained([{ name: 'shop cart::tests::total', fewer: 1 }], use, 0)).toHaveLength(1)
    const gone = [{ path: 'src/cart.rs', removed: '    fn total() {' }]
    expect(unexplained([{ name: 'shop cart::tests::total', fewer: 1 }], gone, 0)).toEqual([])
  })

  test('hides no file behind another that runs more', () => {
    const base = [run('vitest', [['a.test.ts', 50]])]
    const now = [
      run('vitest', [
        ['a.test.ts', 1],
        ['c.test.ts', 49],
      ]),
    ]
    expect(missingTests(base, now).names).toEqual([{ name: 'a.test.ts', fewer: 49 }])
    const versions = [run('pytest', [['test_v1.py', 2]])]
    expect(missingTests(versions, [run('pytest', [['test_v2.py', 2]])]).names).toHaveLength(1)
  })
})
