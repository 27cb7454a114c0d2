import { place, toolClaim } from '../../claims.ts'
import type { Reading } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { librariesOf } from './libraries.ts'

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
/** Files of tools that build C or C++, and almost nothing else, wherever the sources are. */
const BUILDS = ['CMakeLists.txt', 'meson.build', 'configure.ac', 'configure.in', 'configure']
const CPP = /\.(?:cpp|cc|cxx|hpp)$/
const C = /\.[ch]$/
const CALLS = /\$[({](?:CC|CXX)[)}]|(?:^|\s)(?:gcc|g\+\+|cc|c\+\+)\s/m
/** C++23 needs a newer compiler than Debian 12's. */
const NEW_STANDARD = /\bCXX_STANDARD["\s]{1,5}2[36]\b|\bcxx_std_2[36]\b|cpp_std=(?:c|gnu)\+\+2(?:[36]|[bc]\b)/

/** C and C++: sources beside a Makefile, a Makefile that calls a compiler, or a build tool anywhere. */
export function c(folder: Folder): Reading | null {
  const build = [...BUILDS, ...MAKEFILES].find((name) => folder.has(name))
  if (build === undefined) return null
  const text = folder.text(build) ?? ''
  const isMake = MAKEFILES.includes(build)
  const sources = isMake ? folder.names : folder.below(/\.(?:[ch]|cpp|cc|cxx|hpp)$/, MOST_SOURCES)
  const cpp = sources.some((name) => CPP.test(name)) || (isMake && /\$[({]CXX[)}]/.test(text))
  if (!cpp && !(isMake && CALLS.test(text)) && !sources.some((name) => C.test(name))) return null
  const newest = NEW_STANDARD.test(text) ? '14' : null
  const libraries = librariesOf(folder)
  const claims = toolClaim('c', newest, place(folder, build), { least: newest !== null })
  return {
    tools: libraries.length === 0 ? claims : claims.map((claim) => ({ ...claim, libraries })),
    techStack: [cpp ? 'C++' : 'C'],
  }
}

const MOST_SOURCES = 200
