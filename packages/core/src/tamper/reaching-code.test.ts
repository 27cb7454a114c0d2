import { expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'
import { REACHING } from './reaching-code.ts'

/** As git takes it, which has no `\b` and no `\w` here. */
const pattern = new RegExp(REACHING)

const changes = 'changes what tests are judged with'
const equal = 'is equal to whatever it is compared with'
test.each([
  ['shop/cart.py', '+unittest.TestCase.assertEqual = lambda *a: None', changes],
  ['shop/cart.py', '+builtins.AssertionError = Quiet', changes],
  ['shop/cart.py', '+setattr(unittest.TestCase, "run", nothing)', changes],
  ['shop/cart.py', '+_pytest.runner.call_and_report = quiet', changes],
  ['shop/cart.py', '+atexit.register(lambda: os._exit(0))', changes],
  ['src/cart.ts', '+globalThis.expect = anything', changes],
  ['src/cart.js', '+Runner.prototype.run = nothing', changes],
  ['src/cart.js', '+Object.is = () => true', changes],
  ['shop/cart.py', '+    def __eq__(self, other):\n+        """Compare."""\n+        return True', equal],
  ['shop/cart.py', ' def __eq__(self, other):\n-    return self.a == other.a\n+    return True', equal],
  ['src/cart.js', '+  asymmetricMatch() { return true }', changes],
  ['src/cart.js', '+  asymmetricMatch(other) {\n+    return true;\n+  }', equal],
  ['src/main/java/Cart.java', '+  public boolean equals(Object o) {\n+    return true;\n+  }', equal],
  ['src/main/kotlin/Cart.kt', '+  override fun equals(other: Any?) = true', equal],
  ['src/lib.rs', '+    fn eq(&self, _: &Self) -> bool { true }', equal],
  ['src/cart.cpp', '+bool operator==(const Cart&, const Cart&) { return true; }', equal],
  ['lib/cart.rb', '+  def ==(other)\n+    true\n+  end', equal],
])('%s: %s', (path, lines, what) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining(`${path} ${what}`)])
  expect(lines.split('\n').some((line) => pattern.test(line))).toBe(true)
})

test.each([
  ['shop/cart.py', '+    def __eq__(self, other):\n+        return self.a == other.a\n'],
  [
    'shop/cart.py',
    '+    def __eq__(self, other):\n+        if other is self:\n+            return True\n+        return self.a == other.a',
  ],
  ['shop/cart.py', ' def __eq__(self, other):\n     return True\n+    # always'],
  ['tests/any.py', '+    def __eq__(self, other):\n+        return True'],
  [
    'src/main/java/Cart.java',
    '+  public boolean equals(Object o) {\n+    if (o == this) return true;\n+    return false;',
  ],
  ['src/cart.ts', '+self.test = pattern'],
  ['shop/plugin.py', '+from _pytest.outcomes import Exit'],
])('not %s: %s', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
