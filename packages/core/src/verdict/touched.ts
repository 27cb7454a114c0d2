import { testBlocks, type Blocks } from '../tamper/blocks.ts'
import { inlineTests, mayHoldTests } from '../files/names-of-tests.ts'
import { stoppedExample } from '../tamper/doc-examples.ts'
import { formerPath, patchLines, type ChangedFile, type PatchLine } from '../tamper/patch.ts'
import { lostRows } from '../tamper/reach/lost-rows.ts'
import * as code from '../tamper/words.ts'
import { wordsIn } from './names.ts'

/** A test whose first line a change removes or adds. `parts`: the words between the values of a made name. */
export type Declared = { title: string; parts: readonly string[] | null }

/** The changes to the tests of one file. */
export type TouchedFile = {
  path: string
  /** The former path, if it was renamed. */
  former: string | null
  deleted: boolean
  removed: readonly Declared[]
  added: readonly Declared[]
  /** Former tests that are now marked to be skipped. */
  skipped: readonly Declared[]
  /** Lost rows of its tables of tests. */
  rows: number
  /** Removed names that examples in the documentation may be about; and whether an example was removed. */
  documented: ReadonlySet<string>
  examples: boolean
}

/** A name with values: "adds %i and %i", `adds ${a}`, "adds {0}", "adds $a", "adds <a>", "adds #{a}". */
const VALUE = /%(?:\d+\$)?[a-zA-Z#]|#?\$?\{[^{}]{0,100}\}|\$\w+|<\w+>/
/** The name continues after its quotes. */
const JOINED = /["'`]\s*(?:\+|<>|\.\.|%)|(?:\+|<>|\.\.)\s*["'`]|\bf["']/
const ITEM = /\b(?:fn|struct|enum|trait|type|const|static|union|mod|macro_rules!) (\w+)/
const MOST_NAMES = 2000

export function touchedFile(file: ChangedFile): TouchedFile {
  const former = formerPath(file)
  const lines = patchLines(file.patch, mayHoldTests(file.path) ? inlineTests : undefined)
  const blocks = testBlocks(lines)
  const { removed, added } = blocks
  const gone = patchLines(file.patch).filter(({ sign }) => sign === '-')
  return {
    path: file.path,
    former: former === file.path ? null : former,
    deleted: file.status === 'D',
    removed: removed.map(declared),
    added: added.map(declared),
    skipped: skippedIn(file.path, lines, blocks),
    rows: lostRows(lines),
    documented: itemsIn(gone),
    // An example that only no longer runs is still there.
    examples:
      gone.some(({ plain }) => /^\/\/[/!] ?```/.test(plain)) && stoppedExample(patchLines(file.patch)) === undefined,
  }
}

function skippedIn(path: string, lines: readonly PatchLine[], { ownerOf, removed, added }: Blocks): Declared[] {
  const fresh = new Set(added.map(({ title }) => title))
  for (const { title } of removed) fresh.delete(title)
  const titles = lines.flatMap((line, at) => {
    const marker = line.sign === '+' ? code.skipMarker(path, line.plain) : null
    if (marker === null || marker === 'only') return []
    const title = isAbove(line.plain) ? titleBelow(lines, at) : (ownerOf.get(line) ?? '')
    return title === '' || fresh.has(title) ? [] : [title]
  })
  return [...new Set(titles)].map((title) => declared({ title, lines: [] }))
}

/** `@Disabled`, `#[ignore]`, `@pytest.mark.skip`, `[Ignore]`: marks of the test below. */
const isAbove = (plain: string): boolean => /^(?:@|#\[|\[)/.test(plain) && !code.isDeclaration(plain)

function titleBelow(lines: readonly PatchLine[], at: number): string {
  for (const { sign, plain } of lines.slice(at + 1, at + 8)) {
    if (sign === '-') continue
    const title = code.functionOf(plain) ?? (code.isDeclaration(plain) ? code.titleOf(plain) : '')
    if (title !== '') return title
  }
  return ''
}

/** The titles, in words, of tests whose names are in a text of code. */
export const titlesIn = (text: string): string[] =>
  text.split('\n', MOST_LINES).flatMap((line) => {
    const plain = line.trim().slice(0, 1000)
    const title = code.isDeclaration(plain) ? code.titleOf(plain) : ''
    return title === '' || VALUE.test(title) || JOINED.test(plain) ? [] : [wordsIn(title)]
  })

const MOST_LINES = 20_000

function declared({ title, lines: [first = ''] }: { title: string; lines: readonly string[] }): Declared {
  const parts = title.split(VALUE).filter((part) => part !== '')
  const made = (VALUE.test(title) || JOINED.test(first)) && wordsIn(parts.join(' ')).length >= SHORTEST_MADE
  return { title: wordsIn(title), parts: made ? parts : null }
}

/** With fewer characters in the source, a made name says nothing. */
const SHORTEST_MADE = 4

const itemsIn = (lines: readonly PatchLine[]): Set<string> =>
  new Set(lines.flatMap(({ plain }) => ITEM.exec(plain)?.[1] ?? []).slice(0, MOST_NAMES))
