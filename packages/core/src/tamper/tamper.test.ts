import { describe, expect, test } from 'vitest'
import { findTampering } from './tamper.ts'
import { each, file, found, js, renamed } from '../testing/sample-patch.ts'

describe('tests that an attempt weakens', () => {
  test("are files that it deletes, or renames out of the runner's reach", () => {
    expect(found(file('src/add.test.ts', each(js, '-'), 'D'))).toEqual(['src/add.test.ts was deleted'])
    expect(found(file('empty.spec.js', '', 'D'))).toEqual(['empty.spec.js was deleted'])
    for (const [from, to] of [
      ['src/add.test.ts', 'src/add.test.ts.bak'],
      ['tests/test_add.py', 'tests/old_add.py'],
      ['add_test.go', 'add_test.go.off'],
      ['add_test.go', 'add_arm64_test.go'],
      ['add_test.go', 'add_wasip1_test.go'],
      ['add_amd64_test.go', 'add_riscv64_test.go'],
      ['test/add.js', 'attic/add.js'],
    ] as const) {
      expect(found(renamed(from, to))).toEqual([`${from} was renamed to ${to}, where the runner may not find it`])
    }
    expect(found(renamed('add_amd64_test.go', 'sum_amd64_test.go'))).toEqual([])
    expect(found(renamed('add_arm64_test.go', 'add_test.go'))).toEqual([])
    expect(found(renamed('add_test.go', 'harm_test.go'))).toEqual([])
  })

  test.each([
    ['a.test.ts', "  it.skip('adds', () => {", 'skip'],
    ['a.test.ts', "describe.only('all', () => {", 'only'],
    ['a.test.ts', "test.concurrent.skip('adds', run)", 'skip'],
    ['a.test.ts', "test.todo('adds')", 'todo'],
    ['a.test.ts', "it['skip']('adds', run)", 'skip'],
    ['a.test.ts', "  xit('adds', () => {", 'xit'],
    ['a.test.ts', "fdescribe('adds', () => {", 'fdescribe'],
    ['a.test.ts', "test('adds', { skip: true }, () => {", 'skip'],
    ['a.test.ts', "test('adds', { skip: 'later' }, () => {", 'skip'],
    ['a.test.ts', "test.skipIf(process.env.CI)('adds', run)", 'skipIf'],
    ['a.test.ts', '  this.skip()', 'skip'],
    ['a.spec.ts', "test.fixme('adds', run)", 'fixme'],
    ['test_a.py', '@pytest.mark.skip(reason="later")', 'skip'],
    ['test_a.py', '@pytest.mark.xfail', 'xfail'],
    ['test_a.py', '    pytest.skip("later")', 'skip'],
    ['test_a.py', '    @unittest.skip("later")', 'skip'],
    ['test_a.py', '@unittest.expectedFailure', 'expectedFailure'],
    ['test_a.py', '    self.skipTest("later")', 'skipTest'],
    ['a_test.go', '\tt.Skip("later")', 'Skip'],
    ['a_test.go', '//go:build ignore', 'ignore'],
    ['tests/a.rs', '#[ignore]', 'ignore'],
    ['tests/a.rs', '#[ignore = "slow"]', 'ignore'],
    ['ATest.java', '    @Disabled("later")', 'Disabled'],
    ['ATest.java', '  @Ignore', 'Ignore'],
    ['ATests.cs', '[Fact(Skip = "later")]', 'Skip'],
    ['a_spec.rb', "xit 'adds' do", 'skip'],
    ['a.test.ts', 'if (false) {', 'if (false)'],
    ['test_a.py', '    if False:', 'if (false)'],
  ])('in %s get the marker %j', (path, line, word) => {
    const before = line.includes('[Fact')
      ? '[Fact]'
      : /^ *(?:x?it|test|f?describe)\b.*'adds'/.test(line)
        ? "it('adds', run)"
        : null
    expect(found(file(path, `${before === null ? '' : `-${before}\n`}+${line}`))).toEqual([
      `${path} has 1 new marker that keeps tests from running (${word})`,
    ])
  })

  test('become comments, a line at a time or enclosed', () => {
    const sentence = ['a.test.ts: 2 lines of tests commented out']
    expect(
      found(
        file(
          'a.test.ts',
          `-  expect(a).toBe(1)\n-  expect(b).toBe(2)\n+  // expect(a).toBe(1)\n+  //expect(b).toBe(2)`,
        ),
      ),
    ).toEqual(sentence)
    expect(
      found(file('a.test.ts', `+/*\n ${"it('adds', () => {"}\n   expect(a).toBe(1)\n })\n+*/\n   expect(b).toBe(2)`)),
    ).toEqual(sentence)
    expect(found(file('test_a.py', '-    assert a == 1\n+    # assert a == 1'))).toEqual([
      'test_a.py: 1 line of tests commented out',
    ])
  })

  test.each([
    ['a.test.ts', '-  expect(a).toBe(1)'],
    ['a.test.ts', '-  assert.equal(a, 1)\n+  void a'],
    ['a.test.ts', '-  expect(a).toBe(1)\n+  expect(true).toBe(true)'],
    ['a.test.ts', "-  a.should.equal(1)\n+  log('expect(a)')"],
    ['test_a.py', '-    assert a == 1\n+    assert True'],
    ['test_a.py', '-    self.assertEqual(a, 1)'],
    ['test_a.py', '-    with pytest.raises(KeyError):'],
    ['a_test.go', '-\t\tt.Errorf("got %d", a)'],
    ['a_test.go', '-\trequire.Equal(t, 1, a)'],
    ['tests/a.rs', '-    assert_eq!(a, 1);'],
    ['ATest.java', '-    assertThat(a).isEqualTo(1);'],
    ['ATest.java', '-    Assertions.assertEquals(1, a);'],
    ['a_test.cc', '-  EXPECT_EQ(1, a);'],
  ])('in %s lose an assertion: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([`${path} lost 1 assertion`])
  })

  test.each([
    [
      'package.json',
      '-    "test": "vitest run",\n+    "test": "vitest run || true",',
      'the command "test" can no longer fail',
    ],
    [
      'package.json',
      '-    "test": "vitest run",\n+    "test": "vitest run; exit 0",',
      'the command "test" can no longer fail',
    ],
    [
      'package.json',
      '-    "test": "vitest run",\n+    "test": "echo ok",',
      'the command "test" no longer does anything',
    ],
    ['package.json', '-    "lint": "oxlint",\n+    "lint": "exit 0",', 'the command "lint" no longer does anything'],
    ['package.json', '-    "test": "vitest run",', 'the command "test" was removed'],
    ['beadloom.json', '-  "test": "npm test",\n+  "test": "true",', 'the command "test" no longer does anything'],
    ['Makefile', '-\tpytest -q\n+\tpytest -q || true', 'the test command can no longer fail'],
    ['Makefile', '-\tpytest -q\n+\t-pytest -q', 'the test command can no longer fail'],
    ['Makefile', '-\tpytest -q\n+\t@true', 'the test command no longer does anything'],
    ['tox.ini', '-commands = pytest\n+commands = python -c "pass"', 'the test command no longer does anything'],
    ['noxfile.py', '-session.run("pytest")\n+session.run("true")', 'the test command no longer does anything'],
    ['bin/test', '-npm test\n+npm test || :', 'the test command can no longer fail'],
    ['scripts/test.sh', '-npm test\n+npm test || :', 'the test command can no longer fail'],
  ])('by their command in %s: %j', (path, lines, why) => {
    expect(found(file(path, lines))).toEqual([`${path}: ${why}`])
  })

  test.each([
    ['mvnw', '-exec "$JAVACMD" "$@"\n+echo done'],
    ['gradlew', '+exit 0\n exec "$JAVACMD" "$@"'],
    ['manage.py', '-    execute_from_command_line(sys.argv)\n+    print("OK")'],
    ['site/manage.py', '+    sys.exit(0)\n     execute_from_command_line(sys.argv)'],
  ])('by what %s starts: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([`${path} no longer starts what it is there for`])
  })

  test('not by another equivalent wrapper', () => {
    expect(found(file('mvnw', '-exec "$JAVACMD" -old "$@"\n+exec_maven "$@"\n+exec "$JAVACMD" "$@"'))).toEqual([])
  })

  test.each([
    ['sh all', 'all', '-npm run unit-test\n+exit 0', 'the test command can no longer fail'],
    ['( cd api && ./run-it )', 'api/run-it', '-pytest\n+pytest || true', 'the test command can no longer fail'],
    ['python tools/every.py', 'tools/every.py', '+sys.exit(0)\n pytest.main()', 'it ends by itself, and well'],
    ['node every.mjs', 'every.mjs', "-await run('vitest')\n+console.log('fine')", 'it no longer runs tests'],
  ])('by what the check "%s" starts, %s: %j', (command, path, lines, why) => {
    const change = { files: [file(path, lines)], collectedBefore: null, collectedAfter: null }
    expect(findTampering({ ...change, commands: [command] })).toEqual([`${path}, which a check starts: ${why}`])
    expect(findTampering({ ...change, commands: ['npm test'] })).toEqual([])
  })

  test.each([
    ['package.json', '-    "test": "vitest run",\n+    "test": "vitest run --passWithNoTests",', '--passWithNoTests'],
    ['jest.config.js', "+  testPathIgnorePatterns: ['add'],", 'testPathIgnorePatterns'],
    ['pytest.ini', '+addopts = --deselect tests/test_a.py::test_b', '--deselect'],
  ])('are left out by %s', (path, lines, option) => {
    expect(found(file(path, lines))).toEqual([`${path} leaves tests out (${option})`])
  })

  test('are fewer than the runner found before', () => {
    const collected = (before: number | null, after: number | null) =>
      findTampering({ files: [], collectedBefore: before, collectedAfter: after })
    expect(collected(12, 9)).toEqual(['the runner found 9 tests, 3 fewer than before'])
    for (const [before, after] of [
      [9, 12],
      [9, 9],
      [null, 9],
      [9, null],
    ] as const) {
      expect(collected(before, after)).toEqual([])
    }
  })
})
