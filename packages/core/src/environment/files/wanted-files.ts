import { NOT_COPIED_IN } from './folders-of-others.ts'
import { nestedFolders } from './nested-folders.ts'
import { COMPOSE_FILES } from '../readers/compose.ts'
import { folderOf, nameOf } from './repository-path.ts'
import { isRequirementFile } from '../readers/python/requirement-files.ts'
import { workflowNames } from '../readers/workflows/workflow-names.ts'

/** Each is read up to `MOST_TEXT`; a few hundred of the usual size are a few megabytes. */
const MOST_FILES = 300

const NAMES: ReadonlySet<string> = new Set(
  [
    [
      'package.json',
      'deno.json',
      'deno.jsonc',
      'pyproject.toml',
      'requirements.txt',
      'tox.ini',
      'go.mod',
      'go.work',
      'Cargo.toml',
    ],
    ['rust-toolchain.toml', 'rust-toolchain', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle'],
    ['settings.gradle.kts', 'global.json', 'Directory.Build.props', 'Gemfile', 'Gemfile.lock', 'composer.json'],
    ['mix.exs', 'GNUmakefile', 'makefile', 'Makefile', 'justfile', 'Justfile', '.justfile', 'mise.toml'],
    ['.mise.toml', '.tool-versions', '.nvmrc', '.node-version', '.bun-version', '.python-version', '.go-version'],
    [
      '.java-version',
      '.sdkmanrc',
      '.ruby-version',
      '.php-version',
      'CMakeLists.txt',
      'meson.build',
      'configure.ac',
      'configure.in',
    ],
    [
      'Makefile.in',
      'Makefile.am',
      'meson.options',
      'meson_options.txt',
      'Package.swift',
      'build.zig',
      'build.zig.zon',
      'pubspec.yaml',
      'Rakefile',
      '.rspec',
    ],
    ['pnpm-workspace.yaml', '.yarnrc.yml', 'setup.py', 'setup.cfg', 'noxfile.py', 'hatch.toml', 'Pipfile'],
    ['deps.edn', 'DESCRIPTION'],
    ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'tox.toml'],
  ].flat(),
)
const ENDINGS = /\.(?:gemspec|cabal|csproj|fsproj|vbproj|slnx?)$/
const WRAPPERS = ['gradle/wrapper/gradle-wrapper.properties', '.mvn/wrapper/maven-wrapper.properties']

/** Only at the root. A devcontainer may name a compose file of any name beside it. */
const ROOT: ReadonlySet<string> = new Set(
  [
    [
      '.devcontainer/devcontainer.json',
      '.devcontainer.json',
      'beadloom.json',
      '.gitmodules',
      '.gitattributes',
      '.config/mise.toml',
      'mise/config.toml',
    ],
    ['.mise/config.toml'],
    COMPOSE_FILES,
  ].flat(),
)
const OF_TESTS = /^(?:vitest|vite|jest)\.(?:config|workspace)\.(?:[cm]?[jt]s|json)$/
/** Workspaces may be in any folder; in those that are no projects of ours, only scripts are read. */
const MEMBER = /^(?:(?!node_modules\/|vendor\/|dist\/|build\/)[^/]{1,100}\/){1,3}package\.json$/
/** Any package of the repository may ask for a package of Python, even one that is no project of ours. */
const OF_PYTHON =
  /^(?:(?!node_modules\/|\.|vendor\/|site-packages\/)[^/]{1,100}\/){1,4}(?:pyproject\.toml|setup\.cfg|setup\.py)$/
const MOST_OF_PYTHON = 100
/** The code of a crate may say that features exclude each other. */
const OF_RUST = /^(?:(?!vendor\/|target\/)[^/]{1,100}\/){0,4}src\/lib\.rs$/
const MOST_OF_RUST = 40
const BESIDE_DEVCONTAINER = /^\.devcontainer\/(?:[^/]{1,100}\.ya?ml|[^/]{1,100}\/devcontainer\.json)$/
/** A feature may be in any folder; they are few. */
const FEATURE = /^(?:[^/]{1,100}\/){1,5}devcontainer-feature\.json$/
const MOST_FEATURES = 20
/** A build of C has its tests in any folder. */
const BUILDS_BELOW = new RegExp(
  String.raw`^${NOT_COPIED_IN}(?:[^/]{1,100}/){1,4}(?:CMakeLists\.txt|meson\.build|Makefile\.am)$`,
  'i',
)
const MOST_BUILDS = 40
const WORKFLOWS = '.github/workflows/'

