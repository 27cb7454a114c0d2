import { newTests } from './blocks.ts'
import type { TestChange } from './changed-tests.ts'
import { quotedLine, shortName } from './finding-words.ts'
import { isInTestFolder, isTestFile } from './names-of-tests.ts'
import { patchLines, type ChangedFile } from './patch.ts'
import { SCRIPT } from './project-modules.ts'

/*
 * A test in a browser that writes the page which it looks at: the page is given to it as a text, an answer of the server's is made
 * up whole, a script of the test's own changes what is shown.
 */

const BROWSER = /\bpage\b|\bcy\.|\bbrowser\.|\bcontext\.route\b/

const WRITES = /\.setContent\(|\.fulfill\(.*\b(?:text\/html|body: ?["'`]\s*<)|\bcy\.intercept\(.*["'`]\s*</
/** A script in the page, and what it sets. */
const STARTS = /\b(?:evaluate|addInitScript|executeScript)\b|\$eval\b/
const SETS = /\.(?:textContent|innerHTML|innerText|outerHTML)\b ?!?\)? ?= ?[^=]/

const writes = (plain: string): boolean => WRITES.test(plain) || (STARTS.test(plain) && SETS.test(plain))

/** Says one sentence for each file. `files`: of the change, where new helpers of its tests are, too. */
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
  // A `test` of the project's own in the place of the library's: each page is made by it.
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
