import { describe, expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

describe('a test provides the value that it checks', () => {
  test.each([
    [
      'raises the error that it expects',
      'test_a.py',
      ' def test_a():\n     with pytest.raises(ValueError):\n-        Cart().add(-1)\n+        raise ValueError("no")',
    ],
    [
      'panics by itself',
      'tests/a.rs',
      ' #[test]\n #[should_panic(expected = "no")]\n fn adds() {\n-    cart(&[-1]);\n+    panic!("no");\n }',
    ],
    [
      'expects what the code gives',
      'a.test.ts',
      " it('adds', () => {\n-  expect(cart.total()).toBe(3)\n+  const wanted = cart.total()\n+  expect(cart.total()).toBe(wanted)\n })",
    ],
    [
      'sets what the row wants',
      'a_test.go',
      ' \tt.Run(tt.name, func(t *testing.T) {\n+\t\ttt.want = total(tt.a)\n \t\tif got := total(tt.a); got != tt.want {\n \t\t\tt.Error(got)',
    ],
    [
      'writes the file that it compares with',
      'tests/conftest.py',
      ' def check(text):\n+    path.write_text(text)\n     assert text == path.read_text()',
    ],
    [
      'updates its golden files always',
      'a_test.go',
      '+var update = flag.Bool("update", true, "")\n func TestA(t *testing.T) {',
    ],
    [
      'says that it succeeded',
      'tests/smoke_test.c',
      ' int main(void) {\n   test_total();\n-  return failures > 0;\n+  return 0;\n }',
    ],
  ])('%s', (_, path, lines) => {
    expect(found(file(path, lines))).toContainEqual(expect.stringContaining('gives itself what it asks for'))
  })

  test.each([
    [
      'tests/smoke_test.c',
      ' static void test_total(void) {\n }\n int main(void) {\n-  test_total();\n   return failed;\n }',
    ],
    ['a_test.go', ' func ExampleCart() {\n \tfmt.Println(total())\n-\t// Output: 3\n }'],
  ])('%s no longer checks: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([expect.stringContaining('no longer asks what it asked')])
  })

  test.each([
    [
      'a time is taken first',
      'test_a.py',
      ' def test_a():\n+    started = time.monotonic()\n     run()\n+    assert time.monotonic() - started < 1',
    ],
    [
      'what is compared has to differ',
      'test_a.py',
      ' def test_a():\n+    caller = threading.get_ident()\n+    assert threading.get_ident() != caller',
    ],
    [
      'golden files are written on request',
      'tests/conftest.py',
      ' def check(text):\n+    if request.config.getoption("update"):\n+        path.write_text(text)\n     assert text == path.read_text()',
    ],
    [
      'the error is raised by what the code is given',
      'test_a.py',
      ' def test_a():\n+    def pay(amount):\n+        raise ValueError("no")\n     with pytest.raises(ValueError):\n         checkout(pay)',
    ],
    [
      'a test goes with its call',
      'tests/a_test.c',
      '-  RUN_TEST(adds_null);\n-static void adds_null(void) {\n-}\n int main(void) {',
    ],
  ])('not if %s', (_, path, lines) => {
    expect(found(file(path, lines))).toEqual([])
  })
})
