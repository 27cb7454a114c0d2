import { expect, test } from 'vitest'
import { filesOf } from '../../../testing/sample-repository.ts'
import { detected } from '../../commands/detected.ts'
import { look } from '../../look.ts'
import { chooseToolchains } from '../../toolchains/choose-toolchains.ts'
import { withOwn } from '../../toolchains/own-toolchains.ts'

const toolsOf = (files: Record<string, string>) => detected(look(filesOf({ 'x.c': '', ...files }))).tools
const installs = (files: Record<string, string>): string[] => {
  const plain = chooseToolchains(toolsOf({ Makefile: 'test:\n\tcc x.c\n' })).installs.map(({ what }) => what)
  return chooseToolchains(toolsOf(files))
    .installs.map(({ what }) => what)
    .filter((what) => what.endsWith('-dev') || what === 'nasm')
    .filter((what) => !plain.includes(what))
}

test.each<[string, string, string[]]>([
  ['meson.build', "x = dependency('gio-2.0', version: '>= 2.72')\nfind_program('nasm')\n", ['libglib2.0-dev', 'nasm']],
  ['meson.build', "x = dependency('cairo', required: false)\n", []],
  ['CMakeLists.txt', 'find_package(LibXml2 2.9 REQUIRED)\nfind_package(Boost)\n', ['libxml2-dev']],
  ['CMakeLists.txt', 'pkg_check_modules(X REQUIRED IMPORTED_TARGET libuv sqlite3>=3)\n', ['libuv1-dev']],
  ['configure.ac', 'PKG_CHECK_MODULES([LIBEVENT], [libevent_core >= 2 dbus-1])\n', ['libdbus-1-dev', 'libevent-dev']],
  ['configure.ac', 'PKG_CHECK_MODULES([X], [$(id) nobody-knows-this])\n', []],
])(
  'libraries that a build cannot do without are in the image, as far as they are known: %s: %s',
  (file, text, packages) => {
    expect(installs({ [file]: text })).toEqual(packages)
  },
)

test('the folders below are searched, but not copies of other projects', () => {
  expect(installs({ 'meson.build': '', 'lib/meson.build': "dependency('cairo')\n" })).toEqual(['libcairo2-dev'])
  expect(installs({ 'meson.build': '', 'subprojects/y/meson.build': "dependency('cairo')\n" })).toEqual([])
})

test('another compiler needs the same libraries', () => {
  const tools = withOwn(toolsOf({ 'meson.build': "dependency('cairo')\n" }), { c: '14' })
  expect(chooseToolchains(tools).installs).toContainEqual({ by: 'debian', what: 'libcairo2-dev' })
})
