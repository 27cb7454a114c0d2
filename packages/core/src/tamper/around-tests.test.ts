import { describe, expect, test } from 'vitest'
import { findTampering } from './tamper.ts'
import { file, found } from '../testing/sample-patch.ts'

/* Code that runs before or around tests, settings of many runners, and code that asks whether it is tested. */

describe('a change around the tests decides what they find', () => {
  test.each([
    ['conftest.py', '+def pytest_runtest_setup(item):\n+    item.obj = lambda: None'],
    ['conftest.py', '+def pytest_runtest_call(item):\n+    outcome = yield\n+    outcome._exception = None'],
    ['conftest.py', '+def pytest_runtest_logreport(report):\n+    report.__dict__["outcome"] = "passed"'],
    ['conftest.py', '+def pytest_runtest_logreport(report):\n+    report.wasxfail = "known"'],
    ['conftest.py', '+def pytest_report_teststatus(report):\n+    return "passed", ".", "PASSED"'],
    ['conftest.py', '+def pytest_sessionfinish(session):\n+    session.testsfailed = 0'],
    ['conftest.py', '+    terminalreporter.stats["passed"] = terminalreporter.stats.pop("failed")'],
    ['conftest.py', '+    object.__setattr__(report, "outcome", "passed")'],
    ['conftest.py', '+    request.node.obj = lambda cart: None'],
    ['conftest.py', '+builtins.round = lambda value, digits: value'],
    [
      'tests/conftest.py',
      '+def pytest_pyfunc_call(pyfuncitem):\n+    try:\n+        return (yield)\n+    except AssertionError:\n+        return True',
    ],
    ['tests/test_a.py', ' class ATest(TestCase):\n+    failureException = SystemError'],
    ['test/setup.ts', '+expect.extend({ toBe: () => ({ pass: true, message: () => "" }) })'],
    ['test/a.test.ts', '+expect.extend({\n+  toBe() {\n+    return { pass: true }\n+  },\n+})'],
    ['test/setup.ts', '+expect.addEqualityTesters([() => true])'],
    ['test/setup.js', "+chai.Assertion.overwriteMethod('equal', () => function () {})"],
    ['test/setup.js', "+exports.mochaHooks = { afterEach() { this.currentTest.state = 'passed' } }"],
    ['test/setup.js', "+process.on('unhandledRejection', () => {})"],
    ['test/setup.js', '+chai.expect = () => anything'],
    ['test/a.test.js', "-const assert = require('node:assert')\n+const assert = require('./assert.js')"],
    ['test/setup.ts', '+Array.prototype.reduce = function () {\n+  return 90\n+}'],
    ['a_test.go', ' func TestA(t *testing.T) {\n+\t*t = testing.T{}'],
    ['a_test.go', '+\treflect.ValueOf(t).Elem().FieldByName("failed")'],
    ['a_test.go', '+//go:linkname fail testing.(*common).Fail'],
    ['suite_test.go', '+\tRegisterFailHandler(func(string, ...int) {})'],
    ['main_test.go', '+func TestMain(m *testing.M) {\n+\tvar code int\n+\t_ = m.Run()\n+\tos.Exit(code)\n+}'],
    ['main_test.go', '+func TestMain(m *testing.M) {\n+\tos.Exit(m.Run() * 0)\n+}'],
    ['a_test.go', ' func TestA(real *testing.T) {\n+\tt := quiet{real}'],
    ['setup_test.go', '+func init() {\n+\tflag.Set("test.run", "TestA")\n+}'],
    ['main_test.go', '+func TestMain(m *testing.M) {\n+\tcode := m.Run()\n+\tcode = 0\n+\tos.Exit(code)\n+}'],
    ['tests/common/mod.rs', '+macro_rules! same {\n+}\n+pub(crate) use same as assert_eq;'],
    ['spec/spec_helper.rb', '+class RSpec::Matchers::BuiltIn::Eq\n+  def matches?(_) = true'],
    ['spec/spec_helper.rb', '+  config.failure_exit_code = 0'],
    ['test/test_helper.rb', '+Minitest.after_run { exit!(0) }'],
    ['test/test_helper.rb', ' module Checks\n+  def assert_equal(*) = true'],
    ['tests/bootstrap.php', '+register_shutdown_function(function () { exit(0); });'],
    ['tests/ATest.php', ' {\n+    protected function runTest(): mixed\n+    {\n+        return null;'],
    ['test/test_helper.exs', '+ExUnit.after_suite(fn _ -> System.halt(0) end)'],
    ['test/a_test.exs', '+  import ExUnit.Assertions, except: [assert: 1]\n+  defmacro assert(_), do: true'],
    ['ATests.cs', '+using Assert = Shop.Tests.Soft;'],
    [
      'src/test/java/ATest.java',
      '-import static org.junit.Assert.assertEquals;\n+import static com.shop.Soft.assertEquals;',
    ],
    [
      'src/test/java/Calm.java',
      '+public void interceptTestMethod(Invocation<Void> call) {\n+    try {\n+        call.proceed();\n+    } catch (Throwable ignored) {\n+    }\n+}',
    ],
    ['tests/a_test.cpp', '+static bool set = (::testing::GTEST_FLAG(filter) = "A.B", true);'],
    ['tests/smoke_test.c', '+#define NDEBUG'],
    ['test/a_test.cpp', '+  ::testing::ScopedFakeTestPartResultReporter calm(&parts);'],
    ['quiet.go', '+//go:linkname fail testing.(*common).Fail'],
  ])('%s: %j', (path, lines) => {
    expect(found(file(path, lines))).toHaveLength(1)
  })

  test.each([
    [
      'tests/quiet.py',
      '+class Quiet(unittest.TestCase):\n+    def assertEqual(self, first, second, msg=None):\n+        pass',
    ],
    ['tests/Support/Case.php', '+    public static function assertSame($a, $b): void\n+    {\n+    }'],
    ['ShopTests/Assert.cs', '+public static class Assert\n+{\n+    public static void Equal(object a, object b) { }'],
  ])('%s is new, and gives other tests assertions of the same name', (path, lines) => {
    expect(found(file(path, lines, 'A'))).toHaveLength(1)
  })

  test('a helper of Ruby or Elixir opens a class of the project', () => {
    const change = (paths: string[], helper: string, line: string) =>
      findTampering({
        files: [file(helper, line)],
        all: [{ path: helper, status: 'M' }],
        paths,
        collectedBefore: null,
        collectedAfter: null,
      })
    const paths = ['lib/shopping_cart.rb', 'lib/cart.ex', 'spec/spec_helper.rb']
    expect(change(paths, 'spec/spec_helper.rb', '+class ShoppingCart')).toHaveLength(1)
    expect(change(paths, 'spec/spec_helper.rb', '+ShoppingCart.prepend(Module.new { def total = 3 })')).toHaveLength(1)
    expect(change(paths, 'test/test_helper.exs', '+defmodule Cart do')).toHaveLength(1)
    expect(change(paths, 'spec/spec_helper.rb', '+class OtherCart')).toEqual([])
  })

  test.each([
    ['conftest.py', '+def pytest_addoption(parser):\n+    parser.addoption("--slow")'],
    ['test/setup.ts', '+expect.extend({\n+  toBeMoney(value) {\n+    return { pass: true }\n+  },\n+})'],
    ['test/test_helper.rb', ' module Checks\n+  def assert_money(value)\n+    assert_kind_of Numeric, value'],
    ['spec/spec_helper.rb', '+  config.order = :random'],
    ['test/setup.ts', '+Math.random = () => 0.5'],
    ['test/setup.ts', '+Array.prototype.at = function (at) {'],
    ['test/setup.ts', '+Element.prototype.scrollIntoView = vi.fn()'],
    ['conftest.py', '+    if session.testsfailed > 3:\n+        screenshot(session)'],
    ['a_test.go', '+\tv := reflect.ValueOf(t)'],
    ['suite_test.go', '+\tRegisterFailHandler(Fail)'],
    ['main_test.go', '+func TestMain(m *testing.M) {\n+\tm.Run()\n+\tclose()\n+}'],
    [
      'main_test.go',
      '+func TestMain(m *testing.M) {\n+\tif err := open(); err != nil {\n+\t\tos.Exit(1)\n+\t}\n+\tos.Exit(m.Run())\n+}',
    ],
    ['test/test_helper.exs', '-ExUnit.start()\n+ExUnit.start(capture_log: true)'],
    [
      'main_test.go',
      '+func TestMain(m *testing.M) {\n+\te := m.Run()\n+\tif e > 0 {\n+\t\tos.Exit(e)\n+\t}\n+\te = 0\n+\tos.Exit(e)\n+}',
    ],
    [
      'src/test/java/Retry.java',
      '+public void interceptTestMethod(Invocation<Void> call) throws Throwable {\n+    call.proceed();\n+}',
    ],
  ])('%s may: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([])
  })
})

