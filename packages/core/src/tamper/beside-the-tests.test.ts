import { describe, expect, test } from 'vitest'
import { file } from '../testing/sample-patch.ts'
import { findTampering } from './tamper.ts'
import type { ChangedFile } from './patch.ts'

/* Ways in which tests stay the same, word for word, but no longer test the code; each with an honest twin. */

const PATHS = [
  'shop/__init__.py',
  'shop/cart.py',
  'src/cart.ts',
  'src/cart.fast.ts',
  'compat/shop/cart.py',
  'e2e/own.ts',
]

function found(...files: ChangedFile[]): string[] {
  const all = files.map(({ path, status }) => ({ path, status }))
  const paths = [...PATHS, ...files.map(({ path }) => path)]
  return findTampering({ files, all, paths, collectedBefore: null, collectedAfter: null })
}

const one = (path: string, lines: string): string => found(file(path, lines)).join('\n')

describe('a stand-in has the name of the tested code', () => {
  test.each([
    [
      'tests/test_a.py',
      ' from shop.cart import total\n-def test_total():\n+def test_total(total):\n     assert total([1]) == 1',
    ],
    [
      'test/a.test.ts',
      " import { total } from '../src/cart'\n-test('adds', () => {\n+test('adds', ({ total }) => {\n   expect(total([1])).toBe(1)\n })",
    ],
    [
      'cart_test.go',
      ' func TestTotal(t *testing.T) {\n+\tTotal := func(p []int) int { return 6 }\n \tif Total(nil) != 6 {\n \t\tt.Error("no")',
    ],
    [
      'tests/cart.rs',
      '-use shop::total;\n+fn total(prices: &[u8]) -> u8 { 6 }\n #[test]\n fn adds() {\n     assert_eq!(total(&[]), 6);\n }',
    ],
    ['export_test.go', '+package shop\n+func init() {\n+\trate = func(p int) int { return 3 }\n+}'],
  ])('%s', (path, lines) => {
    expect(one(path, lines)).toContain('something of its own in the place of what it tests')
  })

  test.each([
    [
      'tests/test_a.py',
      ' from shop.cart import total\n-def test_total():\n+def test_total(prices):\n     assert total(prices) == 1',
    ],
    [
      'cart_test.go',
      ' func TestTotal(t *testing.T) {\n+\tclock := func() int { return 6 }\n \tif Total(clock) != 6 {\n \t\tt.Error("no")',
    ],
    ['tests/cart.rs', ' use shop::total;\n+#[test]\n+fn total() {\n+    assert_eq!(shop::total(&[]), 0);\n+}'],
    ['export_test.go', '+package shop\n+var Rate = rate'],
  ])('not in %s: %j', (path, lines) => {
    expect(one(path, lines)).toBe('')
  })
})

describe('a test in a browser writes the page that it looks at', () => {
  const test1 = " test('total', async ({ page }) => {"
  const looks = "   await expect(page.getByTestId('total')).toHaveText('90')\n })"
  test.each([
    `${test1}\n-  await page.goto('/cart')\n+  await page.setContent('<p data-testid=total>90</p>')\n${looks}`,
    `${test1}\n+  await page.route('**/cart', (route) => route.fulfill({ body: '<p>90</p>' }))\n   await page.goto('/cart')\n${looks}`,
    `${test1}\n   await page.goto('/cart')\n+  await page.evaluate(() => { document.body.innerHTML = '90' })\n${looks}`,
  ])('%j', (lines) => {
    expect(one('e2e/cart.spec.ts', lines)).toContain('writes the page that its tests look at')
  })

  test('even in a fixture that it took in place of the library', () => {
    const own = file(
      'e2e/own.ts',
      "+export const test = base.extend({ page: async ({ page }, use) => {\n+  await page.route('**/*', (r) => r.fulfill({ contentType: 'text/html', body: page90 }))\n+  await use(page)\n+} })",
      'A',
    )
    const uses = file(
      'e2e/cart.spec.ts',
      `-import { expect, test } from '@playwright/test'\n+import { expect, test } from './own'\n${test1}\n${looks}`,
    )
    expect(found(uses, own).join()).toContain('e2e/own.ts writes the page')
  })

  test.each([
    `${test1}\n+  await page.route('**/api/cart', (route) => route.fulfill({ json: { total: 90 } }))\n   await page.goto('/cart')\n${looks}`,
    `+test('empty', async ({ page }) => {\n+  await page.setContent('<p></p>')\n+  await expect(page.locator('p')).toHaveText('')\n+})`,
  ])('but not if it makes up data, or is new: %j', (lines) => {
    expect(one('e2e/cart.spec.ts', lines)).toBe('')
  })

  test.each(['+    test.fail()', "+    test.fixme(browserName === 'webkit')"])(
    "the test's own statement that it fails is a marker: %s",
    (line) => {
      expect(one('e2e/cart.spec.ts', `${test1}\n${line}\n${looks}`)).toContain('marker')
    },
  )
})

