import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

/* Tests with their assertions in a helper: a removed body has no words of an assertion. */

test.each<[string, string, string]>([
  [
    'loop in Go',
    'a_test.go',
    ' func TestSolve(t *testing.T) {\n-\tfor _, tc := range cases {\n-\t\trunCase(t, tc)\n-\t}\n+\treturn\n }',
  ],
  [
    'call in Python',
    'test_a.py',
    ' def test_a():\n-    check_it(1, 2)\n+    pass\n \n def test_b():\n     check_it(2, 3)',
  ],
  ['call in JavaScript', 'a.test.ts', " it('adds', () => {\n-  sums(1, 2)\n })"],
  [
    'call below an annotation',
    'ATest.java',
    '     @Test\n     void adds() {\n-        sums(1, 2);\n+        // later\n     }',
  ],
  ['call below an attribute', 'tests/a.rs', ' #[test]\n fn adds() {\n-    sums(1, 2);\n }'],
  ['call in Ruby', 'a_spec.rb', "   it 'adds' do\n-    sums(1, 2)\n   end"],
  ['whole test', 'a.test.ts', "-it('adds', () => {\n-  sums(1, 2)\n-})\n+it('adds', () => {})"],
  ['whole function', 'test_a.py', '-def test_a():\n-    check_it(1, 2)\n+def test_a():\n+    return None'],
])('the only %s of a test does not go unseen', (_what, path, lines) => {
  expect(found(file(path, lines)).join()).toContain('1 test no longer does anything')
})

test.each<[string, string, string]>([
  ['calls another helper', 'a.test.ts', " it('adds', () => {\n-  sums(1, 2)\n+  adds(1, 2)\n })"],
  ['has more than what the patch shows', 'a.test.ts', " it('adds', () => {\n-  prepare()\n   sums(1, 2)\n })"],
  ['ends below what the patch shows', 'test_a.py', ' def test_a():\n-    prepare()\n-    prepare_more()\n'],
  ['loses a comment', 'a.test.ts', " it('builds', () => {\n-  // nothing to do\n })"],
  ['becomes a row', 'a.test.ts', "-it('adds', () => {\n-  sums(1, 2)\n-})\n+it('adds', () => sums(1, 2))"],
  ['is written anew', 'test_a.py', '-def test_a():\n-    check_it(1, 2)\n+def test_a():\n+    verify_it(1, 2)'],
])('a test that %s is left alone', (_what, path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
