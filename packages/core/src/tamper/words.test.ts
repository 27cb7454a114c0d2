import { expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'
import { isAssertion } from './words.ts'

test.each([
  'cart.total() shouldBe 90',
  'names.shouldContainExactly("a", "b")',
  'cart.Total().ShouldBe(90);',
  'Should.Throw<Exception>(() => cart.Add(-1));',
  '_(cart.total).must_equal 90',
  'cart.names.wont_be_empty',
  'refute Cart.total([]) == 1',
  'BOOST_CHECK_EQUAL(total(items), 90);',
  'BOOST_TEST(total(items) == 90);',
  'TEST_ASSERT_EQUAL_INT(90, total(items));',
  'TEST_CHECK(total(items) == 90);',
  'CU_ASSERT_EQUAL(total(items), 90);',
  'CPPUNIT_ASSERT_EQUAL(90, total(items));',
  'QCOMPARE(total(items), 90);',
  'STRCMP_EQUAL("a", name());',
  'ck_assert_int_eq(total(items), 90);',
  'g_assert_cmpint(total(items), ==, 90);',
  'prop_assert_eq!(total(&items), sum);',
  'is.Equal(Total(items), 90)',
  'verifyNoMoreInteractions(till);',
])('%s is an assertion, and may not go', (line) => {
  expect(isAssertion(line)).toBe(true)
  const path = line.endsWith(';') ? 'test/a_test.cpp' : 'test/a_test.exs'
  expect(found(file(path, ` adds {\n-  ${line}\n }`))).toEqual([`${path} lost 1 assertion`])
})

test.each([
  'BOOST_WARN_EQUAL(total(items), 90);',
  'BOOST_TEST_MESSAGE("adds");',
  'if (this.shouldComponentUpdate(next)) render()',
  'cart.shouldRender()',
  'is.Equals = equal',
])('%s is none', (line) => {
  expect(isAssertion(line)).toBe(false)
})

test.each([
  ['src/test/kotlin/ATest.kt', 'cart.total() shouldBe 90', 'cart.total() shouldNotBe null'],
  ['ATests.cs', 'cart.Total().ShouldBe(90);', 'cart.Total().ShouldBeGreaterThan(0);'],
  ['test/a_test.rb', '_(cart.total).must_equal 90', '_(cart.total).must_be_kind_of Integer'],
  ['test/a_test.cpp', 'BOOST_CHECK_EQUAL(total(items), 90);', 'BOOST_CHECK_GE(total(items), 0);'],
  ['test/a_test.cpp', 'BOOST_CHECK_EQUAL(total(items), 90);', 'BOOST_CHECK(total(items));'],
  ['test/test_a.c', 'TEST_ASSERT_EQUAL_INT(90, total(items));', 'TEST_ASSERT_NOT_EQUAL(0, total(items));'],
])('in %s, "%s" asks for more than "%s"', (path, before, now) => {
  expect(found(file(path, ` adds {\n-  ${before}\n+  ${now}\n }`))).toEqual([
    expect.stringContaining('checks less than before'),
  ])
})

test.each([
  ['src/test/kotlin/ATest.kt', 'assertEquals(90, cart.total())', 'cart.total() shouldBe 90'],
  ['ATests.cs', 'Assert.Equal(90, cart.Total());', 'cart.Total().ShouldBe(90);'],
  ['test/a_test.rb', 'assert_equal 90, cart.total', '_(cart.total).must_equal 90'],
  ['test/a_test.cpp', 'BOOST_CHECK_EQUAL(total(items), 90);', 'BOOST_TEST(total(items) == 90);'],
  ['test/test_a.c', 'assert(total(items) == 90);', 'TEST_ASSERT_EQUAL_INT(90, total(items));'],
  ['tests/a.rs', 'assert_eq!(total(&items), sum);', 'prop_assert_eq!(total(&items), sum);'],
])('in %s, "%s" asks for as much as "%s"', (path, before, now) => {
  expect(found(file(path, ` adds {\n-  ${before}\n+  ${now}\n }`))).toEqual([])
})

test.each([
  ['cart_test.go', 'It("adds", func() {', 'PIt("adds", func() {', 'PIt'],
  ['cart_test.go', 'Describe("cart", func() {', 'XDescribe("cart", func() {', 'XDescribe'],
  ['cart_test.go', 'var _ = Describe("cart", func() {', 'var _ = PDescribe("cart", func() {', 'PDescribe'],
  ['cart_test.go', 'It("adds", func() {', 'It("adds", Pending, func() {', 'Pending'],
  ['cart_test.go', 'It("adds", func() {', 'FIt("adds", func() {', 'FIt'],
  ['test/a_test.cpp', 'TEST_CASE("adds") {', 'TEST_CASE("adds" * doctest::may_fail()) {', 'may_fail'],
  ['test/a_test.cpp', 'TEST_CASE("adds") {', 'TEST_CASE("adds" * doctest::skip()) {', 'skip'],
  [
    'test/a_test.cpp',
    'BOOST_AUTO_TEST_CASE(adds) {',
    'BOOST_AUTO_TEST_CASE(adds, *boost::unit_test::expected_failures(9)) {',
    'expected_failures',
  ],
  ['test/a_test.cpp', 'BOOST_AUTO_TEST_CASE(adds) {', 'BOOST_AUTO_TEST_CASE(adds, * utf::disabled()) {', 'disabled'],
])('%s: "%s" may not become "%s"', (path, before, now, word) => {
  expect(found(file(path, `-${before}\n+${now}\n   a()`))).toEqual([
    `${path} has 1 new marker that keeps tests from running (${word})`,
  ])
})

test('Ginkgo skips a spec by a call', () => {
  const lines = ' It("adds", func() {\n+\tSkip("later")\n \tExpect(Total()).To(Equal(90))'
  expect(found(file('cart_test.go', lines))).toEqual([expect.stringContaining('new marker')])
  expect(found(file('cart_test.go', '+PIt("rounds", func() {\n+\tExpect(1).To(Equal(2))\n+})'))).toEqual([])
  expect(found(file('test/a_test.cpp', '-  a = b * skip(3);\n+  a = b * skip(4);'))).toEqual([])
})

test.each([
  ['test/test_a.c', '-  assert(total(a) == 30);\n+  assert(sum = 30);'],
  ['a.test.js', '-  expect(total(a)).to.equal(30)\n+  assert((sum = 30))'],
  ['a_test.cpp', '-  EXPECT_EQ(total(a), 30);\n+  EXPECT_TRUE(sum = 30);'],
])('an assignment in %s is no assertion: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('lost 1 assertion')])
})
test('an argument by its name is none', () => {
  const lines = '-    assertTrue(total(a) > 3)\n+    assertTrue(actual = total(a) > 3)'
  expect(found(file('src/test/kotlin/ATest.kt', lines))).toEqual([])
})
