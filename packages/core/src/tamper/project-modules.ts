import { ClassFiles } from './stand-ins/class-files.ts'
import { isInTestFolder, isTestFile } from '../files/names-of-tests.ts'
import type { ChangedFile, PatchLine } from './patch.ts'
import { PathEnds } from '../files/path-ends.ts'

/* Finds the files of a commit that the imports of a test, or of code that runs before it, refer to. */

export type Import = { names: readonly string[]; from: string }

export const SCRIPT = /\.[cm]?[jt]sx?$/
const PYTHON = /\.py$/

export const isTestCode = (path: string): boolean => isTestFile(path) || isInTestFolder(path)

/** Finds the file of a commit that an import refers to. */
export class Places {
  readonly #all: ReadonlySet<string>
  readonly classes: ClassFiles
  /** Few changes look for a module of Python, so each index is made on first use. */
  #modules: ReadonlyMap<string, string> | null = null
  #scripts: PathEnds | null = null
  #shadowed: PathEnds | null = null

  constructor(paths: readonly string[]) {
    this.#all = new Set(paths)
    this.classes = new ClassFiles(this.#all)
  }

  has(path: string): boolean {
    return this.#all.has(path)
  }

  #module(name: string): string | undefined {
    this.#modules ??= modulesIn(this.#all)
    return this.#modules.get(name)
  }

