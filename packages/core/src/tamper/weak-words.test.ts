import { describe, expect, test } from 'vitest'
import { file, found, renamed } from '../testing/sample-patch.ts'

/* Words of Rust, Java, C++ and of test scripts that keep tests from running, being heard, or failing. */

const rust = ' #[test]\n fn adds() {\n     assert_eq!(add(1, 1), 2);\n }'
const java = ' @Test\n public void adds() {\n     assertThat(add(1, 1)).isEqualTo(2);\n }'
const cpp = ' TEST_CASE("adds") {\n     REQUIRE(add(1, 1) == 2);\n }'

describe('weaker', () => {
  test.each([
    ['test_a.py', '+\'\'\'\n def test_adds():\n     """Adds."""\n     assert add(1, 1) == 2\n+\'\'\''],
    ['test_a.py', '+\'\'\'\n def test_adds():\n     """Adds\n     two."""\n     assert add(1, 1) == 2\n+\'\'\''],
    ['test_a.py', ' class ATest(TestCase):\n+    assertEqual = print\n\n     def test_a(self):'],
    [
      'a_test.go',
      '-func TestAdd(t *testing.T) {\n+func Testadd(t *testing.T) {\n \tif Add(1, 1) != 2 {\n \t\tt.Fatal("no")\n \t}',
    ],
    ['a_test.go', ' switch {\n-\tcase got != want:\n+\tcase got != want && want < 0:\n \t\tt.Fatalf("no")'],
    ['tests/a.rs', '-use shop::*;\n+mod other;\n+use other::*;'],
    ...['test/catch.hpp', 'third_party/catch.hpp', 'external/doctest.h', 'vendor/unity.c'].map((path) => [
      path,
      '-    return resultType < 1;\n+    return true;',
    ]),
    ['pytest.ini', ' [pytest]\n+addopts = --lf --lfnf=none'],
    ['package.json', '-    "test": "jest"\n+    "test": "npm run unit",\n+    "unit": "true"'],
    ['package.json', '-    "test": "jest"\n+    "test": "! jest"'],
    ['package.json', '-    "test": "jest"\n+    "test": "jest & wait"'],
    ['test.sh', '-exec go test ./...\n+if go test ./...; then echo passed; else echo failed; fi'],
    ['test.sh', '-exec go test ./...\n+said=$(go test ./...)\n+echo "$said"'],
    ['tests/a.rs', `+#![cfg(any())]\n${rust}`],
    ['tests/a.rs', `+#![cfg(feature = "slow")]\n${rust}`],
    ['tests/a.rs', rust.replace('\n fn', '\n+#[cfg_attr(all(), ignore)]\n fn')],
    ['tests/a.rs', rust.replace('\n fn', '\n+#[cfg(windows)]\n fn')],
    ['tests/a.rs', `+macro_rules! later { ($($any:tt)*) => {}; }\n+later! {\n${rust}\n+}`],
    ['tests/a.rs', rust.replace('     assert', '+    if cfg!(windows) {\n     assert')],
    ['src/test/java/ATest.java', `+@org.junit.jupiter.api.Disabled\n${java}`],
    ['src/test/java/ATest.java', `+@EnabledOnOs(OS.WINDOWS)\n${java}`],
    ['src/test/java/ATest.java', `-public class ATest {\n+public abstract class ATest {\n${java}`],
    [
      'src/test/java/ATest.java',
      `${java.replace(' @Test', '-@org.junit.Test\n+@org.junit.Test(expected = Throwable.class)')}\n`.repeat(3),
    ],
    ['src/test/java/Quiet.java', '+public void interceptTestMethod(Invocation<Void> call) {\n+    call.skip();\n+}'],
    ['src/test/java/Calm.java', '+public void handleTestExecutionException(ExtensionContext c, Throwable e) {}'],
    ['src/test/java/Begin.java', '+        Runtime.getRuntime().halt(0);'],
    ['src/test/java/org/junit/Assert.java', '+public class Assert {}'],
    ['a_test.cpp', '-TEST_CASE("adds") {\n+TEST_CASE("adds", "[.]") {\n     REQUIRE(add(1, 1) == 2);'],
    ['a_test.cpp', '-TEST_CASE("adds") {\n+TEST_CASE("adds", "[!mayfail]") {\n     REQUIRE(add(1, 1) == 2);'],
    ['a_test.cpp', `+#ifdef LATER\n${cpp}\n+#endif`],
    ['a_test.cpp', '-    REQUIRE(add(1, 1) == 2);\n+    CHECK_NOFAIL(add(1, 1) == 2);'],
    ['a_test.cpp', '-    REQUIRE(add(1, 1) == 2);\n+    REQUIRE_THROWS(add(1, 1) == 2);'],
    ['a_test.cpp', '-    REQUIRE(add(1, 1) == 2);\n+    REQUIRE(((void)(add(1, 1) == 2), true));'],
    ['a_test.cpp', ' TEST_CASE("adds") {\n+    return;\n \tREQUIRE(add(1, 1) == 2);'],
    [
      'a_test.go',
      ' func TestAdds(t *testing.T) {\n+\tdefer func() {\n+\t\tif recover() == nil {\n+\t\t\tt.Log("no panic")\n+\t\t}\n+\t}()\n \tif Add(1, 1) != 2 {\n \t\tt.Error("no")',
    ],
    ['test_a.py', ' def test_a():\n-    assert a() == 1\n+    assert a() == 1 or b()'],
    ['test_a.py', ' def test_a():\n-    assert a() == 1\n+    assert (a() == 1, "one")'],
    ['test_a.py', ' def test_a():\n-    assert a(1) == 1\n+    assert a(1) == a(1)'],
    ['test_a.py', ' def test_a():\n-    assert a() == 1\n+    assert a() == approx(1, abs=1e99)'],
    ['a.test.js', " it('a', () => {\n-  expect(a(1)).toBe(1)\n+  expect(a(1)).toBe(a(1))"],
    [
      'a.test.js',
      " it('a', () => {\n-  expect(a(1)).toBe(1)\n+  later().then(() => expect(a(1)).toBe(1)).catch(ignore)",
    ],
    ['ATest.java', '-    assertEquals(2, add(1, 1));\n+    assertEquals(add(1, 1), add(1, 1));'],
    ['conftest.py', '+def pytest_runtest_logreport(report):\n+    setattr(report, "outcome", "passed")'],
    ['conftest.py', '+def pytest_runtest_makereport(item, call):\n+    call.excinfo = None'],
    ['test.sh', '-exec cargo test\n+exec cargo build'],
    ['test.sh', '-exec cargo test\n+exec cargo test -- --ignored'],
    ['test.sh', '-exec cargo test\n+exec cargo test nothing_at_all'],
    ['test.sh', '-exec cargo test\n+echo "test result: ok. 9 passed"; echo tests'],
    ['test.sh', '-exec mvn -B test\n+exec mvn -B -Dtest=Nothing test'],
    ['test.sh', '-exec mvn -B test\n+exec mvn -B test-compile'],
    ['test.sh', '-exec mvn -B test\n+exec mvn -B -f ../other test'],
    ['test.sh', '-cmake --build build --target test_a\n+cmake --build build --target test_a || true'],
    ['test.sh', '-cmake --build build --target test_a\n+cmake --build build --target a && build/a --list-tests'],
    ['test.sh', '-cmake --build build --target test_a\n+make -n -C build test_a'],
  ])('%s: %j', (path, lines) => {
    expect(found(file(path, lines))).not.toEqual([])
  })

  test.each([
    ['-    assert_eq!(add(1, 1), 2);\n+    let _ = || assert_eq!(add(1, 1), 2);', 'tests/a.rs'],
    [
      '-    assert_eq!(add(1, 1), 2);\n+    let _ = std::panic::catch_unwind(|| assert_eq!(add(1, 1), 2));',
      'tests/a.rs',
    ],
    [
      '-    assert_eq!(add(1, 1), 2);\n+    let r = std::panic::catch_unwind(|| assert_eq!(add(1, 1), 2));\n+    drop(r);',
      'tests/a.rs',
    ],
    ['-    assert_eq!(add(1, 1), 2);\n+    let _ = || assert_eq!(add(1, 1), 2);\n+    let _ = 1;', 'tests/a.rs'],
    [
      '-    assertEquals(2, add(1, 1));\n+    ((Runnable) () -> { assertEquals(2, add(1, 1)); }).hashCode();',
      'ATest.java',
    ],
    ['-    assertEquals(2, add(1, 1));\n+    try { assertEquals(2, add(1, 1)); } catch (Throwable t) {}', 'ATest.java'],
    ['-    REQUIRE(add(1, 1) == 2);\n+    (void)[&] { REQUIRE(add(1, 1) == 2); };', 'a_test.cpp'],
  ])('an assertion that nothing evaluates: %j', (lines, path) => {
    expect(found(file(path, lines))).toEqual([
      `${path}: 1 assertion can no longer fail, as it is not called, or not heard`,
    ])
  })

  test('nobody calls a closure by the name _, however many there are', () => {
    const lines =
      '-    assert_eq!(add(1, 1), 2);\n-    assert_eq!(add(2, 2), 4);\n+    let _ = || assert_eq!(add(1, 1), 2);\n+    let _ = || assert_eq!(add(2, 2), 4);'
    expect(found(file('tests/a.rs', lines))).toEqual([
      'tests/a.rs: 2 assertions can no longer fail, as they are not called, or not heard',
    ])
  })

  test.each([
    ['tests/a.rs', 'tests/old/a.rs'],
    ['tests/a.rs', 'test/a.rs'],
    ['tests/a.rs', 'examples/a.rs'],
    ['src/test/java/ATest.java', 'src/later/java/ATest.java'],
    ['src/test/java/ATest.java', 'src/test/java/ASpec.java'],
  ])('%s is renamed to %s', (from, to) => {
    expect(found(renamed(from, to))).toHaveLength(1)
  })
})

