import { describe, expect, test } from 'vitest'
import { filesOf } from '../testing/sample-repository.ts'
import { detected } from './commands/detected.ts'
import { look } from './look.ts'
import { proposalFor } from '../project/proposal.ts'
import { chooseToolchains } from './toolchains/choose-toolchains.ts'
import { toolchainTroubles } from './toolchains/toolchain-words.ts'

const of = (files: Record<string, string>) => detected(look(filesOf(files)))
const troubles = (files: Record<string, string>): string[] => toolchainTroubles(chooseToolchains(of(files).tools))

describe('tests that were found are run, whether or not their toolchain is available', () => {
  const solution = {
    'App.sln': '',
    'global.json': '{ "sdk": { "version": "9.0.100" } }',
    'src/App/App.csproj': '<Project Sdk="Microsoft.NET.Sdk"/>',
    'test/App.Tests/App.Tests.csproj': '<Project Sdk="Microsoft.NET.Sdk"/>',
  }
  const gradle = {
    'build.gradle.kts': 'plugins { java }',
    'gradle/wrapper/gradle-wrapper.properties':
      'distributionUrl=https\\://services.gradle.org/distributions/gradle-8.14-bin.zip',
    gradlew: '#!/bin/sh\n',
    'src/test/java/T.java': 'class T {}',
  }
  const flutter = { 'pubspec.yaml': 'name: x\ndependencies:\n  flutter:\n    sdk: flutter\n', 'test/x_test.dart': '' }

  test("the setup of Gradle fetches the tests' dependencies, and runs the tests only if it cannot", () => {
    const { setup } = of(gradle)
    expect(setup).toContain('onlyIf {')
    expect(setup).toMatch(
      /\{ gradle --no-daemon \S+ -I \/tmp\/fetch\.gradle --continue test \|\| gradle --no-daemon --continue test \|\| true; \}$/,
    )
  })

  test.each([
    ['.NET', solution, 'dotnet test --no-restore', 'global.json:1 asks for .NET 9.0.100, which neither Debian'],
    [
      'Gradle whose wrapper is not whole',
      gradle,
      'gradle --no-daemon --offline --continue test',
      'build.gradle.kts asks for Gradle 8.14, which neither Debian',
    ],
    ['Flutter', flutter, 'flutter test', 'pubspec.yaml asks for Dart, which neither Debian'],
  ])('%s', (_, files, command, trouble) => {
    expect(of(files).test).toBe(command)
    expect(troubles(files)[0]?.startsWith(trouble)).toBe(true)
    expect(proposalFor(look(filesOf(files))).open.join(' ')).not.toContain('No command')
  })

  test.each([
    ['Swift', { 'Package.swift': '', 'Tests/KitTests/T.swift': '' }, 'swift test'],
    [
      'Ruby',
      { Gemfile: 'gem "rake"', Rakefile: 'Rake::TestTask.new', 'test/x_test.rb': '' },
      'bundle exec rake test TESTOPTS=-v',
    ],
    [
      'PHP',
      { 'composer.json': '{}', 'phpunit.xml': '', 'tests/XTest.php': '' },
      'vendor/bin/phpunit --log-junit php://stdout',
    ],
    ['Elixir', { 'mix.exs': '', 'test/x_test.exs': '' }, 'mix test --trace'],
  ])('%s', (_, files, command) => {
    expect(of(files).test).toBe(command)
    expect(troubles(files)).toEqual([])
  })
})

test('a solution of C++ beside a library in C is no .NET, and one of .NET counts if it has tests', () => {
  const library = { 'CMakeLists.txt': 'enable_testing()\n', 'contrib/vs/x.sln': '"x", "x.vcxproj", "{8FD8}"\n' }
  expect(of(library).nested).toEqual([])
  const bindings = { ...library, 'bindings/x.sln': '"x", "x.csproj", "{8FD8}"\n', 'bindings/X/X.cs': '' }
  expect(of(bindings).nested).toEqual([])
  const tested = of({ ...bindings, 'bindings/X/XTests.cs': '' }).nested
  expect(tested.map(({ folder, tests }) => [folder, tests.map(({ command }) => command)])).toEqual([
    ['bindings', ['dotnet test --no-restore']],
  ])
})

test('a build tool of C is asked for all of its tests, and a Makefile beside it is not taken for them', () => {
  const smoke = { Makefile: 'test:\n\t./smoke\n', 'x.c': '', 'x_test.c': '' }
  expect(of(smoke).test).toBe('make -k test')
  expect(of({ ...smoke, 'CMakeLists.txt': 'enable_testing()\n' }).test).toContain('ctest --test-dir build')
  expect(of({ ...smoke, 'meson.build': "test('x', exe)\n" }).test).toContain('meson test -C build')
  expect(of({ ...smoke, 'CMakeLists.txt': 'project(x C)\n' }).test).toBe('make -k test')
})

