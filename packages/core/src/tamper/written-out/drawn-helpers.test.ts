import { describe, expect, test } from 'vitest'
import { each, file, found } from '../../testing/sample-patch.ts'

const gone = [
  `  expect(cart.total).toBe(90)\n  expect(cart.items).toHaveLength(2)`,
  `  expect(cart.total).toBe(50)\n  expect(cart.items).toHaveLength(1)`,
]
const calls = ['  checkCart(cart, 90, 2)', '  checkCart(cart, 50, 1)']
const helper = `function checkCart(cart: Cart, total: number, count: number) {
  expect(cart.total).toBe(total)
  expect(cart.items).toHaveLength(count)
}`

/** Two tests whose assertions are in a helper now. */
const drawn = (helper: string, [one = '', other = ''] = calls, path = 'cart.test.ts') =>
  file(
    path,
    [
      " import { Cart } from '../cart'",
      each(helper, '+'),
      " it('takes ten percent off', () => {",
      '   const cart = new Cart(100, 10)',
      each(gone[0] ?? '', '-'),
      each(one, '+'),
      ' })',
      " it('takes half off', () => {",
      '   const cart = new Cart(100, 50)',
      each(gone[1] ?? '', '-'),
      each(other, '+'),
      ' })',
    ].join('\n'),
  )

describe('assertions that are in a helper now', () => {
  test.each([
    ['a function', helper, calls],
    ['a constant', helper.replace('function checkCart', 'const checkCart =').replace(') {', '): void => {'), calls],
    [
      'one with a local value',
      helper.replace('{\n', '{\n  const total2 = total\n').replace('toBe(total)', 'toBe(total2)'),
      calls,
    ],
    ['one that is waited for', `async ${helper}`, calls.map((call) => call.replace('check', 'await check'))],
    [
      'one named like an assertion',
      helper.replace('checkCart', 'assertCart'),
      calls.map((call) => call.replace('checkCart', 'assertCart')),
    ],
  ])('count at each call: %s', (_, text, by) => {
    expect(found(drawn(text, by))).toEqual([])
  })

  test.each([
    ['one that asks for less', helper.replace('  expect(cart.items).toHaveLength(count)\n', ''), calls],
    [
      'one that only asks whether it is there',
      helper.replaceAll(/\.to(Be|HaveLength)\(\w+\)/g, '.toBeDefined()'),
      calls,
    ],
    ['one that ends before', helper.replace('{\n', '{\n  if (cart.total) return\n'), calls],
    [
      'one with a condition',
      helper.replace('{\n  ', '{\n  if (total > 1000) {\n    ').replace(/\n\}$/, '\n  }\n}'),
      calls,
    ],
    ['one that sets what it compares', helper.replace('{\n', '{\n  cart.total = total\n'), calls],
    [
      'one whose value is asked of the result',
      helper.replace('{\n', '{\n  const wanted = cart.total\n').replace('toBe(total)', 'toBe(wanted)'),
      calls,
    ],
    [
      'one whose value is the result by default',
      helper.replace('total: number, count: number', 'count: number, total = cart.total'),
      ['  checkCart(cart, 2)', '  checkCart(cart, 1)'],
    ],
    ['one that nothing waits for', `async ${helper}`, calls],
    ['one that is called in one of two tests', helper, calls.slice(0, 1)],
    ['one that is defined again', `${helper}\nfunction checkCart(cart, total) {\n}`, calls],
    [
      'one that is replaced',
      `let ${helper.replace('function checkCart', 'checkCart =').replace(') {', ') => {')}\ncheckCart = () => {}`,
      calls,
    ],
    [
      'one that gets the result itself',
      helper,
      calls.map((call) => call.replace(/\d+, \d/, 'cart.total, cart.items.length')),
    ],
  ])('do not count if it is %s', (_, text, by) => {
    expect(found(drawn(text, by))).not.toEqual([])
  })

  test('count in Python, by name, too', () => {
    const change = (body: string) =>
      file(
        'test_cart.py',
        `+def check_cart(cart, total, count):\n${each(body, '+')}\n+\n def test_ten():\n     cart = make(100, 10)\n-    assert cart.total == 90\n-    assert len(cart.items) == 2\n+    check_cart(cart, total=90, count=2)\n \n def test_half():\n     cart = make(100, 50)\n-    assert cart.total == 50\n-    assert len(cart.items) == 1\n+    check_cart(cart, 50, count=1)`,
      )
    expect(found(change('    assert cart.total == total\n    assert len(cart.items) == count'))).toEqual([])
    expect(found(change('    assert cart.total == total'))).not.toEqual([])
    expect(found(change('    assert cart.total == total\n    yield\n    assert len(cart.items) == count'))).not.toEqual(
      [],
    )
  })

  test('count in Go, where a condition with a failure is an assertion', () => {
    const fails = (one: string, value: string) => `\tif ${one} != ${value} {\n\t\tt.Errorf("got %d", ${one})\n\t}`
    const change = (body: string) =>
      file(
        'cart_test.go',
        `+func checkCart(t *testing.T, c Cart, total, count int) {\n+\tt.Helper()\n${each(body, '+')}\n+}\n+\n func TestTen(t *testing.T) {\n \tc := Make(100, 10)\n${each(`${fails('c.Total', '90')}\n${fails('c.Count', '2')}`, '-')}\n+\tcheckCart(t, c, 90, 2)\n }\n func TestHalf(t *testing.T) {\n \tc := Make(100, 50)\n${each(`${fails('c.Total', '50')}\n${fails('c.Count', '1')}`, '-')}\n+\tcheckCart(t, c, 50, 1)\n }`,
      )
    expect(found(change(`${fails('c.Total', 'total')}\n${fails('c.Count', 'count')}`))).toEqual([])
    expect(found(change(fails('c.Total', 'total')))).not.toEqual([])
  })
})
