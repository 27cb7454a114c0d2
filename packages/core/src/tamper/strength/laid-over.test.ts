import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const js = (...lines: string[]) =>
  file('a.test.ts', [" it('adds', () => {", '   const made = receipt(items)', ...lines, ' })'].join('\n'))
const python = (...lines: string[]) =>
  file('test_a.py', [' def test_a(cart):', '     made = cart.receipt()', ...lines].join('\n'))
const row = (now: string) =>
  file(
    'a_test.go',
    ` \ttests := []struct{ a, want int }{\n-\t\t{2, 90},\n+\t\t{2, ${now}},\n \t}\n \tfor _, tt := range tests {\n \t\tgot, err := Total(tt.a)\n \t\tif got != tt.want {\n \t\t\tt.Error(got)`,
  )

test.each([
  [js('-  expect(made).toEqual({ total: 90 })', '+  expect({ ...made, total: 90 }).toEqual({ total: 90 })')],
  [js('+  Object.assign(made, { total: 90 })', '   expect(made).toEqual({ total: 90 })')],
  [js('+  made.total = 90', '   expect(made).toEqual({', '     total: 90,', '   })')],
  [python('-    assert made == {"total": 90}', '+    assert {**made, "total": 90} == {"total": 90}')],
  [python('-    assert made == {"total": 90}', '+    assert made | {"total": 90} == {"total": 90}')],
  [python('+    made.update(total=90)', '     assert made == {"total": 90}')],
  [python('+    made["total"] = 90', '     assert made == {"total": 90}')],
  [
    file(
      'a_spec.rb',
      " it 'adds' do\n-  expect(cart.receipt).to eq(total: 90)\n+  expect(cart.receipt.merge(total: 90)).to eq(total: 90)\n end",
    ),
  ],
  [
    file(
      'ATest.php',
      "-        $this->assertSame(['total' => 90], $made);\n+        $this->assertSame(['total' => 90], array_merge($made, ['total' => 90]));",
    ),
  ],
  [
    file(
      'ATest.php',
      "-        $this->assertSame(['total' => 90], $cart->receipt());\n+        $made = $cart->receipt();\n+        $made['total'] = 90;\n+        $this->assertSame(['total' => 90], $made);",
    ),
  ],
  [js('-  expect(total(items)).toBe(90)', '+  expect(total(items)).toBe(total([...items]))')],
  [row('must(Total(2))')],
])('the expected value takes the place of the result: %j', (change) => {
  expect(found(change)).toEqual([expect.stringContaining('checks less than before')])
})

test.each([
  [js('-  expect(made).toEqual({ lines })', '+  expect({ ...made, lines: made.lines.toSorted() }).toEqual({ lines })')],
  [js('+  cart.owner = "ann"', '   expect(made).toEqual({ total: 90 })')],
  [js('+  made.note = 90', '   expect(total(made)).toBe(90)')],
  [js('-  expect(made).toEqual({ total: 90 })', '+  expect(made).toEqual({ ...empty, total: 90 })')],
  [js('-  expect(total(items)).toBe(90)', '+  expect(total(items)).toBe(sumOf(items))')],
  [row('len("ab")')],
  [js("-  expect(said.includes('a')).toBe(true)", "+  expect(said.includes('b') ?? said.includes('c')).toBe(true)")],
])('not if %j', (change) => {
  expect(found(change)).toEqual([])
})
