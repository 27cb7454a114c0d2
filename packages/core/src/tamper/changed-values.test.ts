import { describe, expect, test } from 'vitest'
import { file } from '../testing/sample-patch.ts'
import { changedResults, changedResultsText, changedValues, changedValuesText } from './changed-values.ts'

const counts = (...files: Parameters<typeof changedValues>[0]) => changedValues(files).map(({ count }) => count)

describe('an expected value that changed', () => {
  test.each([
    [
      'of an assertion',
      'a.test.ts',
      " it('adds tax', () => {\n-  expect(total()).toBe(119)\n+  expect(total()).toBe(116)\n })",
    ],
    [
      'of another type',
      'a.test.ts',
      " it('adds tax', () => {\n-  expect(total()).toBe(119)\n+  expect(total()).toBe('116 €')\n })",
    ],
    ['in a list', 'test_a.py', ' def test_all():\n-    assert names() == ["a", "b"]\n+    assert names() == ["a"]'],
    [
      'in a row of a table',
      'sum_test.go',
      ' func TestSum(t *testing.T) {\n \tcases := []struct{ a, b, want int }{\n-\t\t{1, 2, 3},\n+\t\t{1, 2, 4},\n \t}',
    ],
    [
      'that Go compares',
      'sum_test.go',
      ' func TestSum(t *testing.T) {\n-\tif got := Sum(1, 2); got != 3 {\n+\tif got := Sum(1, 2); got != 4 {\n \t\tt.Fatal(got)',
    ],
    [
      'on a line of its own',
      'src/lib.rs',
      ' #[cfg(test)]\n mod tests {\n     #[test]\n     fn adds() {\n         assert_eq!(\n             add(1, 2),\n-            3\n+            4\n         );',
    ],
    [
      'in an example of the documentation',
      'src/lib.rs',
      ' /// ```\n-/// assert_eq!(add(1, 2), 3);\n+/// assert_eq!(add(1, 2), 4);\n /// ```\n pub fn add(',
    ],
    [
      'in tests within the code',
      'src/add.ts',
      ' if (import.meta.vitest) {\n-    expect(add(1, 2)).toBe(3)\n+    expect(add(1, 2)).toBe(4)\n }',
    ],
    ['in a snapshot', '__snapshots__/a.test.ts.snap', ' exports[`a 1`] = `\n-"total 119"\n+"total 116"\n `;'],
  ])('%s is seen', (_, path, lines) => {
    expect(counts(file(path, lines))).toEqual([1])
  })

  test.each([
    [
      'of a new test',
      'a.test.ts',
      "-it('adds', () => {\n-  expect(add(1, 2)).toBe(3)\n-})\n+it('sums', () => {\n+  expect(add(1, 2)).toBe(4)\n+})",
    ],
    [
      'that only moved',
      'a.test.ts',
      " it('adds', () => {\n-  expect(add(1, 2)).toBe(3)\n   expect(add(0, 0)).toBe(0)\n+  expect(add(1, 2)).toBe(3)\n })",
    ],
    ['in code', 'src/a.ts', '-export const tax = 19\n+export const tax = 16'],
    [
      'that is another assertion',
      'a.test.ts',
      " it('adds', () => {\n-  expect(add(1, 2)).toBe(3)\n+  expect(add(1, 2)).toBeGreaterThan(2)\n })",
    ],
  ])('%s is no such change', (_, path, lines) => {
    expect(counts(file(path, lines))).toEqual([])
  })

  test('is reported with its file and its former value', () => {
    const lines = " it('adds tax', () => {\n-  expect(total()).toBe(119)\n+  expect(total()).toBe(116)\n })"
    expect(changedValuesText(changedValues([file('a.test.ts', lines)]))).toBe(
      'tests that were there expect other values now: a.test.ts (1: `expect(total()).toBe(119)` is `expect(total()).toBe(116)`)',
    )
    expect(changedValuesText([])).toBeNull()
  })
})

describe('files that tests compare with', () => {
  const changed = (path: string, status = 'M') => changedResults([{ path, status }])

  test.each([
    'testdata/out.golden',
    'tests/data/cart.json',
    'src/golden/a.txt',
    'spec/fixtures/page.html',
    'lib/a.expected',
  ])('are named if they changed: %s', (path) => {
    expect(changed(path)).toEqual([path])
    expect(changed(path, 'A')).toEqual([])
  })

  test.each([
    'src/data/cart.json',
    'README.md',
    'tests/README.md',
    'test/package.json',
    'tests/pytest.ini',
    'tests/test_cart.py',
    'out/main.js',
  ])('do not include: %s', (path) => {
    expect(changed(path)).toEqual([])
  })

  test('are listed in one sentence', () => {
    expect(changedResultsText([])).toBeNull()
    expect(changedResultsText(['a', 'b', 'c', 'd', 'e', 'f'])).toBe(
      'files that tests read have other content now: a, b, c, d, e, and 1 more',
    )
  })
})
