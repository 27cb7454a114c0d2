import { describe, expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

/* Existing assertions whose failure is ignored. */

describe('a failure goes unnoticed in', () => {
  test.each([
    ['a.test.ts', "-  await expect(pay(0)).rejects.toThrow('no')\n+  expect(pay(0)).rejects.toThrow('no')"],
    [
      'a.test.ts',
      "-  await expect(pay(0)).rejects.toThrow('no')\n+  await expect(pay(0)).rejects.toThrow('no').catch(() => {})",
    ],
    ['a.test.js', '-  await assert.rejects(pay(0))\n+  assert.rejects(pay(0)).catch(() => {})'],
    ['a.spec.js', '-  return expect(pay(0)).to.be.rejectedWith(Error)\n+  expect(pay(0)).to.be.rejectedWith(Error)'],
    ['test/a_test.rb', '-    assert_equal 3, total\n+    (assert_equal 3, total) rescue nil'],
    [
      'tests/ATest.php',
      '-    $this->assertSame(3, total());\n+    try { $this->assertSame(3, total()); } catch (\\Throwable) {}',
    ],
    ['ATests.cs', '-    Assert.Equal(3, Total());\n+    try { Assert.Equal(3, Total()); } catch { }'],
    ['ATests.cs', '-    Assert.Equal(3, Total());\n+    Task.Run(() => Assert.Equal(3, Total()));'],
    ['a_test.py', '-        self.assertEqual(total(), 3)\n+        yield self.assertEqual(total(), 3)'],
    ['a_test.py', '-    def test_a(self):\n+    async def test_a(self):\n         self.assertEqual(total(), 3)'],
    ['tests/a.rs', '-    assert_eq!(total(), 3);\n+    while total() > 9 && false { assert_eq!(total(), 3); }'],
    ['a_test.go', '-\tt.Run(name, func(t *testing.T) {\n+\t_ = func(t *testing.T) {\n \t\tif total() != 3 {'],
    ['a_test.cpp', '-  EXPECT_EQ(total(), 3);\n+  if (total() == 3) EXPECT_EQ(total(), 3);'],
    ['a.test.js', '-  expect(total()).toBe(3)\n+  process.nextTick(() => expect(total()).toBe(3))'],
    ['ATest.java', '-    assertEquals(3, total());\n+    new Thread(() -> assertEquals(3, total())).start();'],
    ['ATest.java', '-    assertEquals(3, total());\n+    CompletableFuture.runAsync(() -> assertEquals(3, total()));'],
    ['test/a_test.exs', '-    assert total() == 3\n+    Task.start(fn -> assert total() == 3 end)'],
    ['a.test.js', "-test('a', () => {\n+test('a', () => () => {\n   expect(total()).toBe(3)"],
    ['ATest.java', ' @Test\n-public void adds() {\n+private void adds() {\n   assertEquals(3, total());'],
    [
      'ATest.java',
      ' @ParameterizedTest\n-@ValueSource(ints = {1, 2})\n+@ValueSource(ints = {})\n void adds(int any) {',
    ],
    ['tests/a.rs', '-    assert_eq!(total(), 3);\n+    let _ = std::thread::spawn(|| assert_eq!(total(), 3)).join();'],
    [
      'ATest.java',
      '-    assertThat(total()).isEqualTo(3);\n+    SoftAssertions softly = new SoftAssertions();\n+    softly.assertThat(total()).isEqualTo(3);',
    ],
    ['a.test.js', '-  expect(total()).toBe(3)\n+  total() && expect(total()).toBe(3)'],
    ['a.test.js', '-  expect(total()).toBe(3)\n+  total() === 4 || (expect(total()).toBe(3))'],
    ['a.test.js', '-  expect(total()).toBe(3)\n+  total() ? expect(total()).toBe(3) : null'],
    ['a.test.js', '-  expect(total()).toBe(3)\n+  for (const one of []) expect(total()).toBe(3)'],
    ['a.test.js', '-  expect(total()).toBe(3)\n+  void (() => expect(total()).toBe(3))'],
    [
      'a.test.js',
      '-  await expect(total()).resolves.toBe(3)\n+  await Promise.allSettled([expect(total()).resolves.toBe(3)])',
    ],
    ['a_test.go', '-\trequire.Equal(t, 3, total())\n+\tgo require.Equal(t, 3, total())'],
  ])('%s: %j', (path, lines) => {
    expect(found(file(path, lines))).toContainEqual(expect.stringContaining('not called, or not heard'))
  })

  test.each([
    [
      'ATests.cs',
      ' {\n-    Assert.Equal(3, Total());\n+    try\n+    {\n+        Assert.Equal(3, Total());\n+    }\n+    catch (Exception)\n+    {\n+    }\n }',
    ],
    [
      'test/a_test.exs',
      ' test "a" do\n-    assert total() == 3\n+    try do\n+      assert total() == 3\n+    rescue\n+      _ -> :ok\n+    end\n end',
    ],
    ['test/a_test.rb', '   def test_a\n     assert_equal 3, total\n+  rescue Minitest::Assertion\n+    nil\n   end'],
  ])('%s, as it is caught: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([expect.stringContaining('as the error is caught')])
  })

  test('a goroutine that nobody waits for', () => {
    const lines =
      ' func TestA(t *testing.T) {\n-\tif got := total(); got != 3 {\n-\t\tt.Error(got)\n-\t}\n+\tgo func() {\n+\t\tif got := total(); got != 3 {\n+\t\t\tt.Error(got)\n+\t\t}\n+\t}()\n }'
    expect(found(file('a_test.go', lines))).toEqual([expect.stringContaining('within something that may keep it')])
    const waited = lines.replace('+\t}()', '+\t}()\n+\twg.Wait()')
    expect(found(file('a_test.go', waited))).toEqual([])
  })
})

