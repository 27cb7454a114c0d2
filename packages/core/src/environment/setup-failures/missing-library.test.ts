import { describe, expect, test } from 'vitest'
import { missingLibrary } from './missing-library.ts'

describe('a library that a C build asks for and the image lacks is named, with the package of Debian if it is known', () => {
  test.each([
    [
      'glib-2.0',
      'libglib2.0-dev',
      'meson.build:49:10: ERROR: Dependency "glib-2.0" not found, tried pkgconfig and cmake',
    ],
    ['valac', null, "meson.build:3:0: ERROR: Program 'valac' not found or not executable"],
    ['somelib', null, "meson.build:9:0: ERROR: C shared or static library 'somelib' not found"],
    [
      'gio-2.0',
      'libglib2.0-dev',
      'Run-time dependency gio-2.0 found: NO  (tried pkg-config and cmake)\nLooking for a fallback subproject for the dependency gio-2.0\nERROR: Subproject glib is buildable: NO',
    ],
    [
      'LibXml2',
      'libxml2-dev',
      '-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\nCMake Error at FindPackageHandleStandardArgs.cmake:230 (message):\n  Could NOT find LibXml2 (missing: LIBXML2_LIBRARY)',
    ],
    [
      'Boost',
      'libboost-all-dev',
      '  asked CMake to find a package configuration file provided by "Boost", but\n  CMake did not find one.',
    ],
    ['libevent', 'libevent-dev', 'configure: error: Package requirements (libevent >= 2.0) were not met:'],
    ['libevent', 'libevent-dev', 'configure: error: "libevent not found"'],
    ['libfoo', null, "No package 'libfoo' found"],
  ])('%s', (name, debian, output) => {
    const words = missingLibrary(`first\n${output}\nlast`) ?? ''
    expect(words).toContain(`The build asks for ${name}, which `)
    if (debian === null) expect(words).not.toContain('Debian:')
    else expect(words).toContain(`(Debian: ${debian})`)
  })

  test('and nothing is said about optional libraries', () => {
    expect(missingLibrary('-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\nx.c:1: error: y')).toBeNull()
  })
})
