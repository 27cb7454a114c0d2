import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const TOTAL = ' def test_total(cart):\n     assert cart.total() == 90\n \n'

test.each([
  ['test_a.py', `${TOTAL}+def test_total(cart):\n+    assert cart is not None`],
  ['test_a.py', `${TOTAL}+test_total = test_slug`],
  ['test_a.py', `${TOTAL}+del test_total`],
  [
    'test_a.py',
    ' class CartTest(TestCase):\n     def test_total(self):\n         self.assertEqual(total(), 90)\n \n+    def test_total(self):\n+        self.assertTrue(total)',
  ],
  [
    'test_a.py',
    ' class CartTest(TestCase):\n     def test_total(self):\n         self.assertEqual(total(), 90)\n \n+setattr(CartTest, "test_total", print)',
  ],
  [
    'test/a_test.rb',
    ' class CartTest < Minitest::Test\n   def test_total\n     assert_equal 90, total\n   end\n+  def test_total = assert(true)',
  ],
  [
    'test/a_test.rb',
    ' class CartTest < Minitest::Test\n   def test_total\n     assert_equal 90, total\n   end\n+  define_method(:test_total) { pass }',
  ],
])('%s runs another test of the name: %j', (path, lines) => {
  expect(found(file(path, lines))).toContainEqual(expect.stringContaining('is given to something else below'))
})

test.each([
  [
    'in another class',
    'test_a.py',
    `${TOTAL}+class TestNone:\n+    def test_total(self):\n+        assert total() == 0`,
  ],
  [
    'on two conditions',
    'test_a.py',
    '+if fast:\n+    def test_total():\n+        assert total() == 0\n+else:\n+    def test_total():\n+        assert total() == 1',
  ],
  ['in its place', 'test_a.py', '-def test_total():\n+def test_total(cart):\n     assert total() == 90'],
  ['as a variable', 'test_a.py', ' def test_total():\n+    test_total = total()\n+    assert test_total == 90'],
  ['that was there twice', 'test_a.py', `${TOTAL}${TOTAL}+def test_more():\n+    assert total() == 1`],
])('a test of this name may be %s', (_, path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
