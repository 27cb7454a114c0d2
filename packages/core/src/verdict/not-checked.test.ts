import { describe, expect, test, vi } from 'vitest'
import type { ToolTests } from '../digest/tests-run.ts'
import { leftFor, opaqueText, partsByHeads, partsFor, unrunIn } from './not-checked.ts'

const run = (own: Partial<ToolTests>): ToolTests => ({
  tool: 'pytest',
  failures: 0,
  ran: 3,
  passed: 3,
  units: [],
  unrun: [],
  stopped: false,
  ...own,
})

describe('a part that could not run on the base', () => {
  test('stays unchecked unless it ran now', () => {
    const base = [run({ unrun: ['tests/test_a.py', 'tests/test_b.py'] })]
    expect(unrunIn(base, [run({ unrun: ['tests/test_a.py'], units: [['tests/test_b.py', 2]] })]).parts).toEqual([
      'tests/test_a.py',
    ])
  })

  test('is everything after the first failure of a runner that stopped there, until it no longer stops', () => {
    const base = [run({ tool: 'cargo-test', stopped: true })]
    expect(unrunIn(base, [run({ tool: 'cargo-test', stopped: true })]).stopped).toEqual(['cargo-test'])
    expect(unrunIn(base, [run({ tool: 'cargo-test' })]).stopped).toEqual([])
  })

  test('may be a program that fails there and now, as far as it does not name its tests', () => {
    const base = [run({ tool: 'ctest', opaque: ['cart', 'shop', 'till'] })]
    expect(unrunIn(base, [run({ tool: 'ctest', opaque: ['cart', 'new'] })])).toEqual({
      parts: [],
      opaque: ['cart'],
      stopped: [],
    })
    expect(opaqueText('cart')).toBe('cart fails on the base, and does not name which of its tests do')
  })

  const all = ['src/pkg/b64.py', 'src/pkg/urls.py', 'tests/test_b64.py', 'README.md']
  const b64 = [{ part: 'tests/test_b64.py', imports: '' }]

  test('concerns work on the code that its name points to', () => {
    expect(partsFor(b64, ['src/pkg/b64.py'], all)).toEqual(['tests/test_b64.py'])
    expect(partsFor(b64, ['src/pkg/urls.py'], all)).toEqual([])
  })

  test('concerns its imports', () => {
    const encoding = [{ part: 'tests/test_encoding.py', imports: 'from pkg.urls import quote' }]
    // It also imports the package, and with it everything in its folder.
    expect(partsFor(encoding, ['src/pkg/urls.py'], all)).toEqual(['tests/test_encoding.py'])
  })

  test('concerns any work if nothing says what it is about', () => {
    const odd = [{ part: 'tests/test_regressions.py', imports: '' }]
    expect(partsFor(odd, ['src/pkg/urls.py'], all)).toEqual(['tests/test_regressions.py'])
  })

  test('concerns no work on documents or on tests alone', () => {
    expect(partsFor(b64, ['README.md', 'tests/test_urls.py'], all)).toEqual([])
  })

  test('may be a crate or a package, which are folders', () => {
    const files = ['crates/mdbook-core/src/lib.rs', 'crates/mdbook-html/src/lib.rs', 'cart/cart.go', 'api/api.go']
    expect(partsFor([{ part: 'mdbook-core', imports: '' }], ['crates/mdbook-html/src/lib.rs'], files)).toEqual([])
    expect(partsFor([{ part: 'mdbook-core', imports: '' }], ['crates/mdbook-core/src/lib.rs'], files)).toHaveLength(1)
    expect(partsFor([{ part: 'example.com/shop/cart', imports: '' }], ['api/api.go'], files)).toEqual([])
    expect(partsFor([{ part: 'example.com/shop/cart', imports: '' }], ['cart/cart.go'], files)).toHaveLength(1)
  })
})

test('a crate whose tests ran now has been checked', () => {
  const base = [run({ tool: 'cargo-test', unrun: ['shop-core'] })]
  expect(unrunIn(base, [run({ tool: 'cargo-test', units: [['shop_core tests::sums', 1]] })]).parts).toEqual([])
  expect(unrunIn(base, [run({ tool: 'cargo-test', units: [['shop_web tests::sums', 1]] })]).parts).toEqual([
    'shop-core',
  ])
})

test('a file of a package whose tests ran now by their names has been checked', () => {
  const base = [run({ unrun: ['packages/a: tests/test_x.py'] })]
  const now = run({ units: [['packages/a: tests/test_x.py::test_one', 1]] })
  expect(unrunIn(base, [now]).parts).toEqual([])
  expect(unrunIn(base, [run({ units: [['packages/b: tests/test_x.py::test_one', 1]] })]).parts).toHaveLength(1)
})

test('the imports of each possible file say what a part is about', () => {
  const all = ['src/pkg/b64.py', 'src/pkg/urls.py']
  const heads = ['import os\nx = 1\n', 'from urls import quote\n']
  const asked = (files: number[], changed: string) =>
    partsByHeads({ parts: [{ part: 'tests/test_encoding.py', files }], heads, changed: [changed], all })
  expect(asked([0, 1], 'src/pkg/urls.py')).toEqual(['tests/test_encoding.py'])
  expect(asked([0, 1], 'src/pkg/b64.py')).toEqual([])
  // Nothing names its subject.
  expect(asked([0], 'src/pkg/b64.py')).toEqual(['tests/test_encoding.py'])
})

test('each part is looked up among the names of many paths, which are not searched one by one', () => {
  const all = Array.from({ length: 100 }, (_, at) => `src/m${at}.py`)
  const parts = Array.from({ length: 50 }, (_, at) => ({ part: `tests/test_q${at}.py`, imports: '' }))
  const has = vi.spyOn(Set.prototype, 'has')
  expect(partsFor(parts, ['src/m0.py'], all)).toHaveLength(50)
  expect(has.mock.calls.length).toBeLessThan(2_000)
  has.mockRestore()
})

test('code in a folder whose tests no check runs is not checked', () => {
  const left = ['deep/a', 'deep/a/b', 'deep/c']
  const of = (...changed: string[]) => leftFor(left, changed)
  expect(of('deep/a/x.go', 'deep/a/b/src/y.go', 'deep/ab/z.go', 'main.go')).toEqual(['deep/a', 'deep/a/b'])
  expect(of('deep/c/README.md', 'deep/c/x_test.go')).toEqual([])
})
