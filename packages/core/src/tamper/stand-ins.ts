import { quotedLine, shortName } from './finding-words.ts'
import { isInTestFolder, isTestFile } from './names-of-tests.ts'
import { formerPath, type ChangedFile, type PatchLine } from './patch.ts'
import * as code from './words.ts'

/*
 * Tests that are all there and no longer test the project: something stands in for its code. It is imported from a new file,
 * defined in the test itself, mocked in the test that is about it, or found first because it lies in a folder of tests.
 */

/** `paths`: of the commit with the change. `fresh`: those that are new in it. */
export type Around = { paths: readonly string[]; fresh: ReadonlySet<string> }

type Import = { names: readonly string[]; from: string }
type Tests = { file: ChangedFile; lines: readonly PatchLine[] }

const SCRIPT = /\.[cm]?[jt]sx?$/
const PYTHON = /\.py$/
/** Around a mock: the rest of the module stays what it is. */
const PARTLY = /importActual|requireActual|importOriginal|createMockFromModule|\bspy: true|\.\.\./
const NEAR = 12

/** One sentence for each file. */
export function standIns(tests: readonly Tests[], around: Around): string[] {
  const known = new Places(around.paths)
  return tests.flatMap(({ file, lines }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const found =
      importedElsewhere(file, lines, around, known) ?? definedHere(file, lines, known) ?? mocked(file, lines, known)
    return found === undefined
      ? []
      : [`${shortName(file.path)} has something of its own in the place of what it tests (${quotedLine(found)})`]
  })
}

/** Code in a folder of tests that is found before the project's own of the same name. One sentence for each file. */
export function shadows({ paths, fresh }: Around): string[] {
  const candidates = [...fresh].filter((path) => /\.(?:py|java|kt)$/.test(path) && isInTestFolder(path))
  if (candidates.length === 0) return []
  const others = new Map<string, string>()
  for (const path of paths) if (!isInTestFolder(path)) others.set(nameInTree(path), path)
  return candidates.flatMap((path) => {
    const name = nameInTree(path)
    const own = name.includes('/') && !/(?:^|\/)__init__\.py$/.test(path) ? others.get(name) : undefined
    return own === undefined ? [] : [`${shortName(path)} is found in the place of ${shortName(own)}`]
  })
}

/** As it is imported: `com/shop/Cart.java` below a folder of sources, the last two parts of a path of Python. */
const nameInTree = (path: string): string =>
  PYTHON.test(path)
    ? path.split('/').slice(-2).join('/')
    : (/(?:^|\/)src\/[^/]+\/(?:java|kotlin)\/(.*)$/.exec(path)?.[1] ?? '')

/** Which files of a commit an import may mean. */
class Places {
  readonly #all: ReadonlySet<string>
  readonly #modules = new Map<string, string>()

  constructor(paths: readonly string[]) {
    this.#all = new Set(paths)
    for (const path of paths) {
      if (!PYTHON.test(path)) continue
      const module = path.replace(/(?:\/__init__)?\.py$/, '')
      const parts = module.split('/')
      for (let from = Math.max(0, parts.length - 6); from < parts.length; from++)
        if (!this.#modules.has(parts.slice(from).join('/'))) this.#modules.set(parts.slice(from).join('/'), path)
    }
  }

  /** The file that an import in a test means; undefined: none of the project's. */
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
      return beside.flatMap((name) => this.#modules.get(name) ?? [])[0]
    }
    const path = [...folder.slice(0, folder.length - dots + 1), ...parts].join('/')
    return [`${path}.py`, `${path}/__init__.py`].find((one) => this.#all.has(one))
  }
}

function joined(folder: readonly string[], parts: readonly string[]): string {
  const path = [...folder]
  for (const part of parts)
    if (part === '..') path.pop()
    else if (part !== '.') path.push(part)
  return path.join('/')
}

function importIn(path: string, plain: string): Import | null {
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

function importedElsewhere(
  file: ChangedFile,
  lines: readonly PatchLine[],
  { fresh }: Around,
  known: Places,
): string | undefined {
  const [gone, came] = (['-', '+'] as const).map((sign) =>
    lines.flatMap((line) => {
      const found = line.sign === sign ? importIn(file.path, line.plain) : null
      return found === null ? [] : [{ ...found, plain: line.plain }]
    }),
  )
  const before = formerPath(file)
  return came?.find((now) => {
    const target = known.of(file.path, now.from)
    if (target === undefined || !fresh.has(target)) return false
    return gone?.some((was) => {
      const shared = was.names.length + now.names.length === 0 || was.names.some((name) => now.names.includes(name))
      const former = known.of(before, was.from)
      if (!shared || was.from === now.from || former === undefined || former === target) return false
      // A helper of the tests may be another one; what the code itself became is tested where it is now.
      return !isTestCode(former) && isTestCode(target)
    })
  })?.plain
}

const isTestCode = (path: string): boolean => isTestFile(path) || isInTestFolder(path)

/** What assertions call. */
const calls = (lines: readonly PatchLine[], name: string): boolean => {
  const call = new RegExp(`(?<![\\w.$])${name.replace(/[.$]/g, '\\$&')}\\(`)
  return lines.some(({ sign, plain }) => sign !== '-' && code.isAssertion(plain) && call.test(plain))
}

function importedFrom(
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

const DEFINED = /^(?:export )?(?:async )?(?:function\*?|const|let|var|class|def) (\w+)\b|^(\w+) = (?!\2\b)/

function definedHere(file: ChangedFile, lines: readonly PatchLine[], known: Places): string | undefined {
  const names = importedFrom(file, lines, known, ' -')
  if (names.size === 0) return undefined
  return lines.find(({ sign, plain }) => {
    const found = sign === '+' && importIn(file.path, plain) === null ? DEFINED.exec(plain) : null
    const name = found?.[1] ?? found?.[2]
    return name !== undefined && names.has(name) && calls(lines, name)
  })?.plain
}

const MOCKS = /\b(?:jest|vi)\.(?:mock|doMock|setMock|unstable_mockModule)\((?:import\()?["'](\.[^"']{1,300})["']/
const SPIES =
  /\b(?:jest|vi|sinon|t\.mock|mock)\.(?:spyOn|stub|method|replace)\((\w+), ?["'](\w+)["']|\bmonkeypatch\.setattr\((\w+), ?["'](\w+)["']|\bpatch\.object\((\w+), ?["'](\w+)["']|^(\w+)\.(\w+) = /

function mocked(file: ChangedFile, lines: readonly PatchLine[], known: Places): string | undefined {
  const names = importedFrom(file, lines, known, ' ')
  if (names.size === 0) return undefined
  return lines.find(({ sign, plain }, at) => {
    if (sign !== '+') return false
    const module = MOCKS.exec(plain)?.[1]
    if (module !== undefined) {
      const below = lines.slice(at, at + NEAR).filter((line) => line.sign !== '-')
      if (below.some((line) => PARTLY.test(line.plain))) return false
      return [...names].some(([name, { from }]) => from === module && calls(lines, name))
    }
    const [owner, member] = (SPIES.exec(plain)?.slice(1) ?? []).filter(Boolean)
    return owner !== undefined && member !== undefined && names.has(owner) && calls(lines, `${owner}.${member}`)
  })?.plain
}
