import { shortName } from '../finding-words.ts'
import { isInTestFolder } from '../../files/names-of-tests.ts'
import { patchLines, type ChangedFile } from '../patch.ts'
import type { Around } from './stand-ins.ts'
import * as code from '../words.ts'

/*
 * New files that a compiler or an interpreter finds before the project's own of that name: then the tests are about the
 * new one. For most languages the paths show it; a file with tests of its own only has the name of what they are about.
 */

/** @param candidate new files of this kind; `name` is equal for two files of which one hides the other */
type Rule = {
  candidate: (path: string) => boolean
  hidden: (path: string) => boolean
  name: (path: string) => string | undefined
  /** The words that the new file needs for it. */
  says?: (name: string) => RegExp
}

const SOURCES =
  /(?:^|\/)src\/[^/]+\/(?:java|kotlin|scala|groovy|resources)\/(.+\/[^/]+)\.(?:java|kt|scala|groovy|class)$/
const HEADER = /(?:^|\/)([^/]+\.(?:h|hh|hpp|hxx))$/
/** Tests and code often both have such headers of their own. */
const OF_ANY = /^(?:configs?|common|utils?|version|helpers?|types|debug|log(?:ging|ger)?|compat|test.*|.*mock.*)\./i
const CLASSES = /(?:^|\/)([^/]+)\.cs$/
const OF_PROGRAMS = /^(?:Program|Startup|GlobalUsings|Usings|AssemblyInfo)$/
const RUBY = /^(.*?)(?:lib|spec|test)\/(.+)\.rb$/
/** Jest takes such a mock at the root for a package by itself, here for one of the project's own. */
const MOCK = /^(?:.*\/)?__mocks__\/(?:@[\w.-]+\/)?([\w.-]+)\.[cm]?[jt]sx?$/
const PACKAGE = /\/([\w.-]+)\/package\.json$/
const TYPED = /(?<!\.d)\.[cm]?tsx?$/

const isOfTests = (path: string): boolean => isInTestFolder(path)
const isCode = (path: string): boolean => !isInTestFolder(path)

const rules: readonly Rule[] = [
  {
    candidate: (path) => path.endsWith('.py') && !/(?:^|\/)__init__\.py$/.test(path) && isOfTests(path),
    hidden: isCode,
    // The last two parts of a path.
    name: (path) => (/\/.*\.py$/.test(path) ? path.split('/').slice(-2).join('/') : undefined),
  },
  {
    // A package is found before a module.
    candidate: (path) => path.endsWith('/__init__.py') && isCode(path),
    hidden: (path) => !path.endsWith('/__init__.py') && isCode(path),
    name: (path) => (path.endsWith('.py') ? path.replace(/(?:\/__init__)?\.py$/, '') : undefined),
  },
  {
    candidate: (path) => SOURCES.test(path) && (isOfTests(path) || path.endsWith('.class')),
    hidden: (path) => isCode(path) && !path.endsWith('.class'),
    name: (path) => SOURCES.exec(path)?.[1],
  },
  {
    candidate: isOfTests,
    hidden: isCode,
    name: (path) => CLASSES.exec(path)?.[1],
    says: (name) =>
      OF_PROGRAMS.test(name) ? /(?!)/ : new RegExp(`\\b(?:class|struct|record|interface|enum) ${escaped(name)}\\b`),
  },
  {
    candidate: (path) => /(?:^|\/)(?:spec|test)\//.test(path),
    hidden: (path) => /^(?!.*(?:^|\/)(?:spec|test)\/)(?:.*\/)?lib\//.test(path),
    name: (path) => RUBY.exec(path)?.slice(1).join(''),
    says: () => /^(?:class|module|def) /,
  },
  {
    candidate: (path) => MOCK.test(path) && !/(?:^|\/)(?:src|lib)\//.test(path),
    hidden: (path) => PACKAGE.test(path) && isCode(path),
    name: (path) => (MOCK.exec(path) ?? PACKAGE.exec(path))?.[1],
  },
  {
    candidate: (path) => /\.[cm]?jsx?$/.test(path) && isCode(path),
    hidden: (path) => TYPED.test(path) && isCode(path),
    name: (path) => /^(.+?)(?<!\.d)\.[cm]?[jt]sx?$/.exec(path)?.[1],
  },
]

const escaped = (name: string): string => name.replace(/[^\w]/g, '\\$&')

/** One sentence for each file. @param read the patches of files among the tests */
export function foundFirst({ paths, fresh }: Around, read: readonly ChangedFile[]): string[] {
  if (fresh.size === 0) return []
  const patches = new Map(read.map((file) => [file.path, file]))
  const found = rules.flatMap((rule) => hiddenBy(rule, { paths, fresh }, patches))
  found.push(...headers(paths, fresh))
  return found.map(([path, own]) => `${shortName(path)} is found in the place of ${shortName(own)}`)
}

type Pairs = [string, string][]
type Places = Pick<Around, 'paths' | 'fresh'>

function hiddenBy(
  { candidate, hidden, name, says }: Rule,
  { paths, fresh }: Places,
  read: ReadonlyMap<string, ChangedFile>,
): Pairs {
  const candidates = [...fresh].flatMap((path) => {
    const own = candidate(path) ? name(path) : undefined
    return own === undefined ? [] : [{ path, own }]
  })
  if (candidates.length === 0) return []
  const others = new Map<string, string>()
  for (const path of paths) {
    const own = !fresh.has(path) && hidden(path) ? name(path) : undefined
    if (own !== undefined) others.set(own, path)
  }
  return candidates.flatMap(({ path, own }): Pairs => {
    const other = others.get(own)
    if (other === undefined || (says !== undefined && !isSaid(read.get(path), says(own)))) return []
    return [[path, other]]
  })
}

/** Whether the file has such a line, and no tests. */
function isSaid(file: ChangedFile | undefined, pattern: RegExp): boolean {
  const lines = file === undefined ? [] : patchLines(file.patch)
  return lines.some(({ plain }) => pattern.test(plain)) && !lines.some(({ plain }) => code.isDeclaration(plain))
}

/** A header beside sources of tests, which a quoted `#include` finds there first. */
function headers(paths: readonly string[], fresh: ReadonlySet<string>): Pairs {
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
  const candidates = [...fresh].filter((path) => HEADER.test(path) && isOfTests(path))
  if (candidates.length === 0) return []
  const withSources = new Set<string>()
  const own = new Map<string, string>()
  for (const path of paths) {
    if (fresh.has(path)) continue
    if (/\.(?:c|cc|cpp|cxx)$/.test(path) && isOfTests(path)) withSources.add(folderOf(path))
    const name = isCode(path) ? HEADER.exec(path)?.[1] : undefined
    if (name !== undefined) own.set(name, path)
  }
  return candidates.flatMap((path): Pairs => {
    const name = HEADER.exec(path)?.[1] ?? ''
    const other = withSources.has(folderOf(path)) && !OF_ANY.test(name) ? own.get(name) : undefined
    return other === undefined ? [] : [[path, other]]
  })
}