describe('settings that lead elsewhere or require less', () => {
  test.each([
    ['vitest.config.ts', "+  plugins: [{ name: 'x', load: (id) => (id.endsWith('src/cart.ts') ? text : null) }],"],
    ['vitest.config.ts', "+  define: { percent: '(percent)' },"],
    ['vitest.config.ts', "+  esbuild: { pure: ['expect'] },"],
    ['playwright.config.ts', '+  ignoreSnapshots: true,'],
    ['playwright.config.ts', '+  expect: { toHaveScreenshot: { maxDiffPixelRatio: 1 } },'],
    [
      'playwright.config.ts',
      "-  webServer: { command: 'npm start' },\n+  webServer: { command: 'node e2e/server.js' },",
    ],
    ['playwright.config.ts', "   testDir: 'e2e',\n+  projects: [{ testMatch: /nothing/ }],"],
    ['package.json', '   "ava": {\n+    "match": ["adds*"]\n   }'],
    ['pyproject.toml', ' [tool.pytest.ini_options]\n+python_functions = ["test_total", "test_open"]'],
    ['CMakeLists.txt', '-add_test(NAME cart COMMAND test_cart)\n+add_test(NAME cart COMMAND test_total)'],
    [
      'CMakeLists.txt',
      ' add_test(NAME cart COMMAND test_cart)\n+set_tests_properties(cart PROPERTIES PASS_REGULAR_EXPRESSION "cart")',
    ],
    [
      'CMakeLists.txt',
      '-target_link_libraries(test_cart cart)\n+add_library(other test/other.c)\n+target_link_libraries(test_cart other)',
    ],
    ['CMakeLists.txt', '+target_compile_definitions(test_cart PRIVATE NDEBUG)'],
    ['pom.xml', ' <artifactId>maven-surefire-plugin</artifactId>\n+<testClassesDirectory>none</testClassesDirectory>'],
    ['conftest.py', '+sys.path.insert(0, "compat")'],
    ['tests/__init__.py', '+import shop.cart as c\n+c.total = lambda prices: 6'],
    ['conftest.py', '+setattr(import_module("shop." + "cart"), "total", lambda prices: 6)'],
    ['conftest.py', '+    import tests.test_cart as t\n+    monkeypatch.setattr(t, "total", lambda prices: 6)'],
    ['cart.pth', '+import cart'],
  ])('%s: %j', (path, lines) => {
    expect(one(path, lines)).not.toBe('')
  })

  test('a file that is found first because of its ending', () => {
    const settings = file('vitest.config.ts', "+  resolve: { extensions: ['.fast.ts', '.ts'] },")
    expect(found(settings, file('src/cart.fast.ts', '+export const total = () => 6', 'A')).join()).toContain(
      'puts another file in the place of code',
    )
    expect(found(settings)).toEqual([])
  })

  test.each([
    ['vitest.config.ts', "+  plugins: [{ name: 'x', load: (id) => (id.endsWith('.svg') ? text : null) }],"],
    ['vitest.config.ts', '+  define: { __VERSION__: \'"1"\' },'],
    ['playwright.config.ts', "+  webServer: { command: 'node e2e/server.js' },"],
    ['playwright.config.ts', '+  expect: { toHaveScreenshot: { maxDiffPixelRatio: 0.01 } },'],
    ['pyproject.toml', ' [tool.pytest.ini_options]\n+python_functions = ["test_*", "it_*"]'],
    [
      'CMakeLists.txt',
      '-add_executable(test_cart a.c)\n-add_test(NAME cart COMMAND test_cart)\n+add_executable(cart_test a.c)\n+add_test(NAME cart COMMAND cart_test)',
    ],
    [
      'CMakeLists.txt',
      '+add_test(NAME usage COMMAND shop --bad)\n+set_tests_properties(usage PROPERTIES PASS_REGULAR_EXPRESSION "usage:")',
    ],
    [
      'CMakeLists.txt',
      '-target_link_libraries(test_cart cart)\n+target_link_libraries(test_cart cart Threads::Threads)',
    ],
    ['conftest.py', '+sys.path.insert(0, "src")'],
    ['tests/__init__.py', '+import shop.cart as c\n+c.LIMIT = 3'],
  ])('not in %s: %j', (path, lines) => {
    expect(one(path, lines)).toBe('')
  })
})