describe('not weaker', () => {
  test.each([
    ['tests/a.rs', '+#[cfg(windows)]\n+fn path() -> String {\n+    String::new()\n+}\n' + rust],
    ['tests/a.rs', `+#[cfg(feature = "serde")]\n+use serde::Serialize;\n${rust}`],
    ['tests/a.rs', `${rust}\n+#[test]\n+#[cfg(windows)]\n+fn drives() {\n+    assert_eq!(drives(), 1);\n+}`],
    ['tests/a.rs', '-    assert_eq!(add(1, 1), 2);\n+    for _ in 0..3 { assert_eq!(add(1, 1), 2); }'],
    ['tests/a.rs', '-    assert_eq!(add(1, 1), 2);\n+    with_data(|| assert_eq!(add(1, 1), 2));'],
    [
      'ATest.java',
      '-    assertEquals(2, add(1, 1));\n+    assertAll(() -> assertEquals(2, add(1, 1)), () -> assertEquals(3, add(1, 2)));',
    ],
    ['a_test.cpp', `${cpp}\n+#ifdef HAVE_ZLIB\n+TEST_CASE("packs") {\n+    REQUIRE(pack("a") == "b");\n+}\n+#endif`],
    ['test/catch.hpp', '+#ifdef CATCH_CONFIG_ALL_PARTS\n+#define CATCH_PARTS\n+#endif'],
    ['a_test.cpp', `+#ifdef _WIN32\n+#include <windows.h>\n+#endif\n${cpp}`],
    [
      'a_test.go',
      ' func TestAdds(t *testing.T) {\n+\tdefer func() {\n+\t\tif recover() == nil {\n+\t\t\tt.Error("no panic")\n+\t\t}\n+\t}()\n \tif Add(1, 1) != 2 {\n \t\tt.Error("no")',
    ],
    ['test.sh', '-exec cargo test\n+exec cargo test --workspace --no-fail-fast'],
    ['test_a.py', ' def test_a():\n-    assert a(1) == 1\n+    assert (a(1) == 1), "one"'],
    ['test_a.py', ' def test_a():\n-    assert a(1) == "or"\n+    assert a(2) == "or"'],
    ['a.test.js', " it('a', () => {\n-  expect(a(1)).toBe(1)\n+  return later().then(() => expect(a(1)).toBe(1))"],
    ['test.sh', '-exec cargo test\n+exec make test'],
    ['src/unity.c', '-    return resultType < 1;\n+    return true;'],
    ['third_party/catch.hpp', '-// Catch v2.13.6\n+// Catch v2.13.7\n-  return a;\n+  return b;'],
    ['test/catch.hpp', '-// Catch v2.13.6\n+// Catch v2.13.7\n-  return a;\n+  return b;'],
    ['package.json', '-    "test": "jest"\n+    "test": "npm run unit",\n+    "unit": "jest"'],
    ['package.json', '-    "test": "jest"\n+    "test": "node server.js & jest"'],
    ['test.sh', '-exec go test ./...\n+if ! go test ./...; then\n+  exit 1\n+fi'],
    ['tests/a.rs', '-use shop::*;\n+use store::*;'],
    ['shop/Makefile', '-\tA=${A} make test\n+\tA=$(A) make test'],
    ['test_a.sh', '+out=$(./test_a)\n+is "$out" 3'],
    ['test.sh', '-exec mvn -B test\n+exec mvn -B -ntp verify'],
    ['test.sh', '-cmake --build build --target test_a\n+cmake --build build --parallel --target test_a'],
  ])('%s: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([])
  })

  test("a module of Rust's tests moves into the one that declares it", () => {
    expect(found(renamed('tests/a.rs', 'tests/it/a.rs'), file('tests/it/main.rs', '+mod a;', 'A'))).toEqual([])
  })

  test('a path is no pattern', () => {
    expect(found(file('tests/it/a(.rs', '+#[test]\n+fn a() {', 'A'))).toEqual([])
    expect(found(renamed('tests/a.rs', 'tests/it/[ab].rs'), file('tests/it/main.rs', '+mod a;', 'A'))).toHaveLength(1)
  })
})