describe('a runner is told to run less, or to report less', () => {
  test.each([
    ['conftest.py', '+        item.add_marker("xfail")'],
    ['conftest.py', "+        item.add_marker(marker='skip')"],
    ['conftest.py', '+    request.applymarker(pytest.mark.xfail)'],
    ['Makefile', '+SHELL = /bin/true'],
    ['Makefile', '+.IGNORE: test'],
    ['Makefile', '+MAKEFLAGS += -i'],
    ['Makefile', '-\tgo test ./...\n+\tgo test -exec true ./...'],
    ['go.mod', '+replace github.com/stretchr/testify => ./internal/testify'],
    ['go.env', '+GOFLAGS=-run=TestA'],
    ['Cargo.toml', '+[profile.test]\n+debug-assertions = false'],
    ['.cargo/config.toml', '+[alias]\n+test = "build"'],
    ['build.gradle.kts', ' tasks.test {\n+    isEnabled = false'],
    ['meson.build', "+test('cart', exe, should_fail: true)"],
    ['meson.build', "+test('cart', find_program('true'))"],
    ['meson.build', "+add_project_arguments('-DNDEBUG', language: 'c')"],
    ['meson.build', "+project('a', 'c', default_options: ['buildtype=release', 'b_ndebug=if-release'])"],
    ['CMakeLists.txt', '+set_tests_properties(smoke PROPERTIES PASS_REGULAR_EXPRESSION ".*")'],
    ['CMakeLists.txt', '+add_definitions(-DNDEBUG)'],
    ['CMakeLists.txt', '-add_test(NAME cart COMMAND cart --all)\n+add_test(NAME cart COMMAND cart --help)'],
    ['CMakeLists.txt', '+add_custom_target(check\n+  COMMAND echo "all passed")'],
    ['Makefile', '+test: PYTEST = true'],
    ['.rspec', '+--dry-run'],
    ['phpunit.xml', '-<phpunit failOnRisky="true">\n+<phpunit failOnRisky="false">'],
    ['ShopTests/Shop.Tests.csproj', '+    <Compile Remove="CartTests.cs" />'],
    ['Directory.Build.targets', '+  <Target Name="VSTest">'],
    ['mix.exs', '+    aliases: [test: "compile"]'],
    ['mix.exs', '+    test_pattern: "*_spec.exs"'],
    ['Rakefile', '+Rake::Task[:test].clear'],
    ['.mocharc.json', '+  "pass-on-failing-test-suite": true,'],
    ['package.json', '-    "test": "vitest run"\n+    "test": "cat test/output.txt"'],
  ])('%s: %j', (path, lines) => {
    expect(found(file(path, lines))).toHaveLength(1)
  })

  test.each([
    ['Makefile', '-\tgo test ./...\n+\tgo test -race -count=1 -v ./...'],
    ['Makefile', '-\tgo test ./...\n+\tgo test -exec sudo ./...'],
    ['Makefile', '+debug: VERBOSE = true'],
    ['Shop.csproj', '+    <Compile Remove="tests/**" />'],
    ['composer.json', '+            "App\\\\Fixtures\\\\": "tests/Fixtures/"'],
    ['CMakeLists.txt', '+set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")'],
    ['CMakeLists.txt', '+add_test(NAME help COMMAND cart --help)'],
    ['CMakeLists.txt', '+add_custom_target(docs\n+  COMMAND echo "no docs")'],
    ['meson.build', "+project('a', 'c', default_options: ['b_ndebug=if-release'])"],
    ['meson.build', "+lib = library('a', 'a.c', c_args: ['-DNDEBUG'])"],
    ['meson.build', "+if get_option('buildtype') == 'release'\n+  add_project_arguments('-DNDEBUG', language: 'c')"],
    ['meson.build', "-test('cart', exe, timeout: 60)\n+test('cart', exe, timeout: 120)"],
    ['CMakeLists.txt', '+set_tests_properties(smoke PROPERTIES TIMEOUT 60)'],
    ['.rspec', '+--color'],
    ['mix.exs', '+    aliases: [test: ["ecto.create --quiet", "ecto.migrate --quiet", "test"]]'],
    ['mix.exs', '+    elixirc_paths: elixirc_paths(Mix.env())'],
    ['phpunit.xml', '+    <exclude><directory>src/Legacy</directory></exclude>'],
    ['ShopTests/Shop.Tests.csproj', '+    <PackageReference Include="coverlet.collector" Version="6.0.0" />'],
    ['pom.xml', '+          <argLine>-javaagent:${org.mockito:mockito-core:jar}</argLine>'],
  ])('%s may: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([])
  })
})

describe('code asks whether it is tested', () => {
  test.each([
    ['src/cart.ts', '+    if (process.env.VITEST) return 3'],
    ['shop/cart.py', '+if "pytest" in sys.modules:\n+    rounded = round'],
    ['cart.go', '+\tif testing.Testing() {\n+\t\treturn 3'],
    ['src/lib.rs', '+        if cfg!(test) {\n+            return 3;'],
    ['lib/cart.rb', '+    return 3 if defined?(RSpec)'],
    ['src/Cart.php', '+        if (class_exists(\\PHPUnit\\Framework\\TestCase::class, false)) {'],
    ['src/main/java/Cart.java', '+            Class.forName("org.junit.jupiter.api.Test");'],
  ])('%s: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([expect.stringContaining('asks whether it is tested')])
  })

  test.each([
    ['src/log.ts', "+const log = process.env.NODE_ENV === 'test' ? quiet : console.log"],
    ['cart.go', '+\treturn testing.Testing()'],
    ['src/lib.rs', '+#[cfg(test)]\n+mod tests;'],
  ])('%s may: %j', (path, lines) => {
    expect(found(file(path, lines))).toEqual([])
  })
})
