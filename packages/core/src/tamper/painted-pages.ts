import { newTests } from './blocks.ts'
import type { TestChange } from './changed-tests.ts'
import { quotedLine, shortName } from './finding-words.ts'
import { isInTestFolder, isTestFile } from '../files/names-of-tests.ts'
import { patchLines, type ChangedFile } from './patch.ts'
import { SCRIPT } from './project-modules.ts'

/*
 * A test in a browser that writes the page that it checks: it loads the page from a text, makes up a whole answer of
 * the server, or changes the page by a script.
 */

const BROWSER = /\bpage\b|\bcy\.|\bbrowser\.|\bcontext\.route\b/

const WRITES = /\.setContent\(|\.fulfill\(.*\b(?:text\/html|body: ?["'`]\s*<)|\bcy\.intercept\(.*["'`]\s*</
/** A script in the page, and the parts that it sets. */
const STARTS = /\b(?:evaluate|addInitScript|executeScript)\b|\$eval\b/
const SETS = /\.(?:textContent|innerHTML|innerText|outerHTML)\b ?!?\)? ?= ?[^=]/

const writes = (plain: string): boolean => WRITES.test(plain) || (STARTS.test(plain) && SETS.test(plain))

/** One sentence for each file. `files`: the files of the change, with new helpers of its tests. */
export function paintedPages(tests: readonly TestChange[], files: readonly ChangedFile[]): string[] {
  const changed = tests.flatMap(({ file, lines, blocks }) => {
    if (file.status === 'D' || file.status === 'A' || !SCRIPT.test(file.path)) return []
    if (!lines.some(({ plain }) => BROWSER.test(plain))) return []
    const fresh = newTests(blocks)
    const former = lines.some(({ sign, plain }) => sign !== '+' && writes(plain))
    const found = former
      ? undefined
      : lines.find((line) => line.sign === '+' && !fresh.has(blocks.ownerOf.get(line) ?? '') && writes(line.plain))
    return found === undefined ? [] : [sentence(file.path, found.plain)]
  })
  // If the project's own `test` replaces the library's, it may make every page.
  const isOwn = tests.some(
    ({ file, lines }) =>
      file.status === 'M' &&
      lines.some(({ sign, plain }) => sign === '-' && /from ["']@playwright\/test["']/.test(plain)) &&
      lines.some(({ sign, plain }) => sign === '+' && /\btest\b.*from ["']\.{1,2}\//.test(plain)),
  )
  if (!isOwn) return changed
  const brought = files.flatMap(({ path, status, patch }) => {
    if (status !== 'A' || !SCRIPT.test(path) || !(isTestFile(path) || isInTestFolder(path))) return []
    const found = patchLines(patch).find(({ plain }) => writes(plain))
    return found === undefined ? [] : [sentence(path, found.plain)]
  })
  return [...changed, ...brought]
}

const sentence = (path: string, line: string): string =>
  `${shortName(path)} writes the page that its tests look at (${quotedLine(line)})`
