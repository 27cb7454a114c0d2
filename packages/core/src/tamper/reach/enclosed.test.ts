import { describe, expect, test } from 'vitest'
import { enclosedAssertions } from './enclosed.ts'
import { patchLines } from '../patch.ts'

const enclosed = (...lines: string[]): number =>
  enclosedAssertions(patchLines(['@@ -1 +1 @@', ...lines].join('\n'))).count

const js = (...around: string[]) => [
  " test('adds', () => {",
  '-  expect(sum(1, 2)).toBe(3)',
  ...around.map((line) => `+  ${line === '…' ? '  expect(sum(1, 2)).toBe(3)' : line}`),
  ' })',
]
const python = (...around: string[]) => [
  ' def test_total():',
  '-    assert total([1, 2]) == 3',
  ...around.map((line) => `+    ${line === '…' ? '    assert total([1, 2]) == 3' : line}`),
]

describe('an assertion with something new around it', () => {
  test.each([
    [js('if (process.env.STRICT) {', '…', '}')],
    [js('if (sum(1, 2) === 3) {', '…', '} else {', '  console.log(sum)', '}')],
    [js('setTimeout(() => {', '…', '}, 100)')],
    [js('const check = () => {', '…', '}')],
    [js('for (const one of []) {', '…', '}')],
    [js('expect(() => {', '…', '}).toThrow()')],
    [python('if total([1, 2]) == 3:', '…')],
    [python('def check():', '…')],
    [python('while False:', '…')],
    [python('with contextlib.suppress(Exception):', '…')],
    [python('with pytest.raises(AssertionError):', '…')],
    [
      [
        ' func TestSum(t *testing.T) {',
        '-\tif got := Sum(1, 2); got != 3 {',
        '-\t\tt.Fatal(got)',
        '-\t}',
        '+\tif os.Getenv("STRICT") != "" {',
        '+\t\tif got := Sum(1, 2); got != 3 {',
        '+\t\t\tt.Fatal(got)',
        '+\t\t}',
        '+\t}',
      ],
    ],
    [
      [
        ' #[test]',
        ' fn adds() {',
        '-    assert_eq!(sum(1, 2), 3);',
        '+    let check = || {',
        '+        assert_eq!(sum(1, 2), 3);',
        '+    };',
        ' }',
      ],
    ],
  ])('no longer fails: %s', (lines) => {
    expect(enclosed(...lines)).toBe(1)
  })

  test.each([
    [js("describe('of two', () => {", '…', '})')],
    [js('for (const sum of [one, two]) {', '…', '}')],
    [js('await waitFor(() => {', '…', '})')],
    [js('const check = () => {', '…', '}', 'check()')],
    [js('await new Promise((resolve) => setTimeout(() => {', '…', '  resolve()', '}, 100))')],
    [js("if (kind === 'a') {", '…', '} else {', '  expect(sum(1, 2)).toBe(4)', '}')],
    [js('expect(found.ok).toBe(true)', 'if (found.ok) {', '…', '}')],
    [js('expect(() => {', '  run()', '}).toThrow()', 'expect(sum(1, 2)).toBe(3)')],
    [python('for sizes in ([1, 2], [2, 1]):', '…')],
    [python('with self.subTest(1):', '…')],
    [python('@pytest.fixture(autouse=True)', 'def check():', '…')],
    [
      [
        ' func TestSum(t *testing.T) {',
        '-\tif err := Sum(1); err != nil {',
        '+\tif err := Sum(context.Background(), 1); err != nil {',
        '-\t\tt.Fatal(err)',
        '+\t\tt.Fatal(err)',
        ' \t}',
      ],
    ],
  ])('still fails: %s', (lines) => {
    expect(enclosed(...lines)).toBe(0)
  })
})
