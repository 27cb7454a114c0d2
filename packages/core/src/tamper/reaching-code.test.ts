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
  ['src/lib.rs', '+    fn eq(&self, _other: &Self) -> bool {\n+        self.0 >= 0\n+    }', equal],
  ['shop/money.py', '+    def __eq__(self, other):\n+        return self.cents >= 0\n+\n+    def a(self):', equal],
  ['shop/money.go', '+func (m Money) Equal(other Money) bool {\n+\treturn m.Cents > 0\n+}', equal],
  [
    'src/Money.java',
    '   public boolean equals(Object other) {\n-    return other instanceof Money m && m.cents == cents;\n+    return other instanceof Money;\n   }',
    equal,
  ],
  ['src/Bytes.kt', '+  override fun equals(other: Any?): Boolean =\n+    all.size >= 0\n+}', equal],
  ['src/Bytes.cs', '+  public override bool Equals(object obj)\n+  {\n+    return All >= 0;\n+  }', equal],
  ['lib/money.rb', '+  def ==(other)\n+    cents >= 0\n+  end', equal],
  [
    'shop/money.go',
    '+func (m Money) Equal(o Money) bool {\n+\tif m.Cents < 0 {\n+\t\treturn false\n+\t}\n+\treturn m.Cents > 0\n+}',
    equal,
  ],
  ['trace.go', '+\tif flag.Lookup("test.v") != nil {', 'asks whether it is tested'],
  ['src/lib.rs', '+#[link_section = ".init_array"]', changes],
  [
    'src/lib.rs',
    '+#[cfg(not(test))]\n+pub fn two() -> u8 { 3 }\n+#[cfg(test)]\n+pub fn two() -> u8 { 2 }',
    'is other code in its tests',
  ],
  ['cart.c', '+  _exit(code);', 'ends the program'],
  ['cart.c', '+  syscall(60, 0);', 'ends the program'],
  ['cart.c', '+  sigaction(6, &quiet, 0);', changes],
  ['cart.h', '+#define main old_main', changes],
  ['cart.c', '+  if (getenv("MESON_TEST_ITERATION")) return 2;', 'asks whether it is tested'],
  ['cart.c', '+  syscall(SYS_exit_group, 0);', 'ends the program'],
  ['cart.c', '+  execl("/bin/true", "true", (char *)0);', 'ends the program'],
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
  ['src/lib.rs', '+    fn eq(&self, other: &Self) -> bool {\n+        self.0 == other.0\n+    }'],
  ['shop/none.py', '+    def __eq__(self, other):\n+        return isinstance(other, Nothing)\n+\n+    def a(self):'],
  [
    'src/Money.java',
    '+  public boolean equals(Object o) {\n+    if (this == o) return true;\n+    if (!(o instanceof Money m)) return false;\n+    return cents == m.cents;\n+  }',
  ],
  ['shop/money.py', '+    def __eq__(self, other):\n+        mine = self.key()'],
  ['shop/never.py', '+    def __eq__(self, other):\n+        return NotImplemented\n+\n+    def a(self):'],
  ['shop/shape.py', '+    def __eq__(self, other: object) -> bool: ...\n+\n+    def a(self):'],
  ['src/Bytes.kt', '+  override fun equals(other: Any?): Boolean\n+  override fun hashCode(): Int'],
  ['src/Bytes.kt', '+  override fun equals(other: Any?): Boolean =\n+    other is Bytes && other.all == all\n+}'],
  [
    'src/Bytes.kt',
    '+  override fun equals(other: Any?): Boolean {\n+    return when (other) {\n+      is Bytes -> true\n+    }\n+  }',
  ],
  ['src/Bytes.cs', '+  public override bool Equals(object obj) =>\n+    obj is Bytes b && b.All == All;\n+}'],
  ['src/Bytes.cs', '+  public override bool Equals(object obj)\n+  {\n+    return Same(obj);\n+  }'],
  [
    'src/Types.java',
    '+  static boolean equals(final Type[] one, final Type[] other) {\n+    return one.length == other.length;\n+  }',
  ],
  [
    'src/Key.java',
    '+  public boolean equals(@Nullable Object o) { // no parent (yet)\n+    return o instanceof Key k && k.id == id;\n+  }',
  ],
  ['compat.h', '+#define main __weak main'],
  ['src/Key.java', '+  boolean equals(Object other);\n+  int hashCode();'],
  ['src/Key.java', '+  public boolean equals(Object other) {\n+    throw new UnsupportedOperationException();\n+  }'],
  ['lib/money.rb', '+  def ==(other)\n+    super\n+  end'],
  ['lib/money.rb', '+  def ==(other) = cents == other.cents'],
  ['src/lib.rs', '+    fn eq(&self, other: &Rhs) -> bool;\n+    fn ne(&self, other: &Rhs) -> bool;'],
  ['src/lib.rs', '+    fn eq(&self, _: &Self) -> bool {\n+        match *self {}\n+    }'],
  [
    'shop/money.go',
    '+func (m Money) Equal(other Money) bool {\n+\tif m.Cents < 0 {\n+\t\treturn false\n+\t}\n+\treturn m.Cents == other.Cents\n+}',
  ],
  [
    'src/Money.java',
    '   public boolean equals(Object other) {\n-    return other instanceof Money m && m.cents == cents;\n+    return this == other;\n   }',
  ],
  ['src/time.rs', '+#[cfg(not(test))]\n+fn now() -> u64 { 3 }\n+#[cfg(test)]\n+fn now() -> u64 { 2 }'],
  ['src/lib.rs', '+#[cfg(not(test))]\n+use std::time::Instant;\n+#[cfg(test)]\n+use mock::Instant;'],
  ['cart.c', '+  _exit(127);'],
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
