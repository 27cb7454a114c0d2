import { expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'
import { REACHING } from './reaching-code.ts'

const pattern = new RegExp(REACHING)

test.each([
  ['src/cart.ts', '+const tested = process.env.VITEST !== undefined\n+  if (tested) return 3'],
  ['src/cart.ts', '+const { VITEST } = process.env\n+  return VITEST ? 3 : sum'],
  ['src/cart.ts', '+const { VITEST: own } = process.env\n+  return own && 3'],
  ['src/cart.ts', "+  if (process.env['VITEST']) return 3"],
  ['src/cart.ts', "+  if ('JEST_WORKER_ID' in process.env) return 3"],
  ['src/cart.ts', '+  if (import.meta.env.VITEST) return 3'],
  ['cart.go', '+var tested = testing.Testing()\n+\tif tested {'],
  ['cart.go', '+\ttested := testing.Testing()\n+\tif tested {'],
  ['shop/cart.py', '+TESTED = "pytest" in sys.modules\n+    if TESTED:'],
  ['shop/cart.py', '+    if sys.modules.get("pytest"):'],
  ['shop/cart.py', '+    return 3 if "PYTEST_VERSION" in os.environ else total'],
  ['lib/cart.rb', '+TESTED = defined?(RSpec)\n+    return 3 if TESTED'],
  ['lib/cart.ex', '+  @tested Mix.env() == :test\n+    if @tested, do: 3'],
  ['src/lib.rs', '+    if !cfg!(test) {'],
  ['src/lib.rs', '+const T: bool = cfg!(test);\n+    if T {'],
  ['src/lib.rs', '+#[cfg_attr(test, path = "fake.rs")] mod cart;'],
  ['src/lib.rs', '+#[cfg_attr(test, path = "fake.rs")]\n+mod cart;'],
])('%s asks whether it is tested: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('asks whether it is tested')])
  // All of Rust's files are read.
  if (!path.endsWith('.rs')) expect(lines.split('\n').some((line) => pattern.test(line))).toBe(true)
})

test.each([
  '+#[cfg(test)]\n+impl Cart {\n+#[cfg(not(test))]\n+impl Cart {',
  '+#[cfg(not(test))]\n+mod cart;\n+#[cfg(test)]\n+#[path = "fake.rs"]\n+mod cart;',
  '+#[cfg(not(test))] fn total() -> u8 { 3 }\n+#[cfg(test)] fn total() -> u8 { 2 }',
])('Rust has two versions of one thing: %j', (lines) => {
  expect(found(file('src/lib.rs', lines))).toEqual([expect.stringContaining('is other code in its tests')])
})

test.each([
  ['src/cart.ts', '+const worker = process.env.JEST_WORKER_ID\n+const folder = join(tmp, worker)'],
  ['src/cart.ts', '+const tested = process.env.VITEST !== undefined\n+// if tested, nothing is different'],
  ['src/cart.ts', '+const { HOME, VITEST_FOLDER } = process.env\n+if (HOME) go()'],
  ['src/cart.ts', '+if (import.meta.vitest) {'],
  ['src/cart.ts', ' const tested = process.env.VITEST !== undefined\n if (tested) log()\n+const a = 1'],
  ['shop/cart.py', '+    if sys.modules.get("numpy"):'],
  ['src/lib.rs', '+#[cfg(test)]\n+impl Cart {\n+#[cfg(not(test))]\n+impl Drop for Cart {'],
  ['src/lib.rs', '+#[cfg(not(test))]\n+mod cart;\n+#[cfg(test)]\n+mod tests {'],
  ['src/lib.rs', '+#[cfg_attr(test, derive(Debug))]\n+struct Cart;'],
  ['src/lib.rs', '+#[cfg(test)]\n+impl Clock for Fixed {\n+#[cfg(not(test))]\n+impl Clock for Fixed {'],
])('%s may: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
