import { toolClaim, place } from '../../claims.ts'
import { listOf, textOf } from '../../formats/records.ts'
import type { Place, ToolClaim } from '../../found.ts'
import { isPackage, tableOf, type PythonProject } from './python-project.ts'
import { requirementFiles } from './requirement-files.ts'
import { nameIn, requirementOf } from './requirement.ts'

/*
 * Projects that contain more than Python. The image needs their compilers, and a change of a compiled source shows in
 * no test before it is compiled again.
 */

/** Packages that build extensions, in C or in Rust, by the requirements of a build. */
const IN_C = [
  'cython',
  'pybind11',
  'nanobind',
  'cffi',
  'meson-python',
  'scikit-build',
  'scikit-build-core',
  'mypy',
].concat(['numpy', 'oldest-supported-numpy', 'swig', 'py-build-cmake', 'cysignals'])
const IN_RUST = ['maturin', 'setuptools-rust']
const IN_SETUP = /\bExtension\s{0,5}\(|\bext_modules\b|\bcythonize\b|\bcffi_modules\b|\bmypycify\b/
const RUST_IN_SETUP = /\brust_extensions\b|\bRustExtension\b/

/** Further needs of a build backend. It asks for them when it is called, which does not happen without isolation. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  setuptools: ['wheel'],
  'meson-python': ['meson', 'ninja'],
  'scikit-build-core': ['cmake', 'ninja'],
  'scikit-build': ['cmake', 'ninja'],
}

/** Packages that PyPI has only as sources, to be compiled against libraries of the image. */
const COMPILED =
  /(?:^|["'\s[])(?:psycopg2|psycopg\[c\]|mysqlclient|python-ldap|uwsgi|pygraphviz|dbus-python|netifaces|pysqlite3|gssapi|python-snappy|pyaudio|xmlsec|pycairo|pymssql|m2crypto|bjoern|spidev|evdev|systemd-python)(?![\w-])/im

export const required = (project: PythonProject): string[] =>
  listOf(tableOf(project, 'build-system')['requires']).flatMap((one) => requirementOf(textOf(one) ?? '') ?? [])

type Compiled = { c: Place | null; rust: Place | null }

/** The places that say that the project itself is compiled. */
function compiled(project: PythonProject): Compiled {
  const { folder, setupPy } = project
  const names = required(project).map(nameIn)
  const inSetup = place(folder, 'setup.py')
  const requires = project.placeOf('build-system', 'requires')
  const rust = names.some((name) => IN_RUST.includes(name)) ? requires : RUST_IN_SETUP.test(setupPy) ? inSetup : null
  const modules = listOf(tableOf(project, 'tool', 'setuptools')['ext-modules']).length > 0
  const c = names.some((name) => IN_C.includes(name))
    ? requires
    : modules
      ? project.placeOf('tool', 'setuptools', 'ext-modules')
      : IN_SETUP.test(setupPy)
        ? inSetup
        : null
  return { c, rust }
}

/** Null: there is nothing to build. */
export function buildRequirements(project: PythonProject): string[] | null {
  const { c, rust } = compiled(project)
  if (!isPackage(project) || (c === null && rust === null)) return null
  return withBesides(required(project))
}

/** Requirements of a build; setuptools, if nothing names another. */
export function withBesides(named: readonly string[]): string[] {
  const all = named.length > 0 ? named : ['setuptools']
  return [...new Set([...all, ...all.flatMap((one) => BESIDE[nameIn(one)] ?? [])])]
}

export function compilersOf(project: PythonProject): ToolClaim[] {
  const { c, rust } = compiled(project)
  const from = c ?? dependency(project)
  return [
    ...(rust === null ? [] : toolClaim('rust', null, rust, { confidence: 'usual' })),
    ...(from === null ? [] : toolClaim('c', null, from, { confidence: 'usual' })),
  ]
}

/** The file that requires one of the packages that have to be compiled. */
function dependency({ folder, files }: PythonProject): Place | null {
  const { base, tests } = requirementFiles(files)
  const file = [...base, ...tests, 'pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile'].find((name) =>
    COMPILED.test(folder.text(name) ?? ''),
  )
  return file === undefined ? null : place(folder, file)
}