test('GoogleTest that CMake would fetch comes from Debian if the fetch fails', () => {
  const text =
    'enable_testing()\ninclude(FetchContent)\nFetchContent_Declare(\n  googletest\n  URL https://example.org/x.zip)\n'
  const { setup, test: command } = of({ 'CMakeLists.txt': text, 'x.cpp': '' })
  expect(setup).toContain(
    '{ cmake -S . -B build || cmake -S . -B build -DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=/usr/src/googletest; } &&',
  )
  expect(command).not.toContain('FETCHCONTENT')
})

test('an option that builds the tests is on; one that installs, measures or leaves them out stays as it is', () => {
  const options: [name: string, words: string][] = [
    ['X_BUILD_TESTS', 'words'],
    ['BUILD_UNIT_TESTS', 'words'],
    ['ENABLE_SHOP_TESTS', 'words'],
    ['ENABLE_SSL_TESTS', 'words'],
    ['X_DEVELOPMENT_BUILD', 'Build tests, enable warnings'],
    ['X_INSTALL_TESTS', 'words'],
    ['X_FUZZ_TEST', 'words'],
    ['X_WITHOUT_TESTS', "Don't build tests"],
    ['X_NO_TESTS', 'words'],
    ['X_DISABLE_TEST', 'words'],
    ['X_VALGRIND', 'Enable valgrind tests'],
    ['X_GPU', 'Build the tests of the GPU'],
    ['X_DOCS', 'words'],
  ]
  const text = options.map(([name, words]) => `option(${name} "${words}" OFF)\n`).join('')
  const { test: command } = of({ 'CMakeLists.txt': `project(LibShop C)\n${text}enable_testing()\n`, 'x.c': '' })
  expect(command).toContain(
    'cmake -S . -B build -DX_BUILD_TESTS=ON -DBUILD_UNIT_TESTS=ON -DENABLE_SHOP_TESTS=ON -DX_DEVELOPMENT_BUILD=ON && if',
  )
  const dependent = 'cmake_dependent_option(X_BUILD_TESTS\n  "Build X\'s tests" OFF\n  "A STREQUAL B" OFF)\n'
  expect(of({ 'CMakeLists.txt': `${dependent}include(CTest)\n`, 'x.c': '' }).test).toContain('-DX_BUILD_TESTS=ON && if')
  const inMeson = [
    `option('build_tests', type: 'boolean', value: false, description: 'Build tests (default: false)')`,
    `option('unit-tests', type : 'feature', value : 'disabled')`,
    `option('tests', type: 'boolean', value: true)`,
    `option('install_tests', type: 'boolean', value: false)`,
    `option('ssl_tests', type: 'combo', value: 'disabled')`,
  ].join('\n')
  const meson = of({ 'meson.build': "project('x')\ntest('x', exe)\n", 'meson_options.txt': inMeson, 'x.c': '' })
  expect(meson.test).toBe(
    'meson setup build -Dbuild_tests=true -Dunit-tests=enabled && meson test -C build --print-errorlogs',
  )
  expect(meson.setup).toMatch(/^meson setup build -Dbuild_tests=true -Dunit-tests=enabled && /)
})

test('an option of a folder’s own file that builds its tests is on, too', () => {
  const option = (name: string) => `option(${name} "Build all of its own tests." OFF)\n`
  const files = {
    'CMakeLists.txt': `project(shop)\nenable_testing()\n${option('SHOP_BUILD_TESTS')}add_subdirectory(cart)\n`,
    'cart/CMakeLists.txt': `${option('cart_build_tests')}${option('SHOP_BUILD_TESTS')}# ${option('old_build_tests')}`,
    'vendor/zip/CMakeLists.txt': option('zip_build_tests'),
    'x.c': '',
  }
  expect(of(files).test).toContain('cmake -S . -B build -DSHOP_BUILD_TESTS=ON -Dcart_build_tests=ON && if')
})

test.each([
  ['hands all targets on', '.DEFAULT:\n\tcd src && $(MAKE) $@\n', ['c']],
  ['tests in it', 'test:\n\t$(MAKE) -C src test\n', ['c']],
  ['tests in it by a loop', 'test:\n\tfor dir in src; do make -C $$dir $@; done\n', ['c']],
  ['does not go into it', 'test:\n\t./run-tests\n', []],
])('sources below a Makefile need a compiler if it %s', (_, text, tools) => {
  const files = { Makefile: text, 'src/Makefile': 'test: x\n\t./x\n', 'src/x.c': '' }
  expect(of(files).tools.map(({ tool }) => tool)).toEqual(tools)
  expect(of({ Makefile: text, 'src/Makefile': '', 'lib/x.c': '' }).tools).toEqual([])
})

test('tests of a C build that are Python programs have Python', () => {
  const tools = (text: string, root = 'include(CTest)\n') =>
    of({ 'CMakeLists.txt': root, 'x.c': '', 'test/CMakeLists.txt': text }).tools.map(({ tool }) => tool)
  expect(tools('find_package(Python3 COMPONENTS Interpreter)\n')).toContain('python')
  expect(tools('find_package(PythonInterp 3)\n')).toContain('python')
  expect(tools('# find_package(Python3)\nfind_package(PythonLike)\n')).not.toContain('python')
  expect(tools('find_package(Python3)\n', 'project(x C)\n')).not.toContain('python')
})

