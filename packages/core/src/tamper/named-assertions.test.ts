import { describe, expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'

/* Assertions of the tests' own that have a library's names. */

describe('a name of a library gets a meaning of the tests', () => {
  test.each([
    ['src/test/kotlin/shop/Checks.kt', '+fun <T> assertEquals(expected: T, actual: T, message: String? = null) {\n+}'],
    ['src/test/kotlin/shop/Checks.kt', '+infix fun <T> T.shouldBe(other: T) {\n+}'],
    ['Shop.Tests/Soft.cs', '+    public static void ShouldBe(this string got, string wanted)\n+    {\n+    }'],
    ['tests/common/mod.rs', '+macro_rules! assert_eq {\n+    ($($any:tt)*) => {{}};\n+}'],
    ['test/soft.ts', '+export const expect = (_: unknown): any => calm'],
    ['test/soft.js', '+exports.expect = () => calm'],
    ['spec/support/matchers.rb', '+RSpec::Matchers.define :eq do |_|\n+  match { true }\n+end'],
  ])('%s is new, and has it: %j', (path, lines) => {
    expect(found(file(path, lines, 'A'))).toEqual([expect.stringContaining('decides itself what its tests find')])
  })

  test.each([
    ['test/hooks.js', "+require('chai').Assertion.addMethod('equal', function () {})"],
    ['test/setup.ts', '+expect.extend({ toBe, toEqual })'],
    ['test/a.js', '+  Object.assign(t, { is: t.pass })'],
    ['test/test_a.c', '+#undef TEST_ASSERT_EQUAL_INT'],
    ['test/a_test.cpp', '+#define BOOST_CHECK_EQUAL(a, b)'],
  ])('%s gets it: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([expect.stringContaining('decides itself what its tests find')])
  })

  test.each([
    [
      'src/test/kotlin/shop/Checks.kt',
      '+fun assertMoney(expected: Int, actual: Int) {\n+    assertEquals(expected * 100, actual)\n+}',
    ],
    ['Shop.Tests/CartAssertions.cs', '+    public static CartAssertions Should(this Cart cart) => new(cart);'],
    ['tests/common/mod.rs', '+macro_rules! assert_money {\n+    ($got:expr) => {};\n+}'],
    ['e2e/fixtures.ts', "+export const expect = baseExpect.extend({ toBeMoney })\n+export { test } from './test'"],
    ['test/fixtures.ts', '+export const it = test.extend<{ items: Item[] }>({ items })'],
    [
      'spec/support/matchers.rb',
      '+RSpec::Matchers.define :be_money do |cents|\n+  match { |value| value == cents }\n+end',
    ],
    ['test/test_a.cpp', '+#define BOOST_TEST_MODULE cart'],
  ])('%s may have a name of its own: %j', (path, lines) => {
    expect(found(file(path, lines, 'A'))).toEqual([])
  })
})
