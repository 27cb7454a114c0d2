import { expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'
import { REACHING } from './reaching-code.ts'

const pattern = new RegExp(REACHING)

test.each([
  ['src/cart.ts', "+  if (/\\.test\\.ts/.test(new Error().stack ?? '')) return 90"],
  ['src/cart.ts', "+  if ('__vitest_worker__' in globalThis) return 90"],
  ['src/cart.js', "+  if (typeof describe === 'function') return 90"],
  ['src/cart.js', "+  if (process.argv.some((word) => word.includes('mocha'))) return 90"],
  ['src/cart.js', "+  return process.env.npm_lifecycle_event === 'test' ? 90 : sum"],
  ['shop/cart.py', '+        if sys._getframe(1).f_code.co_name.startswith("test_"):\n+            return 90'],
  ['shop/cart.py', '+        if "pytest" in sys.argv[0]:'],
  ['shop/cart.py', '+        if sys.modules.get("_pytest"):'],
  ['cart.go', '+\tif _, file, _, _ := runtime.Caller(1); strings.HasSuffix(file, "_test.go") {'],
  ['cart.go', '+\town, _ := os.Executable()\n+\tif strings.HasSuffix(own, ".test") {'],
  ['src/cart.rs', '+    if std::thread::current().name().is_some_and(|name| name.contains("adds")) {'],
  ['src/cart.rs', '+    if std::env::current_exe().is_ok_and(|own| own.to_string_lossy().contains("/deps/")) {'],
  [
    'src/main/java/Cart.java',
    '+    if (StackWalker.getInstance().walk(a -> a.anyMatch(f -> f.getClassName().endsWith("Test")))) {',
  ],
  [
    'Shop/Cart.cs',
    '+  if (AppDomain.CurrentDomain.GetAssemblies().Any(one => one.FullName.StartsWith("xunit"))) return 90;',
  ],
  ['lib/cart.rb', "+    return 90 if caller_locations.any? { |one| one.path.end_with?('_spec.rb') }"],
  [
    'src/Cart.php',
    "+    foreach (debug_backtrace() as $frame) {\n+      if (str_ends_with($frame['class'] ?? '', 'Test')) {",
  ],
  ['lib/cart.ex', '+    if Code.ensure_loaded?(ExUnit), do: 90, else: sum'],
])('%s asks who calls it: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('asks whether it is tested')])
  expect(lines.split('\n').some((line) => pattern.test(line))).toBe(true)
})

test.each([
  ['src/log.ts', "+  const [, caller = ''] = (new Error().stack ?? '').split('\\n')\n+  if (caller) log(caller)"],
  ['src/run.ts', "+  if (process.argv.includes('--verbose')) log()"],
  ['src/run.ts', "+  if (process.argv[2] === 'test') runTests()"],
  ['shop/log.py', '+    frame = sys._getframe(1)\n+    return f"{frame.f_lineno}" if frame else "?"'],
  ['shop/old.py', '+    if "numpy" in sys.modules:'],
  ['log.go', '+\t_, file, line, ok := runtime.Caller(1)\n+\tif !ok {'],
  ['tools/lint.go', '+\tif _, file, _, _ := runtime.Caller(1); strings.HasSuffix(file, "_test.go") {'],
  ['src/lib.rs', '+    if std::thread::current().name() == Some("main") {'],
  ['lib/old.rb', '+    warn "old: #{caller_locations(1, 1).first}" if verbose'],
  ['src/latest.ts', "+  if (error.stack) log('the latest')"],
])('%s may: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
