import { describe, expect, test } from 'vitest'
import { file, found, renamed } from '../../testing/sample-patch.ts'

describe('settings of a build that keep tests from running, or from failing', () => {
  test.each([
    ['pom.xml', ' <properties>\n+  <skipTests>true</skipTests>', 'skipTests'],
    ['pom.xml', '+<maven.test.failure.ignore>true</maven.test.failure.ignore>', 'maven.test.failure.ignore'],
    [
      'pom.xml',
      ' <artifactId>maven-surefire-plugin</artifactId>\n <configuration>\n+  <excludes>\n+    <exclude>**/Slow*</exclude>\n+  </excludes>',
      'excludes',
    ],
    ['pom.xml', ' <build>\n+  <testSourceDirectory>src/other/java</testSourceDirectory>', 'testSourceDirectory'],
    [
      'pom.xml',
      '+<profile>\n+  <activation><activeByDefault>true</activeByDefault></activation>\n+  <skipTests>true</skipTests>\n+</profile>',
      'skipTests',
    ],
    ['pom.xml', ' <properties>\n+  <test>StartTest</test>\n </properties>', 'test'],
    [
      'pom.xml',
      ' <artifactId>maven-compiler-plugin</artifactId>\n+<testExcludes><testExclude>**/Cart*</testExclude></testExcludes>',
      'testExcludes',
    ],
    ['pom.xml', ' <plugin>\n+  <argLine>--patch-module a=b</argLine>', 'argLine'],
    ['pom.xml', '+<exclusion><artifactId>junit-jupiter-engine</artifactId></exclusion>', 'junit-jupiter-engine'],
    ['.cargo/config.toml', '+linker = "./ld.sh"', 'linker'],
    ['test.sh', '-mvn test\n+MAVEN_ARGS=-DskipTests mvn test', 'MAVEN_ARGS'],
    ['rust-toolchain.toml', ' [toolchain]\n+path = "./tool"', 'path'],
    ['.mvn/maven.config', '+-DskipTests', 'skipTests'],
    ['.npmrc', '+script-shell=./sh.sh', 'script-shell'],
    ['web/.npmrc', '+node-options=--require ./first.cjs', 'node-options'],
    ['vitest.config.ts', ' test: {\n+  dangerouslyIgnoreUnhandledErrors: true,', 'dangerouslyIgnoreUnhandledErrors'],
    ['package.json', '-"test": "vitest run",\n+"test": "vitest run -u",', '-u'],
    ['package.json', '-"test": "mocha",\n+"test": "NODE_OPTIONS=--require=./first.cjs mocha",', 'NODE_OPTIONS'],
    ['Makefile', ' test:\n-\tpytest\n+\tPYTHONOPTIMIZE=1 pytest', 'PYTHONOPTIMIZE'],
    ['Makefile', ' test:\n-\tpython -m pytest\n+\tpython -O -m pytest', 'python -O'],
    ['Makefile', '+export PYTEST_ADDOPTS = -k total', 'PYTEST_ADDOPTS'],
    ['Makefile', '+export GOFLAGS = -run=Nothing', 'GOFLAGS'],
    ['test.sh', '+export INSTA_FORCE_PASS=1', 'INSTA_FORCE_PASS'],
    ['vitest.config.ts', ' test: {\n+  retry: 10,', 'retry'],
    ['.mocharc.json', '+  "retries": 5', 'retries'],
    ['jest.setup.js', '+jest.retryTimes(10)', 'retryTimes'],
    ['pytest.ini', ' [pytest]\n+addopts = --reruns 10', 'reruns'],
    ['.config/nextest.toml', '+retries = 4', 'retries'],
    ['build.gradle', ' test {\n+    ignoreFailures = true', 'ignoreFailures'],
    ['build.gradle.kts', ' tasks.test {\n+    exclude("**/Cart*")', 'exclude'],
    ['src/test/resources/junit-platform.properties', '+junit.platform.execution.dryRun.enabled=true', 'dryRun.enabled'],
    ['Cargo.toml', ' [package]\n+autotests = false', 'autotests'],
    ['Cargo.toml', '+[[test]]\n+name = "cart"\n+harness = false', '[[test]] harness'],
    ['Cargo.toml', '+[[test]]\n+name = "cart"\n+path = "other/main.rs"', '[[test]] path'],
    ['Cargo.toml', ' [lib]\n+test = false', '[lib] test'],
    ['.cargo/config.toml', `+[target.'cfg(all())']\n+runner = "true"`, 'runner'],
    ['.cargo/config.toml', '+[build]\n+rustc-wrapper = "./rustc.sh"', 'rustc-wrapper'],
    ['build.rs', '+    std::fs::write("tests/cart.rs", "").unwrap();', 'tests/cart.rs'],
    ['CMakeLists.txt', '+add_test(NAME cart COMMAND cart || true)', '|| true'],
    ['CMakeLists.txt', '+set_tests_properties(cart PROPERTIES DISABLED TRUE)', 'DISABLED'],
    ['CMakeLists.txt', '+set(BUILD_TESTING OFF)', 'BUILD_TESTING'],
    [
      'CMakeLists.txt',
      '+set_source_files_properties(cart_test.cpp PROPERTIES HEADER_FILE_ONLY TRUE)',
      'HEADER_FILE_ONLY',
    ],
    ['CMakeLists.txt', '+file(WRITE ${CMAKE_CURRENT_SOURCE_DIR}/cart_test.cpp "")', 'cart_test.cpp'],
    ['CMakeLists.txt', '+function(add_test)', 'add_test'],
    ['CMakeLists.txt', '+add_definitions(-DCATCH_CONFIG_DISABLE)', 'CATCH_CONFIG_DISABLE'],
    ['CMakeLists.txt', '-  COMMAND cart)\n+  COMMAND sh -c "./cart; date")', '-c'],
    ['CMakeLists.txt', '-  COMMAND cart)\n+  COMMAND ${CMAKE_COMMAND} -DPROGRAM=cart -P run.cmake)', '-P'],
  ])('%s: %j', (path, lines, word) => {
    expect(found(file(path, lines))).toEqual([`${path} keeps tests from running, or from failing (${word})`])
  })

  test.each([
    ['-add_executable(cart cart_test.cpp cart.cpp)\n+add_executable(cart other.cpp cart.cpp)', 'cart_test.cpp'],
    ['-add_test(NAME cart COMMAND cart)', 'what add_test said'],
    ['-target_compile_definitions(cart PRIVATE RUN_ALL_TESTS)', 'RUN_ALL_TESTS'],
    [' add_executable(cart ${file}_test.cpp)\n+set(file plain)', '${file}_test.cpp'],
    ['-add_custom_target(check ALL DEPENDS cart COMMAND cart)\n+add_custom_target(check ALL DEPENDS cart)', 'cart'],
    ['-add_test(NAME cart COMMAND cart)\n+add_test(NAME cart COMMAND cart nothing)', 'NAME cart COMMAND cart'],
  ])('CMake builds or runs fewer: %j', (lines, what) => {
    expect(found(file('CMakeLists.txt', lines))).toEqual([`CMakeLists.txt runs fewer tests (not ${what})`])
  })

  test.each([
    [
      'a test says nothing of a plugin that is none of tests',
      'pom.xml',
      ' <artifactId>maven-jar-plugin</artifactId>\n+<excludes>\n+  <exclude>**/a</exclude>',
    ],
    [
      'a profile that has to be asked for',
      'pom.xml',
      '+<profile>\n+  <id>quick</id>\n+  <skipTests>true</skipTests>\n+</profile>',
    ],
    ['a dependency', 'pom.xml', '+<dependency><groupId>org.json</groupId></dependency>'],
    [
      'a parent of modules',
      'pom.xml',
      '-<packaging>jar</packaging>\n+<packaging>pom</packaging>\n+<modules><module>a</module></modules>',
    ],
    ['a benchmark with a harness of its own', 'Cargo.toml', '+[[bench]]\n+name = "cart"\n+harness = false'],
    ['a binary', 'Cargo.toml', '+[[bin]]\n+name = "cart"\n+path = "src/cart.rs"'],
    ['a linker', '.cargo/config.toml', '+linker = "clang"'],
    ['a cache', '.cargo/config.toml', '+[build]\n+rustc-wrapper = "sccache"'],
    [
      'an emulator of another processor',
      '.cargo/config.toml',
      '+[target.aarch64-unknown-linux-gnu]\n+runner = "qemu-aarch64"',
    ],
    ['code that is generated', 'build.rs', '+    std::fs::write(out.join("table.rs"), table).unwrap();'],
    ['a test more', 'CMakeLists.txt', '+add_executable(more more_test.cpp)\n+add_test(NAME more COMMAND more)'],
    [
      'a source more',
      'CMakeLists.txt',
      '-add_executable(cart cart_test.cpp)\n+add_executable(cart cart_test.cpp tax.cpp)',
    ],
    ['a source that is made', 'CMakeLists.txt', '+configure_file(a.in ${CMAKE_CURRENT_BINARY_DIR}/a_test.cpp)'],
    ['a command of the build', 'CMakeLists.txt', '+  COMMAND sh -c "date > built")'],
    ['a setting of a plugin', 'pom.xml', ' <configuration>\n+  <test>a</test>'],
    ['a library without its own tests', 'CMakeLists.txt', '+set(JSON_BuildTests OFF CACHE INTERNAL "")'],
    ['what jars are made of', 'build.gradle', ' jar {\n+    exclude("**/a")'],
    ['packages of npm', '.npmrc', '+registry=https://registry.example.com\n+node-options=--max-old-space-size=4096'],
    ['what TypeScript is loaded by', 'package.json', '-"test": "mocha",\n+"test": "NODE_OPTIONS=--import=tsx mocha",'],
    ['a script for new snapshots', 'package.json', '+"test:update": "vitest run -u",'],
    ['a target for new results', 'Makefile', '+golden:\n+\tUPDATE_GOLDEN=1 go test ./...'],
  ])('not found: %s', (_name, path, lines) => {
    expect(found(file(path, lines))).toEqual([])
  })

  test("a Go module within another takes the outer one's tests away", () => {
    const module = file('inner/go.mod', '+module inner', 'A')
    expect(found(module, renamed('cart_test.go', 'inner/cart_test.go'))).toEqual([
      'inner/go.mod makes tests that were there a module of their own, which ./... leaves out',
    ])
    expect(found(module, file('inner/tax_test.go', '+func TestTax(t *testing.T) {', 'A'))).toEqual([])
  })

  test('a new Rust test may have a harness of its own', () => {
    const added = file('tests/spec.rs', '+fn main() {}', 'A')
    expect(found(file('Cargo.toml', '+[[test]]\n+name = "spec"\n+harness = false'), added)).toEqual([])
  })
})