/**
 * The files of a listing that `look` needs, the root's first. A listing of only the root folder is enough for the
 * claims of the root folder.
 */
export function wantedFiles(paths: readonly string[]): string[] {
  const folders = new Set(['', ...nestedFolders(paths).folders])
  const isWanted = (path: string): boolean => {
    if (ROOT.has(path) || BESIDE_DEVCONTAINER.test(path) || OF_TESTS.test(path) || MEMBER.test(path)) return true
    const wrapper = WRAPPERS.find((name) => path === name || path.endsWith(`/${name}`))
    const cut = wrapper === undefined ? path.lastIndexOf('/') : path.length - wrapper.length - 1
    const name = path.slice(cut + 1)
    return (
      (folders.has(path.slice(0, Math.max(0, cut))) &&
        (wrapper !== undefined || NAMES.has(name) || ENDINGS.test(name))) ||
      hasRequirements(path, folders)
    )
  }
  const flows = paths.filter((path) => path.startsWith(WORKFLOWS) && !path.slice(WORKFLOWS.length).includes('/'))
  const wanted = paths.filter(isWanted)
  const isAmongThem = new Set(wanted)
  const depth = (path: string): number => path.split('/').length
  return [
    ...wanted.filter((path) => !path.includes('/') || ROOT.has(path)),
    ...paths.filter((path) => FEATURE.test(path)).slice(0, MOST_FEATURES),
    ...workflowNames(flows.map((path) => path.slice(WORKFLOWS.length))).map((name) => WORKFLOWS + name),
    ...paths
      .filter((path) => BUILDS_BELOW.test(path) && !isAmongThem.has(path))
      .toSorted((a, b) => depth(a) - depth(b))
      .slice(0, MOST_BUILDS),
    ...wanted.filter((path) => path.includes('/') && !ROOT.has(path)).sort((a, b) => depth(a) - depth(b)),
    ...paths
      .filter((path) => OF_PYTHON.test(path) && !isAmongThem.has(path))
      .toSorted((a, b) => depth(a) - depth(b))
      .slice(0, MOST_OF_PYTHON),
    ...paths
      .filter((path) => OF_RUST.test(path) && folders.has(folderOf(folderOf(path))))
      .toSorted((a, b) => depth(a) - depth(b))
      .slice(0, MOST_OF_RUST),
  ].slice(0, MOST_FILES)
}

/** Only their first lines are used, which name the format. */
const HEADS = /^(?:pnpm-lock\.yaml|yarn\.lock)$/
const MOST_HEADS = 20
/** The largest lock files have a few megabytes. */
export const MOST_OF_A_LOCK = 8 * 1024 * 1024
const HEAD = 2000

export function headedFiles(paths: readonly string[]): string[] {
  const folders = new Set(['', ...nestedFolders(paths).folders])
  const isWanted = (path: string): boolean => HEADS.test(nameOf(path)) && folders.has(folderOf(path))
  return paths.filter(isWanted).slice(0, MOST_HEADS)
}

export const headOf = (text: string): string => text.slice(0, HEAD)
/** Some projects have a folder for their files with requirements, or keep them beside the tests. */
function hasRequirements(path: string, folders: ReadonlySet<string>): boolean {
  const own = /(?:^|\/)((?:(?:requirements|reqs|tests?|testing)\/)?[^/]{1,100}\.(?:txt|in))$/.exec(path)?.[1]
  return (
    own !== undefined && isRequirementFile(own) && folders.has(path.slice(0, Math.max(0, path.length - own.length - 1)))
  )
}