test('a test that waits for something may be a coroutine', () => {
  const lines = '-def test_a():\n+async def test_a():\n     assert total() == 3\n+    await done()'
  expect(found(file('test_a.py', lines))).toEqual([])
})

test('a loop or a table that now covers only a part has lost rows', () => {
  const cut: readonly (readonly [string, string, string])[] = [
    ['a_test.go', 'for _, tt := range tests {', 'for _, tt := range tests[:1] {'],
    ['a_test.go', 'for _, tt := range tests {', 'for range tests {\n+\ttt := tests[0]'],
    ['tests/a.rs', 'for (a, b) in [(1, 2), (3, 4)] {', 'for (a, b) in [(1, 2), (3, 4)].into_iter().take(0) {'],
    ['tests/a.rs', 'for (a, b) in [(1, 2), (3, 4)] {', 'for (a, b) in [(1, 2)] {'],
    ['a.test.ts', "])('%d and %d', (a, b) => {", "].slice(0, 1))('%d and %d', (a, b) => {"],
    ['ATest.java', '@CsvSource({"1, 2", "3, 4"})', '@CsvSource({"1, 2"})'],
  ]
  for (const [path, before, now] of cut)
    expect(found(file(path, `-${before}\n+${now}`))).toEqual([expect.stringContaining('lost 1 row')])
  expect(found(file('a_test.go', '-for _, tt := range tests {\n+for _, tt := range slices.Sorted(tests) {'))).toEqual(
    [],
  )
})

test('a row of a Go table is lost with its line', () => {
  const lines = ' \ttests := []struct{ a, b int }{\n \t\t{a: 1, b: 2},\n-\t\t{a: 3, b: 4},\n \t}'
  expect(found(file('a_test.go', lines))).toEqual([expect.stringContaining('lost 1 row')])
})

test('a test whose first line is rewritten, and that is skipped now, existed before', () => {
  const lines = "-test('adds', () => {\n+test('adds', (t) => {\n+  t.skip()\n   assert.equal(sum(1), 3)"
  expect(found(file('a.test.js', lines))).toEqual([expect.stringContaining('new marker')])
})
