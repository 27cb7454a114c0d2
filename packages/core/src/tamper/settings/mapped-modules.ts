import { quotedLine } from '../finding-words.ts'
import { patchLines, type ChangedFile } from '../patch.ts'
import { isTestCode, type Places } from '../project-modules.ts'
import { turnsCode } from '../replaced-code.ts'

/*
 * Settings of runners and bundlers that give tests another file for one of the project's modules, and settings that have
 * something of the project's own write down what the tests found, or try them until they pass.
 */

const SETTINGS =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace)\.[\w.]+|jest\.config\.json|package\.json|babel\.config\.[\w.]+|\.babelrc(?:\.\w+)?|\.mocharc(?:\.\w+)?|(?:tsconfig|jsconfig)[^/]*\.json)$/

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
const MOST_PAIRS = 200
/** What leads from a name to a file, on one line: `"./cart": "./test/fake.ts"`, `find: /cart/, replacement: …`. */
const PAIR =
  /(?:["'`]([^"'`]{1,200})["'`]|([\w$]{1,100})|\/((?:[^/\\]|\\.){1,200})\/\w*) ?(?::|, ?replacement ?:) ?[^"'`,{]{0,40}(?:__dirname, ?|\(|, ?)?["'`]([^"'`]{1,300}\.(?:[cm]?[jt]sx?|vue|svelte))["'`]/g

/** Sentences about one file of settings. `paths`: of the commit; `fresh`: those that are new in it. */
export function mappedModules(
  { path, patch, status }: ChangedFile,
  name: string,
  { paths, fresh }: { paths: readonly string[]; fresh: ReadonlySet<string> },
  known: Places,
): string[] {
  if (status === 'D' || !SETTINGS.test(path)) return []
  const lines = patchLines(patch)
  const former = new Set(lines.filter(({ sign }) => sign === '-').map(({ plain }) => plain))
  const added = lines.filter(({ sign, plain }) => sign === '+' && !former.has(plain) && !/^(?:\/\/|\*)/.test(plain))
  const isStandIn = (one: string) => isTestCode(one) || (fresh.has(one) && !/(?:^|\/)package\.json$/.test(path))
  const code = paths.filter((one) => CODE.test(one))
  const [standIns, own] = [code.filter(isStandIn), code.filter((one) => !isTestCode(one))]
  const pairs = added.filter(({ plain }) => plain.search(PAIR) >= 0).slice(0, MOST_PAIRS)
  const first = added.find(({ plain }) => FIRST.test(plain))
  const found =
    pairs.find(({ plain }) => isMapped(plain, standIns, own)) ??
    added.find(({ plain }) => LOADS.test(plain) && turnsCode(plain, known)) ??
    (first && [...fresh].some((one) => isFoundFirst(one, own)) ? first : undefined)
  if (found !== undefined)
    return [`${name} puts another file in the place of code that tests are about (${quotedLine(found.plain)})`]
  const reporter = added.find(({ plain }) => REPORTER.test(plain))
  if (reporter !== undefined && !lines.some(({ sign, plain }) => sign === '-' && REPORTER.test(plain)))
    return [`${name} has something of its own write down what tests find (${quotedLine(reporter.plain)})`]
  return []
}

/** A plugin that is written where it is used. */
const LOADS = /\b(?:load|transform|resolveId)\b/
/** Which of several files an import means. */
const FIRST = /\b(?:extensions|moduleFileExtensions|moduleSuffixes|mainFields|conditions)["']? ?[:=] ?\[/

/** `src/cart.fast.ts` beside `src/cart.ts`. */
const isFoundFirst = (path: string, own: readonly string[]): boolean => {
  const bare = path.replace(/\.[\w-]+(?=\.[cm]?[jt]sx?$)/, '')
  return bare !== path && CODE.test(path) && own.includes(bare)
}

const REPORTER = /["']?\breporters?["']? ?[:=] ?\[{0,2} ?["'](?:\.{1,2}\/|<rootDir>)|--(?:test-)?reporter[= ]\.{1,2}\//

function isMapped(plain: string, standIns: readonly string[], own: readonly string[]): boolean {
  for (const [, quoted, bare, pattern, target = ''] of plain.matchAll(PAIR)) {
    const end = target.replace(/^(?:<rootDir>|\.{1,2}|\$\w+)?\/+|^(?:\.{1,2}\/)+/, '')
    const file = standIns.find((one) => one === end || one.endsWith(`/${end}`))
    if (file === undefined) continue
    const key = (quoted ?? bare ?? pattern ?? '').replace(/\.[cm]?[jt]sx?(?=\W*$)|\\/g, '')
    const stem = /([\w-]{2,100})\W*$/.exec(key)?.[1]
    if (stem === undefined) continue
    // `"./cart": "./src/cart.ts"` is where it is.
    const called = new RegExp(`(?:^|/)${stem}(?:/index)?\\.[a-z]+$`)
    if (called.test(file) && !isTestCode(file)) continue
    if (own.some((one) => one !== file && called.test(one))) return true
  }
  return false
}
