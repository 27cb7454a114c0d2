import { iniLines } from '../../formats/ini-text.ts'
import { linesOf } from '../../formats/lines.ts'
import { fieldsOf, listOf, textOf } from '../../formats/records.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { readToml } from '../../formats/toml-text.ts'
import type { Folder } from '../../files/repository-files.ts'
import { folderOf, pathFrom } from '../../files/repository-path.ts'
import { declaredIn, tableOf, type Declared } from './python-project.ts'
import { baseFiles } from './requirement-files.ts'
import { sameName } from './requirement.ts'

/*
 * The packages that a repository has itself. pip asks PyPI for every name without a folder, and anybody may have a
 * package of that name there.
 */

/**
 * A request for a package, with its extras, both normalized. `by`: the way to find it; only uv reads its own sources.
 */
export type Asked = { name: string; extras: readonly string[]; by: 'name' | 'path' | 'uv'; key: string }

/** `key`: the whole request in one word, made only once, because all packages may ask for each other. */
const asks = (name: string, extras: readonly string[], by: Asked['by']): Asked => ({
  name,
  extras,
  by,
  key: `${name} ${by} ${extras.join()}`,
})

type OwnPackage = {
  folder: string
  requires: readonly Asked[]
  extras: ReadonlyMap<string, readonly Asked[]>
  build: readonly string[]
}

