import { describe, expect, test } from 'vitest'
import { findTampering } from './tamper.ts'
import type { ChangedFile } from './patch.ts'
import { file } from '../testing/sample-patch.ts'

/* Typical changes by agents that weaken tests: JavaScript, TypeScript, Python. */

const weak = (...files: ChangedFile[]) => findTampering({ files, collectedBefore: null, collectedAfter: null })

describe('refused, whatever else the change does', () => {
  test.each<[string, ChangedFile[]]>([
    [
      'TypeScript: the failing test is skipped, and a new one keeps the numbers up',
      [
        file(
          'src/cart.test.ts',
          ` describe('Cart', () => {
-  it('adds tax', () => {
+  it.skip('adds tax', () => {
     expect(new Cart(items).total()).toBe(119)
   })
+  it('has items', () => {
+    expect(new Cart(items).items).toHaveLength(2)
+    expect(new Cart([]).items).toEqual([])
+  })
 })`,
        ),
      ],
    ],
    [
      'TypeScript: the failing test is replaced by another about something else',
      [
        file(
          'src/cart.test.ts',
          ` describe('Cart', () => {
-  it('adds tax', () => {
-    expect(totalWithTax(items)).toBe(119)
-  })
+  it('formats a price', () => {
+    expect(formatPrice(1)).toBe('1.00 €')
+    expect(formatPrice(0)).toBe('0.00 €')
+  })
 })`,
        ),
      ],
    ],
    [
      'TypeScript: the failing assertion goes, and a new test has more of them',
      [
        file(
          'src/parse.test.ts',
          ` it('parses a list', () => {
   const list = parse('1,2')
   expect(list.length).toBe(2)
-  expect(list.at(-1)).toBe(2)
 })
+it('parses nothing', () => {
+  expect(parse('')).toEqual([])
+  expect(parse(' ')).toEqual([])
+})`,
        ),
      ],
    ],
    [
      'TypeScript: an assertion only says that something is there',
      [
        file(
          'src/parse.test.ts',
          ` it('parses a date', () => {
-  expect(parseDate('2024-02-30')).toEqual({ error: 'no such day' })
+  expect(parseDate('2024-02-30')).toBeDefined()
 })`,
        ),
      ],
    ],
    [
      'TypeScript: an assertion about nothing',
      [file('src/sum.test.ts', " it('adds', () => {\n-  expect(sum(1, 2)).toBe(3)\n+  expect(1 + 2).toBe(3)\n })")],
    ],
    [
      'TypeScript: the test becomes a function that nobody calls',
      [
        file(
          'src/sum.test.ts',
          "-it('adds', () => {\n+const addsLater = () => {\n   expect(sum(1, 2)).toBe(3)\n-})\n+}",
        ),
      ],
    ],
    [
      'JavaScript: the file is deleted, with a new one of another kind',
      [
        file(
          'test/login.test.js',
          "-it('refuses a wrong password', async () => {\n-  expect(await login('a', 'x')).toBe(401)\n-})",
          'D',
        ),
        file(
          'test/health.test.js',
          "+it('is healthy', async () => {\n+  expect(await health()).toBe(200)\n+  expect(await ready()).toBe(200)\n+})",
          'A',
        ),
      ],
    ],
    [
      'JavaScript: npm test runs one folder less',
      [
        file(
          'package.json',
          '   "scripts": {\n-    "test": "jest"\n+    "test": "jest --testPathIgnorePatterns login"\n   }',
        ),
      ],
    ],
    [
      'Python: the test is no test by its name',
      [
        file(
          'tests/test_api.py',
          '-def test_rejects_expired_token(client):\n+def _test_rejects_expired_token(client):\n     response = client.get("/me", headers=expired)\n     assert response.status_code == 401',
        ),
      ],
    ],
    [
      'Python: xfail',
      [
        file(
          'tests/test_api.py',
          '+@pytest.mark.xfail(reason="flaky on CI")\n def test_rejects_expired_token(client):\n     assert client.get("/me").status_code == 401',
        ),
      ],
    ],
    [
      'Python: a value becomes "is not None"',
      [
        file(
          'tests/test_money.py',
          ' def test_rounds():\n-    assert round_money(1.005) == 1.01\n+    assert round_money(1.005) is not None',
        ),
      ],
    ],
    [
      'Python: the whole test is removed beside a change of another',
      [
        file(
          'tests/test_money.py',
          ' def test_adds():\n-    assert add(1, 2) == 3\n+    assert add(1, 2) == Money(3)\n \n-def test_rounds():\n-    assert round_money(1.005) == 1.01\n-',
        ),
      ],
    ],
  ])('%s', (_, files) => {
    expect(weak(...files)).not.toEqual([])
  })
})