  /** The file that an import in a test refers to; undefined: none of the project's. */
  of(test: string, from: string): string | undefined {
    const folder = test.split('/').slice(0, -1)
    if (SCRIPT.test(test)) {
      if (!/^\.{1,2}\//.test(from)) return undefined
      const path = joined(folder, from.split('/'))
      const bare = path.replace(/\.[cm]?jsx?$/, '')
      const ends = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '/index.ts', '/index.js', '/index.tsx']
      return [path, ...ends.map((end) => `${path}${end}`), ...ends.map((end) => `${bare}${end}`)].find((one) =>
        this.#all.has(one),
      )
    }
    const dots = /^\.*/.exec(from)?.[0].length ?? 0
    const parts = from.slice(dots).split('.').filter(Boolean)
    if (dots === 0) {
      const beside = [[...folder, ...parts].join('/'), parts.join('/')]
      return beside.flatMap((name) => this.#module(name) ?? [])[0]
    }
    const path = [...folder.slice(0, folder.length - dots + 1), ...parts].join('/')
    return [`${path}.py`, `${path}/__init__.py`].find((one) => this.#all.has(one))
  }

  /** Whether the project has JavaScript code with this end, after any folders: `../src/cart`. */
  hasCodeAt(text: string): boolean {
    const bare = text.replace(/^(?:\.{0,2}\/)+/, '').replace(SCRIPT, '')
    if (!/^[\w@.-]+\/[\w@./-]+$/.test(bare)) return false
    this.#scripts ??= new PathEnds(scriptsIn(this.#all))
    return this.#scripts.find(bare) !== undefined
  }

  /** Whether a folder that Python searches first has a module that the project also has elsewhere. */
  isShadowed(folder: string): boolean {
    this.#shadowed ??= new PathEnds(shadowedIn(this.#all))
    return this.#shadowed.find(folder.replace(/^(?:\.{0,2}\/)+|\/+$/g, '')) !== undefined
  }

  /** The project's own code that a full Python name begins with: `shop.cart.total` is in `shop/cart.py`. */
  whole(name: string): string | undefined {
    const parts = name.split('.', 12)
    for (let count = parts.length; count > 0; count--) {
      const module = parts.slice(0, count).join('/')
      const path = this.#module(module)
      if (path === undefined) continue
      // `subprocess` is not the module of that name within a package.
      const folder = path.replace(/(?:\/__init__)?\.py$/, '').slice(0, -module.length)
      if (!this.#all.has(`${folder}__init__.py`)) return path
    }
    return undefined
  }
}

/** Modules by the last parts of their names. */
function modulesIn(paths: ReadonlySet<string>): ReadonlyMap<string, string> {
  const modules = new Map<string, string>()
  for (const path of paths) {
    if (!PYTHON.test(path)) continue
    const parts = path.replace(/(?:\/__init__)?\.py$/, '').split('/')
    for (let from = Math.max(0, parts.length - 6); from < parts.length; from++) {
      const name = parts.slice(from).join('/')
      if (!modules.has(name)) modules.set(name, path)
    }
  }
  return modules
}

/** The project's own JavaScript as imports name it: without the extension, and by the folder for its index. */
function* scriptsIn(paths: ReadonlySet<string>): Generator<string> {
  for (const path of paths) {
    if (!SCRIPT.test(path) || isTestCode(path)) continue
    const bare = path.replace(SCRIPT, '')
    yield bare
    if (bare.endsWith('/index')) yield bare.slice(0, -'/index'.length)
  }
}

/** The number of last names of a module's path that are compared with others. */
const MOST_NAMES = 12

/** Folders with a Python module, in a folder of its own, that the project also has elsewhere by the same name. */
function shadowedIn(paths: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    if (!PYTHON.test(path) || path.endsWith('__init__.py')) continue
    let end = path.lastIndexOf('/')
    for (let names = 2; names <= MOST_NAMES && end > 0; names++) {
      end = path.lastIndexOf('/', end - 1)
      if (end <= 0) break
      const name = path.slice(end + 1)
      if ([name, `src/${name}`].some((one) => one !== path && paths.has(one))) folders.add(path.slice(0, end))
    }
  }
  return folders
}

/** The path of a name relative to a folder: `a`, `../b//c` → `b/c`. */
export function joined(folder: readonly string[], parts: readonly string[]): string {
  const path = [...folder]
  for (const part of parts)
    if (part === '..') path.pop()
    else if (part !== '.' && part !== '') path.push(part)
  return path.join('/')
}

/** The names and the source of an import in a line of JavaScript or Python. */
export function importIn(path: string, plain: string): Import | null {
  if (SCRIPT.test(path)) {
    const [, what = '', from] =
      /^(?:import (?!type\b)(.{1,500}?)|\}) from ["']([^"']{1,300})["'];?$/.exec(plain) ??
      /^(?:const|let|var) (.{1,500}?) = (?:await )?(?:require|import)\(["']([^"']{1,300})["']\);?$/.exec(plain) ??
      []
    return from === undefined ? null : { names: namesIn(what, /\b(?:as|:) ?(\w+)$|(\w+)$/), from }
  }
  if (!PYTHON.test(path)) return null
  const [, module, what = ''] = /^from ([\w.]{1,200}) import \(?(.{0,500}?)\)?$/.exec(plain) ?? []
  if (module !== undefined) return { names: namesIn(what, /(\w+)$/), from: module }
  const [, whole, called] = /^import ([\w.]{1,200})(?: as (\w+))?$/.exec(plain) ?? []
  return whole === undefined ? null : { names: [called ?? whole], from: whole }
}

const namesIn = (what: string, last: RegExp): string[] =>
  what
    .replace(/[{}*()]/g, ' ')
    .split(',')
    .flatMap((one) => last.exec(one.trim())?.slice(1).find(Boolean) ?? [])

/** Imports of code outside of tests, in lines with these signs. */
export function importedFrom(
  file: ChangedFile,
  lines: readonly PatchLine[],
  known: Places,
  signs: string,
): Map<string, Import> {
  const found = new Map<string, Import>()
  for (const { sign, plain } of lines) {
    const one = signs.includes(sign) ? importIn(file.path, plain) : null
    if (one === null) continue
    const target = known.of(file.path, one.from)
    if (target !== undefined && !isTestCode(target)) for (const name of one.names) found.set(name, one)
  }
  return found
}