test('a project that is built in a folder is the repository’s if nothing else is one', () => {
  const files = {
    'README.md': '',
    'shop/CMakeLists.txt': 'enable_testing()\n',
    'shop/lib/CMakeLists.txt': '',
    'shop/x.c': '',
  }
  const folders = (more: Record<string, string>) => of({ ...files, ...more }).nested.map(({ folder }) => folder)
  expect(folders({})).toEqual(['shop'])
  expect(of(files).test).toMatch(/^\( cd shop && cmake -S \. -B build && .*ctest --test-dir build/)
  const others: Record<string, string>[] = [
    { Makefile: 'all:\n\tcc x.c\n' },
    { 'package.json': '{}' },
    { 'web/package.json': '{}' },
  ]
  for (const more of others) expect(folders(more)).toEqual([])
})

test('a target that only goes into folders is left out if their languages test all of them', () => {
  const loop = 'test:\n\t@for dir in libs/*; do \\\n\t\techo "$$dir"; \\\n\t\t$(MAKE) -C $$dir test; \\\n\tdone\n'
  const lib = (name: string) => ({
    [`libs/${name}/pyproject.toml`]: '[project]\nname = "x"\n[tool.pytest.ini_options]\n',
    [`libs/${name}/tests/test_x.py`]: '',
    [`libs/${name}/Makefile`]: 'test:\n\tuv run pytest\n',
  })
  const files = { Makefile: loop, ...lib('a'), ...lib('b') }
  const roots = (more: Record<string, string>) => of({ ...files, ...more }).tests.map(({ command }) => command)
  expect(roots({})).toEqual([])
  expect(of(files).nested.map(({ folder }) => folder)).toEqual(['libs/a', 'libs/b'])
  expect(roots({ 'native/Makefile': 'test:\n\t./x\n' })).toEqual(['make -k test'])
  for (const more of ['\t./smoke\n', '\tfor x in t/*; do ./$$x; done\n', '\t$(MAKE) all\n'])
    expect(roots({ Makefile: loop + more })).toEqual(['make -k test'])
  expect(roots({ Makefile: `test:\n\t./smoke\n${loop.replace('test', 'check')}` })).toEqual(['make -k test'])
})

test('a .NET program without a test dependency has no tests; a project with one has some', () => {
  const program =
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>'
  expect(of({ 'worker/W.csproj': program, 'worker/Program.cs': '' }).test).toBeNull()
  expect(of({ 'W.csproj': program, 'Program.cs': '' }).test).toBeNull()
  const tested = program.replace('</Project>', '<PackageReference Include="Microsoft.NET.Test.Sdk"/></Project>')
  expect(of({ 'W.csproj': tested, 'W.cs': '' }).test).toBe('dotnet test --no-restore')
})

test('a target of CMake that runs the tests does so if CTest knows none', () => {
  const files = { 'CMakeLists.txt': 'add_subdirectory(test)\n', 'x.c': '', 'test/x_test.c': '' }
  const target = { 'test/CMakeLists.txt': 'add_custom_target(test DEPENDS all_of_them)\n' }
  expect(of({ ...files, ...target }).test).toContain('then cmake --build build --target test -- -k; else')
  expect(of({ ...files, 'test/CMakeLists.txt': 'add_custom_target(test_data)\n' }).test).toBeNull()
})

test('each crate of a workspace is tested by itself if one does not compile', () => {
  const test = 'cargo test --workspace --no-fail-fast --locked'
  expect(of({ 'Cargo.toml': '[package]\n', 'Cargo.lock': '' }).test).toBe(test)
  expect(of({ 'Cargo.toml': '[workspace]\nmembers = ["a"]\n', 'Cargo.lock': '' }).test).toMatch(
    /^cargo test --workspace --no-fail-fast --locked \|\| \{ .* do cargo test --no-fail-fast --locked --package "\$crate"; done; false; \}$/,
  )
})

test('a Swift package that CMake builds, too, has no second suite', () => {
  const files = { 'Package.swift': '.testTarget(', 'Tests/XTests.swift': '', 'CMakeLists.txt': 'include(CTest)\n' }
  expect(of(files).tests).toEqual([{ label: '', command: 'swift test' }])
})

test('the gems of documents keep no project from starting', () => {
  const { setup } = of({
    'package.json': '{"scripts":{"test":"node --test"}}',
    Gemfile: 'gem "jekyll"',
    'a.test.js': '',
  })
  expect(setup ?? '').not.toContain('bundle')
})

test("Automake's target that tests nothing is no test", () => {
  const files = { 'configure.ac': '', 'Makefile.am': 'bin_PROGRAMS = x\n', 'x.c': '' }
  expect(of(files).test).toBeNull()
  for (const line of ['TESTS = x\n', 'check_PROGRAMS = x\n', 'include tests/local.mk\n'])
    expect(of({ ...files, 't/Makefile.am': line }).test).toBe('make -k -C build check VERBOSE=1')
})
