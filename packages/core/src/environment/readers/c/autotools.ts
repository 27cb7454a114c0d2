import { commandClaim, place, toolClaim } from '../../claims.ts'
import type { Reading } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { buildFolder } from './build-folder.ts'

const SOURCES = ['configure.ac', 'configure.in']
const AUTOMAKE = 'Makefile.am'
const TEMPLATE = 'Makefile.in'

/** A release has `configure`; a repository mostly has a script that makes it. */
const MAKE_CONFIGURE =
  '{ [ -f configure ] || { [ -f autogen.sh ] && NOCONFIGURE=1 sh ./autogen.sh; } || { [ -f bootstrap ] && sh ./bootstrap; } || autoreconf -fi; }'

/** A project of Autoconf, with the tests of Automake, or of a Makefile that has some. */
export function autotools(folder: Folder): Reading | null {
  const source = SOURCES.find((name) => folder.has(name))
  if (source === undefined) return null
  const target = targetOf(folder)
  const from = place(folder, source)
  // Automake's own releases are tested in a folder of their own; other Makefiles may not support one.
  const apart = folder.has(AUTOMAKE)
  const build = apart ? buildFolder(folder) : '.'
  const configure = apart
    ? `mkdir -p ${build} && echo '*' > ${build}/.gitignore && ( cd ${build} && ../configure )`
    : 'sh ./configure'
  const command = (purpose: 'setup' | 'test', line: string) =>
    target === null ? [] : commandClaim(folder, 'autotools', purpose, line, from)
  return {
    tools: toolClaim('autotools', null, from),
    commands: [
      ...command('setup', `${MAKE_CONFIGURE} && ${configure} && { make -k -j 4 -C ${build} || true; }`),
      ...command('test', `make -k -C ${build} ${target} VERBOSE=1`),
    ],
    techStack: ['Autotools'],
  }
}

const TESTS = /^[ \t]*(?:TESTS\b|check_[A-Z]|check-local\b|-?include\b)/m
const BELOW = /^(?:[^/]{1,100}\/){1,4}Makefile\.am$/
const MOST_FILES = 40

/** If nobody names tests, Automake's target `check` tests nothing. An included file may name some. */
const mayTest = (folder: Folder): boolean =>
  [AUTOMAKE, ...folder.below(BELOW, MOST_FILES)].some((name) => TESTS.test(folder.text(name) ?? 'TESTS'))

function targetOf(folder: Folder): 'check' | 'test' | null {
  if (folder.has(AUTOMAKE)) return mayTest(folder) ? 'check' : null
  const rules = folder.text(TEMPLATE) ?? ''
  if (/^(?:[\w-]{1,40} ){0,10}check\s{0,5}:/m.test(rules)) return 'check'
  return /^(?:[\w-]{1,40} ){0,10}test\s{0,5}:/m.test(rules) ? 'test' : null
}
