import type { PatchLine } from '../patch.ts'
import { joined, isTestCode } from '../project-modules.ts'

/*
 * Aliases without a file's ending: of a whole folder, of a module by its bare name, or of one name by a condition. Where
 * they lead to test code that has the names of the project's own, that is loaded instead.
 */

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
const ENDING = /\.(?:d\.)?[a-z]+$/
/** A name and what it stands for, maybe the first of several: `"@/*": ["./test/fakes/*", "./src/*"]`. */
const PAIR =
  /(?:["'`]([^"'`]{1,200})["'`]|([\w$]{1,60})) ?: ?(?:\[ ?|new URL\(|[\w.]{1,40}\([^"'`]{0,60})?["'`]((?:<rootDir>|\.{0,2})\/?[\w@-][^"'`]{0,300})["'`]/g
/** The tests' own folders may have such a name. */
const OF_TESTS = /test|fake|mock|stub|fixture|spec|e2e/i
const MOST_FOLDERS = 50
const MOST_BELOW = 500

/** The test code of a commit, by folder. */
export class CodeOfTests {
  readonly #tests: readonly string[]
  readonly #all: ReadonlySet<string>
  readonly #below = new Map<string, readonly string[]>()

  constructor(paths: readonly string[]) {
    this.#tests = paths.filter((path) => CODE.test(path) && isTestCode(path))
    this.#all = new Set(this.#tests)
  }

  /** The file with this path, if only its ending is missing. */
  of(bare: string): string | undefined {
    return ['ts', 'js', 'tsx', 'jsx', 'mjs', 'cjs', 'mts', 'vue']
      .map((end) => `${bare}.${end}`)
      .find((path) => this.#all.has(path))
  }

  below(folder: string): readonly string[] {
    const known = this.#below.get(folder)
    if (known) return known
    if (this.#below.size >= MOST_FOLDERS) return []
    const found = this.#tests.filter((path) => path.startsWith(`${folder}/`)).slice(0, MOST_BELOW)
    this.#below.set(folder, found)
    return found
  }
}

/**
 * Whether a new line leads a name to test code in this way.
 *
 * @param folder of the settings
 * @param hasTwin whether the project has other code of the same name
 */
export function leadsToTests(
  plain: string,
  folder: string,
  code: CodeOfTests,
  hasTwin: (path: string) => boolean,
): boolean {
  for (const [, quoted, bare, target = ''] of plain.matchAll(PAIR)) {
    if (OF_TESTS.test(quoted ?? bare ?? '')) continue
    const own = target.replace(/^<rootDir>\/?|^\/workspace\//, '').replace(/\/?(?:\*+|\$1)$|\/$/, '')
    if (own === '' || own.startsWith('/') || ENDING.test(own)) continue
    const path = joined(folder.split('/').filter(Boolean), own.split('/'))
    const file = code.of(path)
    if (file !== undefined && hasTwin(file)) return true
    if (code.below(path).some(hasTwin)) return true
  }
  return false
}

/** Within `imports`, `exports` or an entry of them, where a word is a condition. */
const ENTRY = /^"(?:imports|exports|[#.@][^"]{0,200})" ?: ?\{/
const OTHER = /^"(?:scripts|bin|files|config|dependencies|devDependencies|engines|directories)" ?: ?[{[]/

/** Whether a line of package.json is a condition of an entry: `"test": "./test/fakes/cart.js"`. */
export function isCondition(lines: readonly PatchLine[], at: number): boolean {
  if (!/^"[\w-]{1,60}" ?: ?"\.{1,2}\//.test(lines[at]?.plain ?? '')) return false
  for (let up = at - 1; up >= 0 && up >= at - 40; up--) {
    const line = lines[up]
    if (!line || line.sign === '-') continue
    if (ENTRY.test(line.plain)) return true
    if (OTHER.test(line.plain)) return false
  }
  return false
}
