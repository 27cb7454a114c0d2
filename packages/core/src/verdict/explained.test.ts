import { describe, expect, test } from 'vitest'
import type { ToolTests, TestUnit } from '../digest/tests-run.ts'
import { each, file, renamed } from '../testing/sample-patch.ts'
import { unexplained, type Change } from './explained.ts'
import { missingTests } from './missing-tests.ts'
import { titlesIn, touchedFile, type TouchedFile } from './touched.ts'
import { longTest } from '../testing/long-test.ts'

const run = (units: readonly TestUnit[], own: Partial<ToolTests> = {}): ToolTests => {
  const ran = units.reduce((sum, [, count]) => sum + count, 0)
  return { tool: 'vitest', failures: 0, ran, passed: ran, units, unrun: [], stopped: false, ...own }
}
type Files = readonly Parameters<typeof touchedFile>[0][]

/** The names of tests that are still missing with their numbers, and the number without names. */
function open(base: ToolTests, now: ToolTests, files: Files, more: Partial<Change> = {}) {
  const touched = files.map(touchedFile)
  const { names, unnamed } = unexplained(missingTests([base], [now]), {
    touched,
    paths: files.map((one, at) => touched[at]?.former ?? one.path),
    folder: '',
    base: [base],
    now: [now],
    ...more,
  })
  return [...names.map(({ name, fewer }) => `${name} ${fewer}`), ...(unnamed > 0 ? [unnamed] : [])]
}
const ones = (...names: string[]) => run(names.map((name) => [name, 1]))

describe('a missing test with a name', () => {
  const base = ones('shop cart::tests::total', 'shop cart::tests::first')
  const now = ones('shop cart::tests::first')
  const rust = (path: string, line: string) =>
    file(path, ` mod tests {\n-    #[test]\n-    fn ${line}() {\n-        assert_eq!(add(1, 2), 3);\n-    }`)

  test('is explained by the removal of its own first line, and of no other', () => {
    expect(open(base, now, [rust('src/cart.rs', 'total')])).toEqual([])
    expect(
      open(base, now, [
        file(
          'src/cart.rs',
          ' mod tests {\n     #[test]\n     fn total() {\n-        assert_eq!(total(), 3);\n+        assert_eq!(total(), 4);',
        ),
      ]),
    ).toHaveLength(1)
    expect(open(base, now, [file('src/order.rs', '-    let s = cart.total();')])).toHaveLength(1)
  })

  test('is not explained if the line is there again', () => {
    const skips = file('a.test.mjs', "-test('adds', () => {\n+test('adds', { timeout: 1 }, () => {")
    expect(open(ones('adds', 'doubles'), ones('doubles'), [skips])).toEqual(['adds 1'])
    const moves = [
      file('a.test.mjs', each("test('adds', () => {\n})", '-'), 'D'),
      file('b.test.mjs', each("test('adds', () => {\n})", '+'), 'A'),
    ]
    expect(open(ones('adds', 'doubles'), ones('doubles'), moves)).toEqual(['adds 1'])
  })

  test.each<[string, string, string, string]>([
    ['it.skip', 'adds', 'a.test.mjs', "-test('adds', () => {\n+test.skip('adds', () => {\n   assert.equal(add(1), 2)"],
    [
      '#[ignore]',
      'shop tests::adds',
      'src/lib.rs',
      ' mod tests {\n     #[test]\n+    #[ignore]\n     fn adds() {\n         assert_eq!(add(1), 2);',
    ],
    [
      '@pytest.mark.skip',
      'tests/test_a.py::test_adds',
      'tests/test_a.py',
      '+@pytest.mark.skip\n def test_adds():\n     assert add(1) == 2',
    ],
    [
      't.Skip()',
      'example.com/shop TestAdds',
      'shop_test.go',
      ' func TestAdds(t *testing.T) {\n+\tt.Skip()\n \tif Add(1) != 2 {',
    ],
  ])('is for the guard if %s keeps it from running', (_, name, path, lines) => {
    expect(open(ones(name, 'other'), ones('other'), [file(path, lines)])).toEqual([])
    expect(open(ones(name, 'another', 'other'), ones('other'), [file(path, lines)])).toEqual(['another 1'])
  })

  test('is explained once for each missing one', () => {
    const two = ones('shop cart::tests::total', 'shop order::tests::total')
    expect(open(two, ones(), [rust('src/order.rs', 'total')])).toEqual(['shop cart::tests::total 1'])
  })

  test.each<[string, string, string, string]>([
    [
      'unittest',
      'test_b (tests.test_a.Cart.test_b)',
      'tests/test_a.py',
      '-    def test_b(self):\n-        self.assertEqual(add(1), 2)',
    ],
    [
      'pytest',
      'tests/test_a.py::Cart::test_b',
      'tests/test_a.py',
      '-    def test_b(self):\n-        assert add(1) == 2',
    ],
    ['GoogleTest', 'Cart.Adds', 'cart_test.cc', '-TEST(Cart, Adds) {\n-  EXPECT_EQ(add(1), 2);\n-}'],
    [
      'Go',
      'example.com/shop TestTotal',
      'shop_test.go',
      '-func TestTotal(t *testing.T) {\n-\tif Total() != 2 {\n-\t\tt.Fatal()',
    ],
    ['Node', 'cart > adds one', 'a.test.mjs', "-  test('adds one', () => {\n-    assert.equal(add(1), 2)"],
    [
      'a package',
      '@shop/cart: cart > adds one',
      'packages/cart/a.test.mjs',
      "-  test('adds one', () => {\n-    assert.equal(add(1), 2)",
    ],
    ['ExUnit', 'test adds one', 'test/cart_test.exs', '-  test "adds one" do\n-    assert add(1) == 2'],
    [
      'a table of Jest',
      'cart > adds 1 and 2',
      'a.test.js',
      "-  it.each([[1, 2]])('adds %i and %i', (a, b) => {\n-    expect(add(a, b)).toBe(3)",
    ],
    ['a loop', 'adds 7 apples', 'a.test.js', '-  it(`adds ${count} apples`, () => {\n-    expect(add(count)).toBe(8)'],
  ])('is found in the form that %s gives it', (_, name, path, lines) => {
    expect(open(ones(name, 'other'), ones('other'), [file(path, lines)])).toEqual([])
    expect(open(ones(name, 'other'), ones('other'), [file(path, ' here\n-there')])).toHaveLength(1)
  })

  test('whose name no source shows is explained by one removed test each', () => {
    const gone = file('a.test.mjs', '-  test(nameOf(row), () => {\n-    assert.equal(add(1), 2)')
    expect(open(ones('x', 'sum of 1', 'kept'), ones('kept'), [gone])).toHaveLength(2)
    expect(open(ones('sum of 1', 'kept'), ones('kept'), [gone])).toEqual([])
    expect(open(run([['sum of 1', 545]]), ones(), [gone])).toEqual(['sum of 1 545'])
  })
})

