import { place, toolClaim } from '../claims.ts'
import type { Reading } from '../found.ts'
import type { Folder } from '../repository-files.ts'

const BUILDS = ['GNUmakefile', 'makefile', 'Makefile', 'configure', 'CMakeLists.txt', 'meson.build']
const CPP = /\.(?:cpp|cc|cxx|hpp)$/
const C = /\.[ch]$/
const CALLS = /\$[({](?:CC|CXX)[)}]|(?:^|\s)(?:gcc|g\+\+|cc|c\+\+)\s/m

/** C and C++: sources in the root folder beside what builds them, or a Makefile that calls a compiler. */
export function c(folder: Folder): Reading | null {
  const build = BUILDS.find((name) => folder.has(name))
  if (build === undefined) return null
  const rules = build.toLowerCase().endsWith('makefile') ? (folder.text(build) ?? '') : ''
  const calls = CALLS.test(rules)
  const cpp = folder.names.some((name) => CPP.test(name)) || /\$[({]CXX[)}]/.test(rules)
  if (!cpp && !calls && !folder.names.some((name) => C.test(name))) return null
  return { tools: toolClaim('c', null, place(folder, build)), techStack: [cpp ? 'C++' : 'C'] }
}
