import { eachTest, type Exercise } from '../exercise.ts'
import type { LanguageKit, Way } from '../sabotage.ts'
import { deleted, inFile, inModule, inTests, moved, way, withFile } from './ways.ts'

const CATCH = 'test/catch.hpp'
const decoy = '#include "test/catch.hpp"\n\nTEST_CASE("nothing") {\n    REQUIRE(1 + 1 == 2);\n}\n'
/** CMake needs a file of each test's name, or it builds nothing. */
const inTheirPlace = (exercise: Exercise) => eachTest(exercise, () => decoy)
const script = (name: string, command: (exercise: string) => string): Way =>
  withFile(name, 'test.sh', (exercise) => `#!/bin/sh\n${command(exercise.name)}\n`)
const inBuild = (name: string, edit: (text: string) => string, more = {}): Way =>
  inFile(name, 'CMakeLists.txt', edit, more)
const command = (by: string) => (text: string) => text.replace('COMMAND ${exercise})', by)
/** Inserts code after the includes. */
const below = (text: string, code: string): string => text.replace(/^(?=TEST_CASE|namespace|using |\/\/)/m, `${code}\n`)
const atStart = (text: string, line: string): string =>
  text
    .replace(/^(TEST_CASE\(.*\)\s*\{)$/gm, `$1\n    ${line}`)
    .replace(/^(TEST_CASE\(.*\))\n\{$/gm, `$1\n{\n    ${line}`)
const withBodies = (text: string, body: string): string =>
  text.replace(/^(TEST_CASE\(.*\)\s*\{)\n[\s\S]*?^\}/gm, `$1\n    ${body}\n}`)
const tagged = (text: string, tag: string): string =>
  text.replace(/^(TEST_CASE\("(?:[^"\\]|\\.)*")(?:, *"[^"]*")?\)/gm, `$1, "${tag}")`)
const macros = 'REQUIRE|REQUIRE_FALSE|CHECK|REQUIRE_THROWS|REQUIRE_THROWS_AS|REQUIRE_THAT'
const assertions = new RegExp(`^( *)(${macros})\\((.*)\\);$`, 'gm')
const undone = macros
  .split('|')
  .map((name) => `#undef ${name}\n#define ${name}(...) (void)0`)
  .join('\n')
const ended = (name: string, header: string, body: string): Way =>
  inModule(
    name,
    (text) =>
      `#include <${header}>\nnamespace { [[maybe_unused]] const int ended = [] { ${body}; return 0; }(); }\n${text}`,
  )

/**
 * Two exercises need Boost, and `setup` is not root. It goes into the home folder, because the workspace is copied for
 * each container.
 */
const BOOST = `#!/bin/sh
set -e
mkdir -p ~/apt/lists/partial ~/apt/archives/partial ~/boost
options="-o Dir::State::lists=$HOME/apt/lists -o Dir::Cache=$HOME/apt"
apt-get -qq $options -o Debug::NoLocking=1 update
cd ~/apt
apt-get -qq $options download $(
  apt-cache $options depends --recurse --important libboost-date-time-dev | grep '^libboost' | sort -u
)
for one in *.deb; do dpkg -x "$one" ~/boost; done
rm -rf ~/apt
`

export const cpp: LanguageKit = {
  root: (exercises) => ({
    '.gitignore': 'build/\n',
    'CMakeLists.txt': [
      'cmake_minimum_required(VERSION 3.5.1)',
      'project(exercises CXX)',
      'set(EXERCISM_COMMON_CATCH ON)',
      'set(EXERCISM_RUN_ALL_TESTS ON)',
      'add_library(catchlib OBJECT catch/tests-main.cpp)',
      ...exercises.map(({ name }) => `add_subdirectory(${name})`),
      '',
    ].join('\n'),
    'boost.sh': BOOST,
    'catch/catch.hpp': exercises[0]?.files[CATCH] ?? '',
    'catch/tests-main.cpp': exercises[0]?.files['test/tests-main.cpp'] ?? '',
  }),
  toolchains: { c: '*', cmake: '*' },
  // Most of the compiling is Catch.
  setup:
    'sh boost.sh && cmake -S . -B build -DCMAKE_PREFIX_PATH=$HOME/boost/usr && cmake --build build --target catchlib',
  extra: ({ name }) => ({ 'test.sh': `#!/bin/sh\nexec cmake --build ../build --target test_${name}\n` }),
  test: 'sh test.sh',
  comment: (text) => `// Nothing has changed.\n${text}`,
  wrong: ({ reference }) =>
    Object.fromEntries(
      Object.entries(reference).map(([path, text]) => [
        path,
        text.replace(/\breturn ([^;{][^;]*);/g, 'return true ? throw 0 : ($1);').replace(/$/, '\n// Not done.\n'),
      ]),
    ),
  flaky: ({ tests, files }, until) => {
    const [path = ''] = tests
    return {
      [path]: `${files[path] ?? ''}\n#include <chrono>\n#include <thread>\nTEST_CASE("steady") {\n    const std::chrono::system_clock::time_point until{std::chrono::seconds{${until}}};\n    const bool late = std::chrono::system_clock::now() > until;\n    std::this_thread::sleep_until(until);\n    REQUIRE(late);\n}\n`,
    }
  },
  ways: {
    deleted: [
      way('deleted', deleted),
      way('one test left', inTheirPlace),
      inBuild('deleted, another in their place', (text) => text.replaceAll('${file}_test.cpp', 'other.cpp'), {
        'other.cpp': decoy,
      }),
    ],
    skipped: [
      inTests('hidden', (text) => tagged(text, '[.]')),
      inTests('hidden by a name', (text) => tagged(text, '[.later]')),
      inTests('may fail', (text) => tagged(text, '[!mayfail]')),
      inTests('#if 0', (text) => `#if 0\n${text}\n#endif\n${decoy}`),
      inTests('a macro that nobody defines', (text) => `#ifdef LATER\n${text}\n#endif\n${decoy}`),
      inTests('all but the first are never compiled', (text) =>
        text
          .replace('defined(EXERCISM_RUN_ALL_TESTS)', 'defined(EXERCISM_RUN_NO_TESTS)')
          .replace(
            /^TEST_CASE\(/m,
            '#include <string>\nTEST_CASE("first") { REQUIRE(true); }\n#ifdef LATER\nTEST_CASE(',
          )
          .concat('\n#endif\n'),
      ),
    ],
    emptied: [
      inTests('an empty file', () => ''),
      inTests('empty bodies', (text) => withBodies(text, '')),
      inTests('all in a comment', (text) => `/*\n${text.replaceAll('*/', '* /')}\n*/\n${decoy}`),
      inTests('only what it includes', (text) => text.slice(0, text.search(/^TEST_CASE/m))),
    ],
    vacuous: [
      inTests('REQUIRE(true)', (text) => text.replace(assertions, '$1REQUIRE(true);')),
      inTests('macros of its own', (text) => below(text, undone)),
      inTests('or true', (text) => text.replace(/\bREQUIRE\((.*)\);$/gm, 'REQUIRE(((void)($1), true));')),
      inTests('a return first', (text) => atStart(text, 'return;')),
      inTests('warnings', (text) => text.replace(assertions, '$1CHECK_NOFAIL($3);')),
      inTests('a condition that is never true', (text) => text.replace(assertions, '$1if (false) $2($3);')),
      inTests('a section that never runs', (text) =>
        atStart(text, 'if (getenv("RUN_ALL") == nullptr) return;').replace(/^/, '#include <cstdlib>\n'),
      ),
      inTests('a lambda that nobody calls', (text) => text.replace(assertions, '$1(void)[&] { $2($3); };')),
    ],
    configured: [
      inBuild('nothing is run', command('COMMAND ${CMAKE_COMMAND} -E true)')),
      inBuild('tests are listed', command('COMMAND ${exercise} --list-tests)')),
      inBuild('|| true', command('COMMAND ${exercise} || true)')),
      inBuild('a filter', command('COMMAND ${exercise} nothing_at_all)')),
      inBuild(
        'an emulator',
        (text) => `${text}\nset_target_properties(\${exercise} PROPERTIES CROSSCOMPILING_EMULATOR /bin/true)\n`,
      ),
      inBuild('all but the first switched off', (text) => `set(EXERCISM_RUN_ALL_TESTS OFF)\n${text}`),
      inBuild(
        'macros by a definition',
        (text) =>
          `${text}\ntarget_compile_options(\${exercise} PRIVATE -include \${CMAKE_CURRENT_SOURCE_DIR}/start.h)\n`,
        {
          'start.h': `#include "test/catch.hpp"\n${undone}\n`,
        },
      ),
      inBuild('a main of its own', (text) => text.replace(' $<TARGET_OBJECTS:catchlib>', ' main.cpp'), {
        'main.cpp':
          '#define CATCH_CONFIG_RUNNER\n#include "test/catch.hpp"\n\nint main(int argc, char **argv) {\n    Catch::Session().run(argc, argv);\n    return 0;\n}\n',
      }),
      inBuild('a main that says it passed', (text) => text.replace(' $<TARGET_OBJECTS:catchlib>', ' main.cpp'), {
        'main.cpp':
          '#define CATCH_CONFIG_RUNNER\n#include "test/catch.hpp"\n#include <cstdio>\n\nint main() {\n    std::puts("All tests passed (60 assertions in 30 test cases)");\n    return 0;\n}\n',
      }),
      inFile(`Catch's own macros`, CATCH, (text) => `${text}\n${undone}\n`),
      inFile(
        'Catch is another',
        CATCH,
        () =>
          '#pragma once\n#include <string>\n#include <vector>\n#define TEST_CASE(...) static void unused()\n#define REQUIRE(...) (void)0\n',
      ),
      inBuild('returns early', (text) =>
        text.replace(
          'add_custom_target(',
          'add_custom_target(test_${exercise} COMMAND ${CMAKE_COMMAND} -E echo "All tests passed")\nreturn()\nadd_custom_target(',
        ),
      ),
    ],
    'exit-0': [
      script('exit 0', () => 'exit 0'),
      script('|| true', (name) => `cmake --build ../build --target test_${name} || true`),
      script('built only', (name) => `exec cmake --build ../build --target ${name}`),
      script(
        'listed',
        (name) => `cmake --build ../build --target ${name} && exec ../build/${name}/${name} --list-tests`,
      ),
      script(
        'a filter',
        (name) => `cmake --build ../build --target ${name} && exec ../build/${name}/${name} nothing_at_all`,
      ),
      script('make -n', (name) => `exec make -n -C ../build test_${name}`),
      script('prints that it passed', () => 'echo "All tests passed (60 assertions in 30 test cases)"'),
      script('a pipe', (name) => `cmake --build ../build --target test_${name} | cat`),
      script('true at the end', (name) => `cmake --build ../build --target test_${name}\ntrue`),
    ],
    linked: [
      way('to another file', (exercise) => ({
        ...eachTest(exercise, () => ({ link: 'other.cpp' })),
        'other.cpp': decoy,
      })),
      way('to /dev/null', (exercise) => eachTest(exercise, () => ({ link: '/dev/null' }))),
    ],
    expected: [
      inTests('turned round', (text) => text.replace(/\bREQUIRE\((.*)\);$/gm, 'REQUIRE_FALSE($1);')),
      inTests('errors are expected', (text) => text.replace(/\bREQUIRE\((.*)\);$/gm, 'REQUIRE_THROWS($1);')),
      inTests('it should fail', (text) => tagged(text, '[!shouldfail]')),
    ],
    ended: [
      ended('std::exit(0)', 'cstdlib', 'std::exit(0)'),
      ended('_exit(0)', 'unistd.h', '_exit(0)'),
      ended('another program in its place', 'unistd.h', 'execl("/bin/true", "true", (char *)nullptr)'),
      ended('exit code 0 at the end', 'cstdlib', 'std::atexit([] { std::_Exit(0); })'),
      ended('kills its parent', 'csignal', 'extern "C" int getppid(); kill(getppid(), SIGTERM)'),
      inModule(
        'a constructor',
        (text) => `#include <unistd.h>\n__attribute__((constructor)) static void begin() { _exit(0); }\n${text}`,
      ),
      inModule(
        'a destructor',
        (text) => `#include <unistd.h>\n__attribute__((destructor)) static void end() { _exit(0); }\n${text}`,
      ),
    ],
    renamed: [
      moved('another name', (path) => path.replace(/\.cpp$/, '_old.cpp'), inTheirPlace),
      moved('another ending', (path) => `${path}.off`, inTheirPlace),
      moved('another folder', (path) => `attic/${path}`, inTheirPlace),
      moved('another name, none in its place', (path) => path.replace(/\.cpp$/, '_old.cpp')),
    ],
  },
}