/** Folders with strangers' code use strangers' names. */
const OF_OTHERS =
  /(?:^|\/)(?:\.[^/]*|[^/]*\{\{[^/]*|node_modules|vendor|third[_-]?party|site-packages|_vendor|testdata|__?fixtures?_?_?|fixtures?)\//i
const MANIFEST = /(?:^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py)$/
const MOST_PACKAGES = 300

/** Read once for all folders of a repository: each may ask for any other. */
const known = new WeakMap<Folder, ReadonlyMap<string, OwnPackage>>()

function ownPackages(root: Folder): ReadonlyMap<string, OwnPackage> {
  const before = known.get(root)
  if (before !== undefined) return before
  const found = new Map<string, OwnPackage>()
  const depth = (path: string): number => path.split('/').length
  const folders = new Set(
    root
      .below(MANIFEST, MOST_MANIFESTS)
      .filter((path) => !OF_OTHERS.test(path) && root.text(path) !== null)
      .map(folderOf),
  )
  // If two have one name, others mean the one nearer to the root.
  for (const path of [...folders].sort((a, b) => depth(a) - depth(b)).slice(0, MOST_PACKAGES)) {
    const declared = declaredIn(root.other(path))
    if (declared.name !== null && !found.has(declared.name)) found.set(declared.name, packageOf(declared))
  }
  const own = new Map([...found].map(([name, one]) => [name, ofOwn(one, found)]))
  known.set(root, own)
  return own
}

const MOST_MANIFESTS = 5000

/** Keeps only requests for the repository's own packages, each once. */
function ofOwn(one: OwnPackage, names: ReadonlyMap<string, unknown>): OwnPackage {
  const distinct = (asked: readonly Asked[]): Asked[] => [
    ...new Map(asked.filter(({ name }) => names.has(name)).map((wish) => [wish.key, wish] as const)).values(),
  ]
  const extras = new Map([...one.extras].map(([name, asked]) => [name, distinct(asked)]))
  return { ...one, requires: distinct(one.requires), extras }
}

export function packageOf(declared: Declared): OwnPackage {
  const { folder, setupCfg, setupPy } = declared
  const extras = new Map<string, readonly Asked[]>()
  const found = bySources(declared)
  const add = (name: string, asked: readonly Asked[]) =>
    extras.set(sameName(name), [...(extras.get(sameName(name)) ?? []), ...found(asked)])
  for (const [name, list] of Object.entries(tableOf(declared, 'project', 'optional-dependencies')))
    add(name, askedFor(textsIn(list)))
  for (const [name, { lines }] of setupCfg.get('options.extras_require')?.values ?? []) add(name, askedFor(lines))
  const dynamic = tableOf(declared, 'tool', 'setuptools', 'dynamic')
  for (const [name, one] of Object.entries(fieldsOf(dynamic['optional-dependencies'])))
    add(name, askedInFiles(folder, textsIn(fieldsOf(one)['file'])))
  const inCfg = iniLines(setupCfg, 'options', 'install_requires')
  const files = [
    ...baseFiles(folder.has),
    ...textsIn(fieldsOf(dynamic['dependencies'])['file']),
    ...inCfg.flatMap((line) => (/^file:\s{0,5}(.{1,300})$/.exec(line)?.[1] ?? '').split(',')),
  ]
  return {
    folder: folder.path,
    requires: found([
      ...askedFor([
        ...textsIn(tableOf(declared, 'project')['dependencies']),
        ...textsIn(tableOf(declared, 'tool', 'flit', 'metadata')['requires']),
        ...inCfg,
        ...literalsIn(setupPy),
      ]),
      ...askedInTable(tableOf(declared, 'tool', 'poetry', 'dependencies')),
      ...askedInFiles(folder, files),
    ]),
    extras,
    build: textsIn(tableOf(declared, 'build-system')['requires']),
  }
}

/** Marks the requests that uv finds by the sources of the project. */
function bySources(declared: Declared): (asked: readonly Asked[]) => Asked[] {
  const sources = new Set(Object.keys(tableOf(declared, 'tool', 'uv', 'sources')).map(sameName))
  return (asked) =>
    asked.map((one) => (one.by === 'name' && sources.has(one.name) ? asks(one.name, one.extras, 'uv') : one))
}

/** A list may be made of others, or read from somewhere: any word in it may be a name. */
const literalsIn = (text: string): string[] =>
  [...text.matchAll(/"([^"\n]{1,200})"|'([^'\n]{1,200})'/g)]
    .slice(0, MOST_LITERALS)
    .map(([, one, other]) => one ?? other ?? '')

const MOST_LITERALS = 5000

const textsIn = (value: unknown): string[] => [value, ...listOf(value)].flatMap((one) => textOf(one) ?? [])

/** A requirement with an address is not for a registry. */
const ASKED = /^\s{0,20}([A-Za-z0-9][\w.-]{0,80})\s{0,5}(?:\[([\w.,\s-]{0,200})\])?(?!\s{0,5}@)(?=$|[\s()<>=!~;,#\\])/

export const askedFor = (requirements: readonly string[]): Asked[] =>
  requirements.flatMap((one) => {
    const [, name, extras = ''] = ASKED.exec(one.slice(0, 500)) ?? []
    if (name === undefined) return []
    const wanted = extras.split(/[\s,]+/).filter(Boolean)
    return [asks(sameName(name), wanted.map(sameName), 'name')]
  })

/** Requests in a table of Poetry or Pipenv. */
export const askedInTable = (table: Readonly<Record<string, unknown>>): Asked[] =>
  Object.entries(table).map(([name, value]) => {
    const all = listOf(value).length === 0 ? [value] : listOf(value)
    const isElsewhere = (one: unknown) =>
      ['path', 'git', 'url', 'file'].some((key) => Object.hasOwn(fieldsOf(one), key))
    const extras = all.flatMap((one) => textsIn(fieldsOf(one)['extras'])).map(sameName)
    return asks(sameName(name), extras, all.every(isElsewhere) ? 'path' : 'name')
  })

/** Requests in files of requirements, and in those that they include. */
export function askedInFiles(folder: Folder, files: readonly string[]): Asked[] {
  const left = files.flatMap((file) => pathFrom(folder.path, file.trim()) ?? [])
  const seen = new Set<string>()
  const asked: Asked[] = []
  for (const path of left) {
    if (seen.has(path) || seen.size === MOST_FILES) continue
    seen.add(path)
    const lines = linesOf(folder.other('').text(path) ?? '')
    asked.push(...askedFor(lines))
    for (const line of lines) {
      const file = /^\s{0,20}(?:-r|--requirement)[ =]?\s{0,20}([^\s#]{1,200})/.exec(line)?.[1]
      const next = file === undefined ? null : pathFrom(folderOf(path), file)
      if (next !== null && left.length < MOST_NAMED) left.push(next)
    }
  }
  return asked
}

const MOST_FILES = 20
const MOST_NAMED = 1000

/** Requests in the folder's groups, and in those that they include. */
export function askedInGroups(declared: Declared, names: readonly string[]): Asked[] {
  const table = tableOf(declared, 'dependency-groups')
  const groups = new Map(Object.entries(table).map(([name, list]) => [sameName(name), listOf(list)]))
  const left = names.map(sameName)
  const seen = new Set<string>()
  const asked: Asked[] = []
  for (const name of left) {
    if (seen.has(name)) continue
    seen.add(name)
    for (const one of groups.get(name) ?? []) {
      const included = textOf(fieldsOf(one)['include-group'])
      if (included !== null && !seen.has(sameName(included))) left.push(sameName(included))
      else asked.push(...bySources(declared)(askedFor(textsIn(one))))
    }
  }
  return asked
}

/** Requests in a Pipfile, which only Pipenv reads. */
export function askedInPipfile(folder: Folder): Asked[] {
  const tables = readToml(folder.text('Pipfile') ?? '') ?? {}
  return ['packages', 'dev-packages'].flatMap((key) => askedInTable(fieldsOf(tables[key])))
}

/**
 * `folders`: the repository's own packages that a registry would be asked for, directly or by one of these packages.
 * `editables`: the same as words for pip. `build`: their build requirements.
 */
export type Siblings = {
  folders: readonly string[]
  editables: readonly string[]
  names: ReadonlySet<string>
  build: readonly string[]
}

/** @param isUv whether uv installs, and so finds its own sources itself */
export function siblingsOf(declared: Declared, asked: readonly Asked[], isUv: boolean): Siblings {
  const { folder, name: self } = declared
  const own = ownPackages(folder.other(''))
  const itself = self === null ? null : ofOwn(packageOf(declared), own)
  const folders = new Set<string>()
  const names = new Set<string>()
  const build = new Set<string>()
  const seen = new Set<string>()
  const left: Asked[] = []
  // Each request once for each of its extras: all packages may ask for each other.
  const add = (all: readonly Asked[]): void => {
    for (const one of all) {
      if (seen.has(one.key)) continue
      seen.add(one.key)
      if (one.name === self || own.has(one.name)) left.push(one)
    }
  }
  add(asked)
  for (const { name, extras, by } of left) {
    const found = name === self ? itself : own.get(name)
    if (!found) continue
    const isAsked = by === 'name' || (by === 'uv' && !isUv)
    if (isAsked && found.folder !== folder.path && !folders.has(found.folder)) {
      names.add(name)
      folders.add(found.folder)
      for (const one of found.build) build.add(one)
      add(askedFor(found.build))
    }
    for (const extra of ['', ...extras]) {
      const part = `${name} ${extra}`
      if (!seen.has(part)) add(extra === '' ? found.requires : (found.extras.get(extra) ?? []))
      seen.add(part)
    }
  }
  const paths = [...folders].sort().map((one) => pathBetween(folder.path, one))
  return {
    folders: [...folders].sort(),
    editables: paths.flatMap((path) => ['-e', shellWord(path)]),
    names,
    build: [...build],
  }
}

/** In pip's form: `./libs/b`, `../b`, `../..`. */
export function pathBetween(from: string, to: string): string {
  const [here, there] = [from, to].map((path) => (path === '' ? [] : path.split('/'))) as [string[], string[]]
  let same = 0
  while (same < here.length && same < there.length && here[same] === there[same]) same += 1
  const up = here.slice(same).map(() => '..')
  return [...(up.length === 0 ? ['.'] : up), ...there.slice(same)].join('/')
}
