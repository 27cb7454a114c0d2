import { describe, expect, test } from 'vitest'
import { each, file, found } from '../../testing/sample-patch.ts'

/** Assertions in one test that became this text. */
const became = (path: string, head: string, before: string, now: string, end = '') =>
  file(path, [head, each(before, '-'), each(now, '+'), end].join('\n'))

const asserts = '    assert add(1, 2) == 3\n    assert add(2, 3) == 5\n    assert add(4, 5) == 9'
const python = (now: string) => became('test_sum.py', ' def test_add():', asserts, now)
const expects = '  expect(add(1, 2)).toBe(3)\n  expect(add(2, 3)).toBe(5)\n  expect(add(4, 5)).toBe(9)'
const script = (now: string) => became('sum.test.ts', " it('adds', () => {", expects, now, ' })')
const goAsserts = [
  [1, 2, 3],
  [2, 3, 5],
  [4, 5, 9],
]
  .map(([a, b, sum]) => `\tif got := Add(${a}, ${b}); got != ${sum} {\n\t\tt.Errorf("got %d", got)\n\t}`)
  .join('\n')
const go = (now: string) => became('sum_test.go', ' func TestAdd(t *testing.T) {', goAsserts, now, ' }')
const goLoop = (rows: string, condition = 'got := Add(c.a, c.b); got != c.sum') =>
  `\tcases := []struct{ a, b, sum int }{\n${rows}\n\t}\n\tfor _, c := range cases {\n\t\tif ${condition} {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}`
const goRows = '\t\t{1, 2, 3},\n\t\t{2, 3, 5},\n\t\t{4, 5, 9},'

describe('assertions that are in a loop now', () => {
  test.each([
    [
      'over tuples',
      python('    for a, b, total in [(1, 2, 3), (2, 3, 5), (4, 5, 9)]:\n        assert add(a, b) == total'),
    ],
    [
      'over a list on several lines',
      python(
        '    for a, b, total in [\n        (1, 2, 3),\n        (2, 3, 5),\n        (4, 5, 9),\n    ]:\n        assert add(a, b) == total',
      ),
    ],
    [
      'over a list with a name',
      python(
        '    rows = [(1, 2, 3), (2, 3, 5), (4, 5, 9)]\n    for a, b, total in rows:\n        got = add(a, b)\n        assert got == total',
      ),
    ],
    [
      'over arrays',
      script(
        '  for (const [a, b, total] of [[1, 2, 3], [2, 3, 5], [4, 5, 9]]) {\n    expect(add(a, b)).toBe(total)\n  }',
      ),
    ],
    [
      'over objects',
      script(
        '  const rows = [\n    { a: 1, b: 2, total: 3 },\n    { a: 2, b: 3, total: 5 },\n    { a: 4, b: 5, total: 9 },\n  ]\n  for (const { a, b, total } of rows) {\n    expect(add(a, b)).toBe(total)\n  }',
      ),
    ],
    [
      'by forEach',
      script(
        '  const rows = [[1, 2, 3], [2, 3, 5], [4, 5, 9]]\n  rows.forEach(([a, b, total]) => {\n    expect(add(a, b)).toBe(total)\n  })',
      ),
    ],
    ['over structs of Go', go(goLoop(goRows))],
    [
      'in Rust',
      became(
        'tests/sum.rs',
        ' #[test]\n fn adds() {',
        '    assert_eq!(add(1, 2), 3);\n    assert_eq!(add(2, 3), 5);\n    assert_eq!(add(4, 5), 9);',
        '    for (a, b, total) in [(1, 2, 3), (2, 3, 5), (4, 5, 9)] {\n        assert_eq!(add(a, b), total);\n    }',
        ' }',
      ),
    ],
    [
      'over single values',
      became(
        'test_even.py',
        ' def test_even():',
        '    assert is_even(2)\n    assert is_even(4)\n    assert is_even(0)',
        '    for number in [0, 2, 4]:\n        assert is_even(number)',
      ),
    ],
    [
      'of a table',
      file(
        'test_sum.py',
        `+@pytest.mark.parametrize("a, b, total", [(1, 2, 3), (2, 3, 5), (4, 5, 9)])\n-def test_add():\n${each(asserts, '-')}\n+def test_add(a, b, total):\n+    assert add(a, b) == total\n `,
      ),
    ],
    [
      'of a table of Jest',
      file(
        'sum.test.ts',
        `-it('adds', () => {\n${each(expects, '-')}\n+it.each([\n+  [1, 2, 3],\n+  [2, 3, 5],\n+  [4, 5, 9],\n+])('adds', (a, b, total) => {\n+  expect(add(a, b)).toBe(total)\n })`,
      ),
    ],
  ])('count for each row %s', (_, change) => {
    expect(found(change)).toEqual([])
  })

  test.each([
    ['a row less', python('    for a, b, total in [(1, 2, 3), (2, 3, 5)]:\n        assert add(a, b) == total')],
    [
      'a loop that is left',
      python(
        '    for a, b, total in [(1, 2, 3), (2, 3, 5), (4, 5, 9)]:\n        assert add(a, b) == total\n        break',
      ),
    ],
    ['a bound', python('    for a, b, total in [(1, 2, 3), (2, 3, 5), (4, 5, 9)]:\n        assert add(a, b) > 0')],
    [
      'rows with the result',
      python(
        '    for got, total in [(add(1, 2), add(1, 2)), (add(2, 3), add(2, 3)), (add(4, 5), add(4, 5))]:\n        assert got == total',
      ),
    ],
    [
      'a list that is emptied',
      python(
        '    rows = [(1, 2, 3), (2, 3, 5), (4, 5, 9)]\n    rows.clear()\n    for a, b, total in rows:\n        assert add(a, b) == total',
      ),
    ],
    [
      'a part of a list',
      python(
        '    rows = [(1, 2, 3), (2, 3, 5), (4, 5, 9)]\n    for a, b, total in rows[:1]:\n        assert add(a, b) == total',
      ),
    ],
    [
      'a filtered list',
      script(
        '  const rows = [[1, 2, 3], [2, 3, 5], [4, 5, 9]].filter(([a]) => a > 1)\n  for (const [a, b, total] of rows) {\n    expect(add(a, b)).toBe(total)\n  }',
      ),
    ],
    [
      'a condition',
      script(
        '  for (const [a, b, total] of [[1, 2, 3], [2, 3, 5], [4, 5, 9]]) {\n    if (a > 3) {\n      expect(add(a, b)).toBe(total)\n    }\n  }',
      ),
    ],
    ['a row of Go less', go(goLoop('\t\t{1, 2, 3},\n\t\t{2, 3, 5},'))],
  ])('do not count by %s', (_, change) => {
    expect(found(change)).not.toEqual([])
  })
})

test('a table of tests that moved to another file is still there', () => {
  const table =
    "@pytest.mark.parametrize(('a', 'b'), [(1, 2), (3, 4)])\ndef test_add(a, b):\n    assert add(a, b) == b + a"
  const from = file('test_all.py', each(`${table}\n`, '-'))
  const to = file('test_add.py', each(table, '+'))
  expect(found(from, to)).toEqual([])
  const fewer = table.replace('\n    assert add(a, b) == b + a', '\n    add(a, b)')
  expect(found(from, file('test_add.py', each(fewer, '+')))).not.toEqual([])
})
