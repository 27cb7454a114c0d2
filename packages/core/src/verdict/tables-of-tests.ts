import { isCodeFile } from '../files/names-of-tests.ts'

/*
 * Tables of cases in a file of their own, beside the tests: such a file asserts nothing and does not have the name of a
 * test, but its content is what tests expect.
 */

type Source = { path: string; text: string }

const DATA = /\.(?:csv|tsv|json|jsonl|ya?ml|txt|toml)$/
/** Settings, lists of packages, texts for people. */
const NO_DATA =
  /(?:^|\/)(?:package|tsconfig|jsconfig|composer|beadloom|requirements|Cargo|pyproject|README|CHANGELOG|LICEN[CS]E|pnpm-|\.)[^/]*$|\block\b/i

/** Whether a file may be a table by its name. */
export const mayBeTable = (path: string): boolean => isCodeFile(path) || (DATA.test(path) && !NO_DATA.test(path))

/** The line does something. */
const ACTS =
  /\b(?:return|if|for|while|def|func|function|fn|await|new|lambda|match|switch|raise|throw|impl|void)\b(?!["'])|=>|\|\||&&/
/** A row of two values or more: `[1, 2],`, `{"a", 2},`, `(1, 2),`, `case(1, 2)`. */
const ROW = /^[\w.]{0,40}[[({].*[,:].*[\])}],?;?$/
const COMMENT = /^(?:\/\/|#(?!include|define)|\/?\*|"""|--)/
const FEWEST_ROWS = 2
const MOST_LINES = 5000

/** Whether code consists only of rows and their names. */
export function isTable(text: string): boolean {
  const lines = text.split('\n', MOST_LINES).map((line) => line.trim().slice(0, 1000))
  const code = lines.filter((line) => line !== '' && !COMMENT.test(line))
  const bare = code.map((line) => line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, '""'))
  return bare.filter((line) => ROW.test(line)).length >= FEWEST_ROWS && !bare.some((line) => ACTS.test(line))
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const stemOf = (path: string): string => baseOf(path).replace(/\..*$/, '')
const DECLARES = /^(?:var|const) (\w+)\b/gm

/** The words by which other files name this one: its full name for data, its declarations in Go. */
function namesOf({ path, text }: Source): string[] {
  if (path.endsWith('.go')) return [...text.matchAll(DECLARES)].map(([, name = '']) => name)
  return isCodeFile(path) ? [stemOf(path)] : [baseOf(path)]
}

/** The words of a text, without lines that only declare a module. */
const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .replace(/^\s*(?:pub )?mod \w+;/gm, '')
      .match(/[\w-]+(?:\.[\w-]+)*/g)
      ?.flatMap(partsOf) ?? [],
  )
const partsOf = (word: string): string[] => [word, ...word.split('.')]

/**
 * The changed files that are tables and that only tests name. A file that is itself the subject of a test is none: a
 * table's tests also name other code.
 *
 * @param changed as of the commit where the work began, like all others
 */
export function tablesOfTests({
  changed,
  tests,
  code,
}: {
  changed: readonly Source[]
  tests: readonly Source[]
  code: readonly Source[]
}): string[] {
  const tables = changed.filter(({ path, text }) => !isCodeFile(path) || isTable(text))
  if (tables.length === 0) return []
  const ofTests = tests.map(({ text }) => wordsIn(text))
  const own = new Set(tables.map(({ path }) => path))
  const others = code.filter(({ path }) => !own.has(path))
  const ofCode = others.map(({ text }) => wordsIn(text))
  const stems = others.map(({ path }) => stemOf(path))
  return tables
    .filter((table) => {
      const names = namesOf(table)
      const isNamed = (words: ReadonlySet<string>): boolean => names.some((name) => words.has(name))
      const naming = ofTests.filter(isNamed)
      if (naming.length === 0 || ofCode.some(isNamed)) return false
      // A Go test is in the package of its subject, and does not name its file.
      return table.path.endsWith('.go') || naming.every((words) => stems.some((stem) => words.has(stem)))
    })
    .map(({ path }) => path)
}
