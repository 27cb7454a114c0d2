import { commandClaim, place, toolClaim } from '../../claims.ts'
import { lineAt } from '../../formats/lines.ts'
import { NOT_COPIED_IN } from '../../files/folders-of-others.ts'
import type { Place, Reading, ToolClaim } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { buildFolder } from './build-folder.ts'
import { buildsTests } from './options-of-tests.ts'

const FILE = 'CMakeLists.txt'
const BELOW = new RegExp(String.raw`^${NOT_COPIED_IN}.*/CMakeLists\.txt$`, 'i')
const MOST_FILES = 40
const MOST_OPTIONS = 5

const ENABLED = /^[ \t]*(?:enable_testing[ \t]*\(|include[ \t]*\([ \t]*CTest\b)/im
const TESTS = /^[ \t]*(?:add_test|\w{0,40}discover_tests|add_\w{0,40}test\w{0,20})[ \t]*\(/im

const TARGET = /^[ \t]*add_custom_target[ \t]*\([ \t\n]*(tests?)\b/im

/** A project of CMake, tested by CTest or by a target. Beside a package of Swift it would build the same again. */
export function cmake(folder: Folder): Reading | null {
  if (!folder.has(FILE) || folder.has('Package.swift')) return null
  const text = withoutComments(folder.text(FILE) ?? '')
  const tests = testsOf(folder, text)
  const build = buildFolder(folder)
  const options = testOptions(folder, text).map((name) => ` -D${name}=ON`)
  const configure = `cmake -S . -B ${build}${options.join('')}`
  const fetched = fetchesGoogleTest(folder, text) ? `{ ${configure} || ${configure} ${OWN_GOOGLETEST}; }` : configure
  const compile = `cmake --build ${build} -j 4`
  const command = (purpose: 'setup' | 'test', line: string) =>
    tests === null ? [] : commandClaim(folder, 'cmake', purpose, line, tests.from)
  const inside = tests === null || tests.folder === '' ? build : `${build}/${tests.folder}`
  const run = tests?.target
    ? `cmake --build ${build} --target ${tests.target} -- -k`
    : `ctest --test-dir ${inside} ${CTEST}`
  return {
    tools: [...versionOf(folder, text), ...(tests === null ? [] : pythonOf(folder, text))],
    commands: [
      // The build's files are not part of anybody's work. The verification reports code that does not compile.
      ...command('setup', `${fetched} && echo '*' > ${build}/.gitignore && { ${compile} -- -k || true; }`),
      // If a target does not compile, the others are still tested, and no test runs as an earlier build has left it.
      ...command(
        'test',
        `${configure} && if ${compile}; then ${run}; else cmake --build ${build} --target clean; ${compile} -- -k; ${run}; false; fi`,
      ),
    ],
    techStack: ['CMake'],
  }
}

/** Debian's sources, for when the download is out of reach; what is configured once stays so. */
const OWN_GOOGLETEST = '-DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=/usr/src/googletest'

const fetchesGoogleTest = (folder: Folder, root: string): boolean =>
  [root, ...folder.below(BELOW, MOST_FILES).map((name) => folder.text(name) ?? '')].some((text) =>
    /\bFetchContent_Declare\s{0,20}\(\s{0,20}googletest\b/i.test(text),
  )

const CTEST = '--output-on-failure --no-tests=error'

/** `target` runs the tests without CTest. */
type Tests = { folder: string; target?: string; from: Place }

/** The folder in which CTest runs: the root, unless only a folder below has tests. */
function testsOf(folder: Folder, root: string): Tests | null {
  const at = ENABLED.exec(root)
  if (at) return { folder: '', from: place(folder, FILE, lineAt(root, at.index + at[0].length)) }
  const below = folder
    .below(BELOW, MOST_FILES)
    .map((name) => ({ name, text: withoutComments(folder.text(name) ?? '') }))
  const enabled = below.find(({ text }) => ENABLED.test(text))
  if (enabled) return { folder: enabled.name.slice(0, -FILE.length - 1), from: place(folder, enabled.name) }
  const added = below.find(({ text }) => TESTS.test(text))
  if (added !== undefined) return { folder: '', from: place(folder, added.name) }
  const [named] = [{ name: FILE, text: root }, ...below].flatMap(({ name, text }): Tests[] => {
    const target = TARGET.exec(text)?.[1]
    return target === undefined ? [] : [{ folder: '', target, from: place(folder, name) }]
  })
  return named ?? null
}

/**
 * Options that are off, and that build the tests by their name or description; dependent options, too. A folder's own
 * file may have them.
 */
function testOptions(folder: Folder, root: string): string[] {
  const off =
    /^[ \t]*(?:cmake_dependent_)?option[ \t]{0,20}\([ \t\n]{0,200}(\w{1,60})[ \t\n]{1,200}"([^"]{0,200})"[ \t\n]{0,200}(?:(?:OFF|FALSE|NO|0)[ \t\n]{1,200}"[^"]{0,200}"[ \t\n]{1,200})?(?:OFF|FALSE|NO|0)?[ \t\n]{0,20}\)/gim
  const project = /^[ \t]*project[ \t]*\([ \t\n]*"?([\w-]{1,60})/im.exec(root)?.[1] ?? ''
  const below = folder.below(BELOW, MOST_FILES).map((name) => withoutComments(folder.text(name) ?? ''))
  const names = [root, ...below].flatMap((text) =>
    [...text.matchAll(off)].flatMap(([, name = '', words = '']) => (buildsTests(name, words, project) ? [name] : [])),
  )
  return [...new Set(names)].slice(0, MOST_OPTIONS)
}

/** Without Python, tests that are programs of Python are silently left out. */
function pythonOf(folder: Folder, root: string): ToolClaim[] {
  const name = [FILE, ...folder.below(BELOW, MOST_FILES)].find((file) =>
    PYTHON.test(file === FILE ? root : withoutComments(folder.text(file) ?? '')),
  )
  return name === undefined ? [] : toolClaim('python', null, place(folder, name))
}

const PYTHON = /^[ \t]*find_package[ \t]*\([ \t]*(?:Python3?|PythonInterp)\b/im

/** `cmake_minimum_required(VERSION 3.16...3.28)`: the first number is the minimum. */
function versionOf(folder: Folder, text: string): ToolClaim[] {
  const found = /^[ \t]*cmake_minimum_required[ \t]*\([ \t\n]*VERSION[ \t\n]+(\d[\d.]{0,10}\d)/im.exec(text)
  const version = found?.[1]?.split('..')[0] ?? null
  const line = found === null ? null : lineAt(text, found.index + found[0].length)
  return toolClaim('cmake', version, place(folder, FILE, line), { least: version !== null })
}

const withoutComments = (text: string): string => text.replace(/#[^\n]*/g, '')