describe('a missing file of tests', () => {
  const four = run([
    ['a/x.test.ts', 5],
    ['b/x.test.ts', 5],
  ])
  const test1 = "it('adds', () => {\n  expect(add(1)).toBe(2)\n})"

  test('may lose as many as its lines say, and not all for one of them', () => {
    const fewer = (count: number) =>
      run([
        ['a/x.test.ts', count],
        ['b/x.test.ts', 5],
      ])
    const one = file('a/x.test.ts', each(test1, '-'))
    expect(open(four, fewer(4), [one])).toEqual([])
    expect(open(four, fewer(1), [one])).toEqual(['a/x.test.ts 3'])
    expect(open(four, fewer(4), [file('a/x.test.ts', ' here\n-  const unused = 1')])).toEqual(['a/x.test.ts 1'])
    const anew = file('a/x.test.ts', `${each(test1, '-')}\n${each(test1.replace('adds', 'sums'), '+')}`)
    expect(open(four, fewer(4), [anew])).toEqual(['a/x.test.ts 1'])
  })

  test('that its runner names without a number is explained by no line of it, since the rest would keep its name', () => {
    // Jest: two files with five tests each, and four more in the second one.
    const base = run(
      [
        ['a.test.js', 1],
        ['b.test.js', 1],
      ],
      { tool: 'jest', ran: 10 },
    )
    const now = run([['b.test.js', 1]], { tool: 'jest', ran: 9 })
    const lines = each(test1, '-')
    expect(open(base, now, [file('a.test.js', lines)])).toEqual(['a.test.js 1'])
    expect(open(base, now, [file('a.test.js', lines, 'D')])).toEqual([])
    expect(open(base, now, [file('a.test.js', "-it('adds', () => {\n+it.skip('adds', () => {\n   a()")])).toEqual([])
    const renames = run(
      [
        ['b.test.js', 1],
        ['c.test.js', 1],
      ],
      { tool: 'jest', ran: 10 },
    )
    expect(open(base, renames, [renamed('a.test.js', 'c.test.js')])).toEqual([])
  })

  test('is its own, though another has the same name', () => {
    const now = run([['a/x.test.ts', 5]])
    expect(
      open(four, now, [file('a/x.test.ts', each(test1, '-'), 'D')], { paths: ['a/x.test.ts', 'b/x.test.ts'] }),
    ).toEqual(['b/x.test.ts 5'])
    expect(
      open(four, now, [file('b/x.test.ts', each(test1, '-'), 'D')], { paths: ['a/x.test.ts', 'b/x.test.ts'] }),
    ).toEqual([])
  })

  test('that may be several files loses no more than its lines say', () => {
    const paths = ['a/x.test.ts', 'b/x.test.ts']
    const deleted = file('b/x.test.ts', each(test1, '-'), 'D')
    expect(open(run([['x.test.ts', 10]]), run([['x.test.ts', 9]]), [deleted], { paths })).toEqual([])
    expect(open(run([['x.test.ts', 10]]), run([['x.test.ts', 5]]), [deleted], { paths })).toEqual(['x.test.ts 4'])
    expect(open(run([['x.test.ts', 10]]), run([]), [deleted], { paths, folder: 'b' })).toEqual([])
  })

  test('may be deleted, and may be renamed if it runs under its new name', () => {
    const base = run([['tests/a.py', 4]])
    const kept = run([['tests/b.py', 4]])
    expect(open(base, run([]), [file('tests/a.py', '-def test_a():\n-    assert add(1) == 2', 'D')])).toEqual([])
    expect(open(base, kept, [renamed('tests/a.py', 'tests/b.py')])).toEqual([])
    expect(open(base, run([]), [renamed('tests/a.py', 'tests/b.py')])).toEqual(['tests/a.py 4'])
    const anew = [
      file('tests/a.py', '-def test_a():\n-    assert add(1) == 2', 'D'),
      file('tests/b.py', '+def test_a():\n+    assert add(1) == 2', 'A'),
    ]
    expect(open(run([['tests/a.py', 1]]), run([['tests/b.py', 1]]), anew)).toEqual([])
    expect(open(run([['tests/a.py', 1]]), run([]), anew)).toEqual(['tests/a.py 1'])
  })

  test.each([
    ['pnpm -r', 'packages/a: src/x.test.ts', 'packages/a: src/y.test.ts'],
    ['turbo', '@shop/a: src/x.test.ts', '@shop/a: src/y.test.ts'],
    ['a runner of the root', 'packages/a/src/x.test.ts', 'packages/a/src/y.test.ts'],
  ])('may be renamed in a package, as %s reports it', (_, name, now) => {
    const files = [renamed('packages/a/src/x.test.ts', 'packages/a/src/y.test.ts')]
    const other: TestUnit = [name.replace(/(packages|@shop)\/a/, '$1/b'), 2]
    const paths = ['packages/a/src/x.test.ts', 'packages/b/src/x.test.ts']
    expect(open(run([[name, 3], other]), run([[now, 3], other]), files, { paths })).toEqual([])
    expect(open(run([[name, 3], other]), run([[now, 3]]), files, { paths })).toEqual([`${other[0]} 2`])
  })

  test('is the file of a class, and a package of Go is its folder', () => {
    const java = run([['com.example.CartTest', 2]])
    const lines = '-    @Test\n-    void adds() {\n-        assertEquals(2, add(1));'
    expect(open(java, run([]), [file('src/test/java/com/example/CartTest.java', lines, 'D')])).toEqual([])
    expect(
      open(java, run([['com.example.CartTest', 1]]), [file('src/test/java/com/example/CartTest.java', lines)]),
    ).toEqual([])
    expect(open(java, run([]), [file('src/test/java/com/example/CartTest.java', lines)])).toHaveLength(1)
    expect(open(java, run([]), [file('src/main/java/Cart.java', '-x', 'D')])).toHaveLength(1)
    const go = ones('example.com/shop/cart')
    const gone = '-func TestA(t *testing.T) {\n-\tt.Fatal()'
    expect(open(go, run([]), [file('cart/cart_test.go', gone, 'D')])).toEqual([])
    expect(open(go, run([]), [file('cart/cart_test.go', '-\t// a comment')])).toHaveLength(1)
    const moves = [renamed('cart/cart_test.go', 'pkg/cart/cart_test.go')]
    expect(open(go, ones('example.com/shop/pkg/cart'), moves)).toEqual([])
    expect(open(go, run([]), moves)).toHaveLength(1)
    expect(open(go, run([]), [renamed('cart/cart_test.go', 'cart/total_test.go')])).toHaveLength(1)
    const more = { paths: ['cart/cart_test.go', 'cart/more_test.go'] }
    expect(open(go, run([]), [file('cart/cart_test.go', gone, 'D')], more)).toHaveLength(1)
  })

  test('whose table lost rows lost as many tests', () => {
    const rows = file('sum.test.ts', " it.each([\n   [1, 2, 3],\n-  [2, 3, 5],\n ])('adds', (a, b, c) => {")
    expect(open(run([['sum.test.ts', 6]]), run([['sum.test.ts', 5]]), [rows])).toEqual([])
    expect(open(run([['sum.test.ts', 6]]), run([['sum.test.ts', 4]]), [rows])).toEqual(['sum.test.ts 1'])
  })
})