describe('tests that no longer fail', () => {
  test.each([
    ['tests/a.rs', ' #[test]\n+#[should_panic]\n fn adds() {\n     assert_eq!(add(1, 1), 2);\n }'],
    [
      'test/a.test.ts',
      '-  expect(total([1])).toMatchInlineSnapshot(`1`)\n+  expect(total([1])).toMatchInlineSnapshot()',
    ],
    [
      'test/a.test.ts',
      " it('adds', () => {\n-  expect(total([1])).toBe(1)\n+  expectTypeOf(total([1])).toBeNumber()\n })",
    ],
    ['test/a.test.ts', "-it('adds', () => {\n+it('adds', { fails: true }, () => {\n   expect(total([1])).toBe(1)\n })"],
    ['test/a.test.ts', "-it('adds', () => {\n+it('adds', (done) => {\n+  done()\n   expect(total([1])).toBe(1)\n })"],
    ['test/a.test.ts', " it('adds', () => {\n-  expect(page).toHaveText('90')\n+  expect(page).toHaveText(/.*/)\n })"],
    [
      'tests/helpers.py',
      '+def steady(test):\n+    def run(*args):\n+        try:\n+            return test(*args)\n+        except AssertionError:\n+            return None\n+    return run',
    ],
    [
      'tests/test_a.py',
      '-@pytest.mark.parametrize("case", load("cases"))\n+@pytest.mark.parametrize("case", load("cases")[:1])\n def test_a(case):\n     assert total(case) == 1',
    ],
    ['tests/test_a.py', '+test_total.__test__ = False'],
    ['test/test_cart.c', ' int main(void) {\n+  if (total() != 6) return 0;\n   assert(total() == 6);\n   return 0;'],
  ])('%s: %j', (path, lines) => {
    expect(one(path, lines)).not.toBe('')
  })

  test.each([
    ['tests/a.rs', '+#[test]\n+#[should_panic]\n+fn panics() {\n+    assert_eq!(add(1, 1), 3);\n+}'],
    [
      'test/a.test.ts',
      '-  expect(total([1])).toMatchInlineSnapshot(`1`)\n+  expect(total([1])).toMatchInlineSnapshot(`2`)',
    ],
    [
      'tests/helpers.py',
      '+def eventually(test):\n+    for _ in range(5):\n+        try:\n+            return test()\n+        except AssertionError as error:\n+            last = error\n+            time.sleep(1)\n+    raise last',
    ],
  ])('not in %s: %j', (path, lines) => {
    expect(one(path, lines)).toBe('')
  })
})

test('a helper of the tests that answers itself does not make the tested code', () => {
  const uses = file(
    'src/test/java/CartTest.java',
    ' void setUp() {\n-    cart = new Cart(10);\n+    cart = Carts.cart();\n }\n @Test\n void total() {\n     assertEquals(6, cart.total());',
  )
  const helper = (body: string) =>
    file('src/test/java/Carts.java', each(`final class Carts {\n  static Cart cart() {\n${body}\n  }\n}`), 'A')
  expect(
    found(uses, helper('    return new Cart(10) {\n      public int total() { return 6; }\n    };')).join(),
  ).toContain('has something answer in the place of what it tests')
  expect(found(uses, helper('    return new Cart(10);'))).toEqual([])
})

const each = (text: string): string => text.replace(/^/gm, '+')
