import { testChange } from './changed-tests.ts'
import { shortName } from './finding-words.ts'
import { isCodeFile, isInTestFolder, isSnapshot, isTestFile, mayHoldTests } from '../files/names-of-tests.ts'
import { patchLines, type ChangedFile, type PatchLine } from './patch.ts'
import { SCRIPT } from './project-modules.ts'
import * as code from './words.ts'

/*
 * Changed expected values in existing tests. A change of behaviour looks like this, and so does a test that was bent to
 * fit the code. Words alone cannot tell, so this is reported to people and refuses nothing.
 */

const LITERAL =
  /"(?:[^"\\]|\\.){0,500}"|'(?:[^'\\]|\\.){0,500}'|`[^`]{0,500}`|(?<![\w$])-?\d[\w.]*|\b(?:true|false|True|False|null|nil|None|undefined|NaN)\b/g
const VALUE = '·'
/** Several values in a row count as one: a list may get longer. */
const SEVERAL = /·(?:\s*,\s*·)+/g
const WANTED = /\b(?:want|expect|exp|should)\w*\b["']?\s*(?::?=|:)/i
const COMPARED = /^(?:if|assert|unless)\b.*(?:[!=]==?|\bis\b)/
/** A row of a table: `[1, 2, 3],`, `{1, 2, 3},`, `| 1 | 2 |`, `(1, 2),`, `@CsvSource`'s strings. */
const ROW = /^(?:[[({].*[\])}],?|\|.*\||[\w"']+:\s*[[({].*[\])}],?)$/
/** A line that expects the lines below it. */
const OPENS = /[([{,`]$/
const NEAR = 4

/** The number of changed values in one file, and the first of them. */
export type ChangedValues = { path: string; count: number; before: string; now: string }

export function changedValues(files: readonly ChangedFile[]): ChangedValues[] {
  return files.flatMap((file) => {
    if (file.status === 'A' || file.status === 'D') return []
    if (!isTestFile(file.path) && !mayHoldTests(file.path) && !isSnapshot(file.path) && !isInSource(file)) return []
    const change = testChange(file, [])
    const fresh = new Set(change.blocks.added.map(({ title }) => title))
    for (const { title } of change.blocks.removed) fresh.delete(title)
    const ofOld = (line: PatchLine) => !fresh.has(change.blocks.ownerOf.get(line) ?? '')
    const isValue = isSnapshot(file.path) ? () => true : (at: number) => saysWhat(change.lines, at)
    const found = [
      ...pairs(change.lines.map((line, at) => (line.sign === ' ' || !ofOld(line) || !isValue(at) ? null : line))),
      ...(file.path.endsWith('.rs') ? pairs(inExamples(file)) : []),
    ]
    const [first] = found
    return first === undefined ? [] : [{ path: file.path, count: found.length, ...first }]
  })
}

/** Whether code may have tests of Vitest within it. */
const isInSource = ({ path, patch }: ChangedFile): boolean => SCRIPT.test(path) && /^[+-]\s*expect\(/m.test(patch)

/** The assertions in examples of Rust's documentation, as code. */
const inExamples = ({ patch }: ChangedFile): (PatchLine | null)[] =>
  patchLines(patch).map((line) => {
    const plain = /^\/\/[/!] ?(.+)$/.exec(line.plain)?.[1]
    return line.sign === ' ' || plain === undefined || !code.isAssertion(plain) ? null : { ...line, plain }
  })

/** Pairs of a removed and an added line that differ only in values. */
function pairs(lines: readonly (PatchLine | null)[]): { before: string; now: string }[] {
  const gone = new Map<string, string[]>()
  const came = new Set(lines.flatMap((line) => (line?.sign === '+' ? [line.plain] : [])))
  const went = new Set(lines.flatMap((line) => (line?.sign === '-' ? [line.plain] : [])))
  for (const line of lines)
    if (line?.sign === '-' && !came.has(line.plain)) {
      const form = formOf(line.plain)
      const known = gone.get(form)
      if (known === undefined) gone.set(form, [line.plain])
      else known.push(line.plain)
    }
  return lines.flatMap((line) => {
    if (line?.sign !== '+' || went.has(line.plain)) return []
    const before = gone.get(formOf(line.plain))?.shift()
    return before === undefined ? [] : [{ before, now: line.plain }]
  })
}

const formOf = (plain: string): string => withoutAnswer(plain.replace(LITERAL, VALUE)).replace(SEVERAL, VALUE)

/** The answer that an assertion of a yes or a no expects, in its own name: `assertFalse(`, `assert not`, `refute`. */
const withoutAnswer = (form: string): string =>
  form
    .replace(/\b(REQUIRE|CHECK)(?:_FALSE)?\(/, `$1${VALUE}(`)
    .replace(/(?:[tT]rue|[fF]alse|TRUE|FALSE|Truthy|Falsy)(?= ?\()/g, VALUE)
    .replace(/\b(assert|XCTAssert)(?:Not)?In\(/, `$1${VALUE}In(`)
    .replace(/^(?:assert|refute)(?: not)? (?=\S)/, `assert ${VALUE} `)
    .replace(/^(?:assert|refute)_(?=\w)/, `assert_${VALUE}`)
    .replace(/^(assert(?:\.ok)?!?\( ?)!?(?=\w)/, `$1${VALUE} `)
    .replace(/ (?:not )?in (?=\S)/, ` ${VALUE}in `)
    .replace(/\.(?:Not)?Contains\(|\.(?:contains|doesNotContain)\(/, `.${VALUE}contains(`)
    .replace(/(?:\.not)?\.(?=to[A-Z])|(?:\.not)?\.to(?:_not)? |\.not_to |(?:\.not\.to|\.to(?:\.not)?)\./, `.${VALUE}`)

/** Whether a line has an expected value, alone or as the end of the lines above. */
function saysWhat(lines: readonly PatchLine[], at: number): boolean {
  const plain = lines[at]?.plain ?? ''
  const form = formOf(plain)
  if (!form.includes(VALUE)) return false
  if (code.isAssertion(plain) || WANTED.test(plain) || COMPARED.test(plain) || ROW.test(plain)) return true
  if (!/^[·\s,;:()[\]{}]*$/.test(form)) return false
  return lines
    .slice(Math.max(0, at - NEAR), at)
    .some((line) => OPENS.test(line.plain) && (code.isAssertion(line.plain) || WANTED.test(line.plain)))
}

/** Files that tests compare their results with: no code, but with such a name or folder. */
const EXPECTED =
  /\.(?:golden|expected|approved|snap|out|ref|baseline)(?:\.\w{1,8})?$|(?:^|\/)(?:goldens?|expected|snapshots?|baselines?)\//i

/** Texts and settings beside tests. */
const NO_RESULT =
  /(?:^|\/)(?:README|CHANGELOG|LICEN[CS]E|CONTRIBUTING|Dockerfile|Makefile|CMakeLists|package(?:-lock)?\.json|tsconfig|requirements|\.)[^/]*$|\.(?:toml|lock|ini|cfg|cmake)$/i

/** Whether a path looks like results that tests compare theirs with. */
export const isResult = (path: string): boolean => EXPECTED.test(path) && !isCodeFile(path)

/** Changed files with expected results: their new content may be a bent test, or a new behaviour. */
export const changedResults = (files: readonly Pick<ChangedFile, 'path' | 'status'>[]): string[] =>
  files.flatMap(({ path, status }) =>
    status === 'M' &&
    !isCodeFile(path) &&
    !isSnapshot(path) &&
    !NO_RESULT.test(path) &&
    (isInTestFolder(path) || EXPECTED.test(path))
      ? [path]
      : [],
  )

/** "files that tests read have other content now: testdata/a.golden, …"; null: none has. */
export function changedResultsText(paths: readonly string[]): string | null {
  if (paths.length === 0) return null
  const more = paths.length > MOST_FILES ? `, and ${paths.length - MOST_FILES} more` : ''
  return `files that tests read have other content now: ${paths.slice(0, MOST_FILES).map(shortName).join(', ')}${more}`
}

const MOST_FILES = 5
const LONGEST = 80

/** "tests that were there expect other values now: a.test.ts (2, as …)"; null: none does. */
export function changedValuesText(values: readonly ChangedValues[]): string | null {
  if (values.length === 0) return null
  const shown = values.slice(0, MOST_FILES).map(({ path, count, before, now }) => {
    const [former, present] = [before, now].map((line) =>
      line
        .replace(/\p{Cc}/gu, '?')
        .slice(0, LONGEST)
        .toWellFormed(),
    )
    return `${shortName(path)} (${count}: \`${former}\` is \`${present}\`)`
  })
  const more = values.length > shown.length ? `, and ${values.length - shown.length} more files` : ''
  return `tests that were there expect other values now: ${shown.join(', ')}${more}`
}