test('an example in the documentation goes with its text, or with its subject', () => {
  const base = ones('shop src/lib.rs - cart::total (line 12)', 'shop tests::first')
  const now = ones('shop tests::first')
  expect(open(base, now, [file('src/lib.rs', '-/// ```\n-/// assert_eq!(total(), 1);\n-/// ```')])).toEqual([])
  expect(open(base, now, [file('src/lib.rs', '-pub fn total() -> u32 {')])).toEqual([])
  expect(open(base, now, [file('src/lib.rs', '-pub fn other() -> u32 {')])).toHaveLength(1)
})

test('tests without a name are explained by their number', () => {
  const mocha = (ran: number) => run([], { ran })
  const gone = file('a.test.js', "-it('adds', () => {\n-  expect(add(1)).to.equal(2)\n-})")
  expect(open(mocha(12), mocha(11), [gone])).toEqual([])
  expect(open(mocha(12), mocha(10), [gone])).toEqual([1])
})

longTest('ten thousand tests and ten thousand lines are each looked at once', () => {
  let read = 0
  const lines = Array.from({ length: 10_000 }, (_, at) => ({
    title: `gone ${at}`,
    parts: at % 2 === 0 ? ['gone ', ' of'] : null,
  }))
  const counting: TouchedFile = {
    ...touchedFile(file('a.test.ts', '-x')),
    get removed() {
      read += 1
      return lines
    },
  }
  const names = Array.from({ length: 10_000 }, (_, at) => `kept ${at}`)
  const base = ones(
    ...names.map((name, at) => `${name} ${String.fromCharCode(97 + (at % 26))}${at.toString(36).replace(/\d/g, 'q')}`),
  )
  const missing = missingTests([base], [ones('other')])
  expect(missing.names.length).toBeGreaterThan(1000)
  let matched = 0
  const parts = new Proxy(lines[0]?.parts ?? [], {
    get(target, key, receiver) {
      if (key === Symbol.iterator) matched += 1
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  for (const line of lines) if (line.parts !== null) line.parts = parts as string[]
  unexplained(missing, { touched: [counting], paths: ['a.test.ts'], folder: '', base: [base], now: [] })
  expect(read).toBeLessThan(5)
  expect(matched).toBeLessThanOrEqual(200_000)
})

test('a test with a generated name explains no test that the sources still have by its own', () => {
  const base = ones('does one', 'does two', 'does 7')
  const gone = file('a.test.js', '-test(`does ${n}`, () => {\n-  expect(n).toBe(7)\n-})')
  const titles = new Set(
    titlesIn('test(\'does one\', () => {})\n  it("does two", () => {\ntest(`does ${n}`, () => {})'),
  )
  expect([...titles]).toEqual(['does one', 'does two'])
  expect(open(base, ones('other'), [gone], { titles })).toEqual(['does one 1', 'does two 1'])
  expect(open(base, ones('other'), [gone])).toEqual([])
})
