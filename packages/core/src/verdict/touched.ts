import { testBlocks } from '../tamper/blocks.ts'
import { inlineTests, mayHoldTests } from '../tamper/names-of-tests.ts'
import { formerPath, patchLines, type ChangedFile, type PatchLine } from '../tamper/patch.ts'
import { lostRows } from '../tamper/unreached.ts'
import { wordsIn } from './names.ts'

/** A test whose first line a change takes away or adds. `parts`: the words of a name that is made, between what it is made of. */
export type Declared = { title: string; parts: readonly string[] | null }

/** What a change does to the tests of one file. */
export type TouchedFile = {
  path: string
  /** Of one that was renamed, its former path. */
  former: string | null
  deleted: boolean
  removed: readonly Declared[]
  added: readonly Declared[]
  /** Rows that its tables of tests lost. */
  rows: number
  /** Names of what it takes away that examples in the documentation may be about, and whether it takes away an example. */
  documented: ReadonlySet<string>
  examples: boolean
}

/** Written with values: "adds %i and %i", `adds ${a}`, "adds {0}", "adds $a", "adds <a>", "adds #{a}". */
const VALUE = /%(?:\d+\$)?[a-zA-Z#]|#?\$?\{[^{}]{0,100}\}|\$\w+|<\w+>/
/** The name goes on behind its quotes. */
const JOINED = /["'`]\s*(?:\+|<>|\.\.|%)|(?:\+|<>|\.\.)\s*["'`]|\bf["']/
const ITEM = /\b(?:fn|struct|enum|trait|type|const|static|union|mod|macro_rules!) (\w+)/
const MOST_NAMES = 2000

export function touchedFile(file: ChangedFile): TouchedFile {
  const former = formerPath(file)
  const lines = patchLines(file.patch, mayHoldTests(file.path) ? inlineTests : undefined)
  const { removed, added } = testBlocks(lines)
  const gone = patchLines(file.patch).filter(({ sign }) => sign === '-')
  return {
    path: file.path,
    former: former === file.path ? null : former,
    deleted: file.status === 'D',
    removed: removed.map(declared),
    added: added.map(declared),
    rows: lostRows(lines),
    documented: itemsIn(gone),
    examples: gone.some(({ plain }) => /^\/\/[/!] ?```/.test(plain)),
  }
}

function declared({ title, lines: [first = ''] }: { title: string; lines: readonly string[] }): Declared {
  const parts = title.split(VALUE).filter((part) => part !== '')
  const made = (VALUE.test(title) || JOINED.test(first)) && wordsIn(parts.join(' ')).length >= SHORTEST_MADE
  return { title: wordsIn(title), parts: made ? parts : null }
}

/** With less of it in the source, a name that is made says nothing. */
const SHORTEST_MADE = 4

const itemsIn = (lines: readonly PatchLine[]): Set<string> =>
  new Set(lines.flatMap(({ plain }) => ITEM.exec(plain)?.[1] ?? []).slice(0, MOST_NAMES))
