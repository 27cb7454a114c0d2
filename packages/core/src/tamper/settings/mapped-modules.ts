import { quotedLine } from '../finding-words.ts'
import { patchLines, removedTexts, type ChangedFile } from '../patch.ts'
import { PathEnds } from '../../files/path-ends.ts'
import { isTestCode, type Places } from '../project-modules.ts'
import { CodeOfTests, isCondition, leadsToTests } from './mapped-folders.ts'
import { turnsCode } from '../stand-ins/replaced-code.ts'

/*
 * Settings of runners and bundlers that give tests another file for one of the project's modules; and settings by which
 * the project's own code reports the results, or tests are repeated until they pass.
 */

const SETTINGS =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace)\.[\w.]+|jest\.config\.json|package\.json|babel\.config\.[\w.]+|\.babelrc(?:\.\w+)?|\.mocharc(?:\.\w+)?|(?:tsconfig|jsconfig)[^/]*\.json)$/

/** Whether a file may give modules other names, and is read for nothing else. */
export const mayMap = (path: string): boolean => /(?:^|\/)(?:tsconfig|jsconfig)[^/]*\.json$/.test(path)

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
const ENDINGS = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx']
const MOST_PAIRS = 200
/** A mapping of a name to a file, on one line: `"./cart": "./test/fake.ts"`, `find: /cart/, replacement: …`. */
const PAIR =
  /(?:["'`]([^"'`]{1,200})["'`]|([\w$]{1,100})|\/((?:[^/\\]|\\.){1,200})\/\w*) ?(?::|, ?replacement ?:) ?[^"'`,{]{0,40}(?:__dirname, ?|\(|, ?)?["'`]([^"'`]{1,300}\.(?:[cm]?[jt]sx?|vue|svelte))["'`]/g

/** The code of a commit, for all settings files. Each index is made on first use. */
export class CodeOfCommit {
  readonly #paths: readonly string[]
  readonly #fresh: ReadonlySet<string>
  readonly #standIns = new Map<boolean, PathEnds>()
  #named: ReadonlyMap<string, readonly string[]> | null = null
  #hasFirst: boolean | null = null
  #tests: CodeOfTests | null = null

  /** @param fresh the paths that are new in it */
  constructor(paths: readonly string[], fresh: ReadonlySet<string>) {
    this.#paths = paths
    this.#fresh = fresh
  }

  /** The test file with this end; also a new file, if new ones may stand in for others. */
  standIn(end: string, mayBeNew: boolean): string | undefined {
    const standIns =
      this.#standIns.get(mayBeNew) ??
      new PathEnds(
        this.#paths.filter((path) => CODE.test(path) && (isTestCode(path) || (mayBeNew && this.#fresh.has(path)))),
      )
    this.#standIns.set(mayBeNew, standIns)
    return standIns.find(end)
  }

  /** Whether there is code of this name that is neither a test nor this file. */
  hasOther(name: string, file: string): boolean {
    this.#named ??= twoOfEachName(this.#paths)
    return this.#named.get(name)?.some((path) => path !== file) === true
  }

  get tests(): CodeOfTests {
    this.#tests ??= new CodeOfTests(this.#paths)
    return this.#tests
  }

  /** Whether there is code outside of tests with the name of this file. */
  hasTwin(path: string): boolean {
    return namesOf(path).some((name) => name !== 'index' && this.hasOther(name, path))
  }

  /** Whether an extension makes a new file win over an existing one: `src/cart.fast.ts` over `src/cart.ts`. */
  hasFoundFirst(known: Places): boolean {
    this.#hasFirst ??= [...this.#fresh].some((path) => {
      if (!CODE.test(path) || isTestCode(path)) return false
      const bare = path.replace(/\.[\w-]+(?=\.[cm]?[jt]sx?$)/, '')
      if (bare !== path && known.has(bare)) return true
      const stem = path.replace(/\.[a-z]+$/, '')
      return ENDINGS.some((ending) => known.has(`${stem}.${ending}`) && !this.#fresh.has(`${stem}.${ending}`))
    })
    return this.#hasFirst
  }
}

/** Code outside of tests by name, two paths for each: at least one is not the file in question. */
function twoOfEachName(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>()
  for (const path of paths) {
    if (!CODE.test(path) || isTestCode(path)) continue
    for (const name of namesOf(path)) {
      const others = named.get(name)
      if (others === undefined) named.set(name, [path])
      else if (others.length < 2) others.push(path)
    }
  }
  return named
}

/** `cart` for `src/cart.ts`, and for `src/cart/index.ts`. */
function namesOf(path: string): string[] {
  const bare = path.replace(/\.[a-z]+$/, '')
  if (bare === path) return []
  const [name = '', folder = ''] = bare.split('/').slice(-2).reverse()
  return name === 'index' ? [name, folder] : [name]
}

/** Sentences about one file of settings. */
export function mappedModules(
  { path, patch, status }: ChangedFile,
  name: string,
  code: CodeOfCommit,
  known: Places,
): string[] {
  if (status === 'D' || !SETTINGS.test(path)) return []
  const lines = patchLines(patch)
  const former = removedTexts(lines)
  const added = lines.filter(({ sign, plain }) => sign === '+' && !former.has(plain) && !/^(?:\/\/|\*)/.test(plain))
  const mayBeNew = !/(?:^|\/)package\.json$/.test(path)
  const pairs = added.filter(({ plain }) => plain.search(PAIR) >= 0).slice(0, MOST_PAIRS)
  const first = added.find(({ plain }) => FIRST.test(plain))
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const hasTwin = (one: string): boolean => code.hasTwin(one)
  const found =
    pairs.find(({ plain }) => isMapped(plain, code, mayBeNew)) ??
    pairs.find((line) => !mayBeNew && isCondition(lines, lines.indexOf(line)) && isTwinOfTests(line.plain, code)) ??
    added
      .slice(0, MOST_PAIRS)
      .find(({ plain }) => ALIAS.test(plain) && leadsToTests(plain, folder, code.tests, hasTwin)) ??
    added.find(({ plain }) => LOADS.test(plain) && turnsCode(plain, known)) ??
    (first && code.hasFoundFirst(known) ? first : undefined)
  if (found !== undefined)
    return [`${name} puts another file in the place of code that tests are about (${quotedLine(found.plain)})`]
  const reporter = added.find(({ plain }) => REPORTER.test(plain))
  if (reporter !== undefined && !lines.some(({ sign, plain }) => sign === '-' && REPORTER.test(plain)))
    return [`${name} has something of its own write down what tests find (${quotedLine(reporter.plain)})`]
  return []
}

/** Whether the value of an entry is test code with the name of other code. */
function isTwinOfTests(plain: string, code: CodeOfCommit): boolean {
  const end = /"\.{1,2}\/([^"]{1,300})",?$/.exec(plain)?.[1]?.replace(/^(?:\.{1,2}\/)+/, '')
  const file = end === undefined ? undefined : code.standIn(end, false)
  return file !== undefined && code.hasTwin(file)
}

/** A line that may have an alias: a name in quotes or a word, and a text with a slash. */
const ALIAS = /["'`\w$] ?: ?[^,]{0,120}["'`][^"'`]*\//
/** An inline plugin. */
const LOADS = /\b(?:load|transform|resolveId)\b/
/** Settings that choose between several files for an import. */
const FIRST = /\b(?:extensions|moduleFileExtensions|moduleSuffixes|mainFields|conditions)["']? ?[:=] ?\[/

const REPORTER = /["']?\breporters?["']? ?[:=] ?\[{0,2} ?["'](?:\.{1,2}\/|<rootDir>)|--(?:test-)?reporter[= ]\.{1,2}\//

function isMapped(plain: string, code: CodeOfCommit, mayBeNew: boolean): boolean {
  for (const [, quoted, bare, pattern, target = ''] of plain.matchAll(PAIR)) {
    const end = target.replace(/^(?:<rootDir>|\.{1,2}|\$\w+)?\/+|^(?:\.{1,2}\/)+/, '')
    const file = code.standIn(end, mayBeNew)
    if (file === undefined) continue
    const key = (quoted ?? bare ?? pattern ?? '').replace(/\.[cm]?[jt]sx?(?=\W*$)|\\/g, '')
    const stem = /([\w-]{2,100})\W*$/.exec(key)?.[1]
    if (stem === undefined) continue
    // `"./cart": "./src/cart.ts"` is its real place.
    if (namesOf(file).includes(stem) && !isTestCode(file)) continue
    if (code.hasOther(stem, file)) return true
  }
  return false
}
