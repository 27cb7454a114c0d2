import { NOT_OURS } from './folders-of-others.ts'
import type { Folder } from './repository-files.ts'
import { folderOf } from './repository-path.ts'

/** Files that make a folder a project of its own. */
const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json',
  'deno.json',
  'pyproject.toml',
  'requirements.txt',
  'setup.py',
  'Pipfile',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Gemfile',
  'composer.json',
  'mix.exs',
  'Package.swift',
  'build.zig',
  'pubspec.yaml',
  'build.sbt',
  'project.clj',
  'deps.edn',
  'dune-project',
  'rebar.config',
])
/** Go's fixtures are in `testdata`: a Go module in a folder of tests that has tests itself is no fixture. */
const OF_TESTS = /^tests?$/i
const MANIFEST_ENDINGS = /\.(?:sln|slnx|csproj|fsproj)$/

/** Beside those, folders with built files, or with files that are broken on purpose. */
const IS_NO_PROJECT = new RegExp(
  `^(?:${NOT_OURS}|bower_components|testdata|__?fixtures?_?_?|fixtures?|tests?|__tests__|specs?|e2e|dist|build|out|target|bin|obj)$`,
  'i',
)

/**
 * Whether no manifest names a folder beside or above it, as `file:../lib` and `replace x => ../x` do: if one does, a
 * change elsewhere may be a change of this project.
 */
export const isAlone = (folder: Folder): boolean =>
  !folder.names.some((name) => isManifest(name) && (folder.text(name) ?? OUTWARD).includes(OUTWARD))

const OUTWARD = '../'

/** Files that build C from their folder; more of them below build parts of it. */
const BUILDS: ReadonlySet<string> = new Set(['CMakeLists.txt', 'meson.build', 'configure.ac', 'configure.in'])
/** A root with one of these is a project, in a language that is not looked for in the folders below. */
const OF_ROOTS =
  /^(?:(?:GNUm|m|M)akefile|Makefile\.PL|Build\.PL|cpanfile|DESCRIPTION|setup\.cfg|tox\.ini|.{1,100}\.(?:cabal|opam|gemspec))$/

const MOST_DEPTH = 4
const MOST_FOLDERS = 40

const isOursElsewhere = (part: string): boolean => !IS_NO_PROJECT.test(part)
const isOursInGo = (part: string): boolean => OF_TESTS.test(part) || isOursElsewhere(part)

const isManifest = (name: string): boolean => MANIFESTS.has(name) || MANIFEST_ENDINGS.test(name)

/**
 * Folders below the root that are projects, the nearest to it first. `left`: those left out, too deep or too many.
 * `more`: the number of those that are too many.
 */
export function nestedFolders(paths: readonly string[]): { folders: string[]; left: string[]; more: number } {
  const found = new Set<string>()
  const deep = new Set<string>()
  const tested = new Set(paths.filter((path) => path.endsWith('_test.go')).map(folderOf))
  for (const path of paths) {
    const cut = path.lastIndexOf('/')
    if (cut === -1 || !isManifest(path.slice(cut + 1))) continue
    const folder = path.slice(0, cut)
    const isOurs = path.endsWith('/go.mod') && tested.has(folder) ? isOursInGo : isOursElsewhere
    const parts = folder.split('/')
    if (parts.every(isOurs)) (parts.length <= MOST_DEPTH ? found : deep).add(folder)
  }
  if (found.size === 0) for (const folder of buildsBelow(paths)) found.add(folder)
  const depth = (folder: string): number => folder.split('/').length
  const sorted = [...found].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
  const tooMany = sorted.slice(MOST_FOLDERS)
  return { folders: sorted.slice(0, MOST_FOLDERS), left: [...tooMany, ...deep], more: tooMany.length }
}

/** Folders with a build of C: the repository's projects if there are no others, not even at the root. */
function buildsBelow(paths: readonly string[]): string[] {
  const atRoot = paths.filter((path) => !path.includes('/'))
  if (atRoot.some((name) => isManifest(name) || BUILDS.has(name) || OF_ROOTS.test(name))) return []
  return paths.flatMap((path) => {
    const [folder = '', name = '', ...more] = path.split('/')
    return more.length === 0 && BUILDS.has(name) && isOursElsewhere(folder) ? [folder] : []
  })
}
