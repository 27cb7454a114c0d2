import { place, toolClaim } from '../../claims.ts'
import type { Reading } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { NOT_OURS } from '../../files/folders-of-others.ts'
import { folderOf } from '../../files/repository-path.ts'
import { librariesOf } from './libraries.ts'

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
/** Files of tools that build C or C++, and almost nothing else, wherever the sources are. */
const BUILDS = ['CMakeLists.txt', 'meson.build', 'configure.ac', 'configure.in', 'configure']
const CPP = /\.(?:cpp|cc|cxx|hpp)$/
const C = /\.[ch]$/
const CALLS = /\$[({](?:CC|CXX)[)}]|(?:^|\s)(?:gcc|g\+\+|cc|c\+\+)\s/m
/** C++23 needs a newer compiler than Debian 12's. */
const NEW_STANDARD = /\bCXX_STANDARD["\s]{1,5}2[36]\b|\bcxx_std_2[36]\b|cpp_std=(?:c|gnu)\+\+2(?:[36]|[bc]\b)/

/** C and C++: sources beside a Makefile or one below that it goes into, a Makefile that calls a compiler, or a build tool anywhere. */
export function c(folder: Folder): Reading | null {
  const build = [...BUILDS, ...MAKEFILES].find((name) => folder.has(name))
  if (build === undefined) return null
  const text = folder.text(build) ?? ''
  const isMake = MAKEFILES.includes(build)
  const sources = isMake
    ? [...folder.names, ...sourcesBelow(folder, text)]
    : folder.below(/\.(?:[ch]|cpp|cc|cxx|hpp)$/, MOST_SOURCES)
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

/** Sources beside a Makefile one folder below, if the one here starts make in other folders. */
function sourcesBelow(folder: Folder, text: string): string[] {
  if (!GOES_BELOW.test(text)) return []
  const built = new Set(folder.below(MAKEFILE_BELOW, MOST_SOURCES).map(folderOf))
  return folder.below(SOURCE_BELOW, MOST_SOURCES).filter((name) => built.has(folderOf(name)))
}

const GOES_BELOW = /(?:\$[({]MAKE[)}]|\bmake)(?: -\w{1,20}){0,5} -C\b|\bcd [^;&|\n]{1,200}&& ?(?:\$[({]MAKE[)}]|make\b)/
const MAKEFILE_BELOW = new RegExp(String.raw`^(?!(?:${NOT_OURS})/)[^/]{1,100}/(?:GNUmakefile|[Mm]akefile)$`, 'i')
const SOURCE_BELOW = /^[^/]{1,100}\/[^/]{1,200}\.(?:[ch]|cpp|cc|cxx|hpp)$/
const MOST_SOURCES = 200
