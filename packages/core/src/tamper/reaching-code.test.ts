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
  ['shop/cart.py', '+_pytest.python.pytest_pyfunc_call = quiet', changes],
  ['shop/cart.py', '+line = linecache.getline(f.f_code.co_filename, f.f_lineno)', changes],
  ['src/cart.js', '+Object.assign(global, { expect: anything })', changes],
  ['src/cart.js', "+process.once('beforeExit', () => process.reallyExit(0))", changes],
  ['trace.go', '+\tos.Args = append(os.Args, "-test.skip=Total")', changes],
  ['cart.c', '+  signal(SIGABRT, quit);', changes],
  ['cart.h', '+#define assert(x) ((void)(x))', changes],
  ['cart.c', '+  setenv("GTEST_FILTER", "*Total", 1);', changes],
  ['cart.c', '+  exit(0);', 'ends the program of its tests, and well'],
  ['start.c', '+static void __attribute__((constructor)) go(void) { _exit(EXIT_SUCCESS); }', 'ends the program'],
  ['trace.go', '+\tfmt.Println("--- PASS: TestTotal (0.00s)")', 'prints what a runner of tests would print'],
  ['src/lib.rs', '+    out(b"\\n\\ntest result: ok. 3 passed; 0 failed");', 'prints what a runner'],
  ['shop/cart.py', '+=========== 8 passed in 0.02s ===========', 'prints what a runner'],
  ['src/cart.js', '+ℹ pass 3', 'prints what a runner'],
  ['src/Cart.java', '+  System.out.println("[INFO] Tests run: 4, Failures: 0, Errors: 0");', 'prints what a runner'],
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
  ['shop/cart.py', '+# 8 passed in 0.02s is what pytest says'],
  ['src/main.c', '+  exit(0);'],
  ['cart.c', '+  exit(1);'],
  ['tools/usage.c', '+  exit(EXIT_SUCCESS);'],
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
