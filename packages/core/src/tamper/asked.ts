import { hasEndIn } from '../files/path-ends.ts'

/*
 * The removals that a bead asks for, judged by words: a sentence begins with "remove", "delete", … and names the
 * subject of the test. A vague sentence ("remove the failing test") asks for nothing.
 */

/** One such sentence: the words that it names, reduced to their stems, and its quotes. */
type Removal = { words: ReadonlySet<string>; quoted: readonly string[] }
export type Removals = readonly Removal[]

/** `line` is set if only that line of the test was removed. */
export type Target = { path: string; title?: string; line?: string }

const MOST_TEXT = 20_000
const MOST_CLAUSES = 500

const begins = String.raw`^(?:[-*+•>#\s]|\d+[.)]|\[[ x]\]|\w+(?:\([\w ./-]+\))?:\s|(?:please|also|then|and|we (?:should|must|can)|let's|it is time to|todo:?|to do:?)\s)*`
const removing = String.raw`(?:remove|delete|drop|retire|rip out|get rid of|prune|eliminate|discard)`
const silencing = String.raw`(?:skip|disable|quarantine|ignore|mute|xfail|relax|loosen)`
const first = new RegExp(`${begins}(?:${removing})\\s+(.*)$`, 'i')
const ofTests = new RegExp(
  `(?:^|\\W)(?:${removing}|${silencing})\\s+(.*\\b(?:tests?|specs?|test cases?|assertions?|suites?)\\b.*)$`,
  'i',
)
const negated =
  /\b(?:don'?t|do not|never|must not|should ?n[o']t|may not|cannot|can'?t|without|instead of|rather than|avoid|not to|no need to)\b/i
const preposition =
  /\s(?:from|in|of|for|to|with|by|because|since|as|so|when|until|which|that|and|but|now|after|before)\s|,\s|\s[—–-]\s/i

/** Words that identify nothing. */
const empty = new Set(
  'the a an all any every its their our this that these those old existing obsolete outdated unused stale orphaned leftover dead flaky failing broken red redundant duplicate duplicated support feature code file files test tests spec specs case cases suite suites assertion assertions unit also please it them and or module function method class endpoint command option flag field property column button page route now altogether entirely completely ts js py go rs java rb php cs kt src lib main'.split(
    ' ',
  ),
)

/** @param text a person's words: the bead's title and description, and the note for an execution */
export function removalsIn(text: string): Removals {
  const clauses = text
    .slice(0, MOST_TEXT)
    .split(/[.;!?](?=\s|$)|\n/)
    .slice(0, MOST_CLAUSES)
  return clauses.flatMap((clause) => {
    const plain = clause.trim().slice(0, 500)
    const rest = first.exec(plain)?.[1] ?? ofTests.exec(plain)?.[1]
    if (rest === undefined || negated.test(plain)) return []
    const [object = '', ...places] = rest.split(preposition)
    const named = stemsOf(object)
    const place = stemsOf(places[0] ?? '')
    // "The snapshots of the CSV export" names only some of them.
    const words = isBare(named) ? new Set([...named, ...place]) : named.size > 0 ? named : place
    const quotes = quotesIn(object)
    const quoted = quotes.length > 0 || named.size > 0 ? quotes : quotesIn(rest)
    return words.size > 0 || quoted.length > 0 ? [{ words, quoted }] : []
  })
}

const isBare = (words: ReadonlySet<string>): boolean => words.size === 1 && words.has(SNAPSHOT)
const SNAPSHOT = 'snapshot'

/** Leaves out "remove the obsolete snapshots", which names none. */
export const withNames = (removals: Removals): Removals =>
  removals.filter(({ words, quoted }) => quoted.length > 0 || !isBare(words))

/** Whether one of them asks to remove snapshots, without a name. */
export const asksForSnapshots = (removals: Removals): boolean => removals.some(({ words }) => isBare(words))

/** Whether one of them asks for this removal. */
export function isAsked(removals: Removals, target: Target): boolean {
  if (removals.length === 0) return false
  const { quotes, isEndOf, names, byWord } = indexOf(removals)
  const { path, title = '', line = '' } = target
  if (isEndOf(path) || quotes.has(title)) return true
  if (names.size > 0 && [title, line].some((text) => namesIn(text).some((name) => names.has(name)))) return true
  if (byWord.size === 0) return false
  const own = stemsOf([path.split('/').slice(-2).join(' '), title, line].join(' '))
  for (const word of own)
    for (const words of byWord.get(word) ?? []) if ([...words].every((one) => own.has(one))) return true
  return false
}

/** An index of the sentences: a task may have many, and a change may have many lines that look them up. */
type Index = {
  quotes: ReadonlySet<string>
  isEndOf: (path: string) => boolean
  /** Quoted names of functions, tests and fields, each a possible word of a line. */
  names: ReadonlySet<string>
  /** By their first words. */
  byWord: ReadonlyMap<string, readonly ReadonlySet<string>[]>
}

const indexes = new WeakMap<Removals, Index>()

function indexOf(removals: Removals): Index {
  const former = indexes.get(removals)
  if (former) return former
  const quotes = new Set(removals.flatMap(({ quoted }) => quoted))
  const names = [...quotes].filter((quote) => /^[\w$.-]{3,}(?:\(\))?$/.test(quote))
  const byWord = new Map<string, ReadonlySet<string>[]>()
  for (const { words } of removals) {
    const [first] = words
    if (first === undefined) continue
    const known = byWord.get(first)
    if (known === undefined) byWord.set(first, [words])
    else known.push(words)
  }
  const index: Index = {
    quotes,
    isEndOf: hasEndIn(quotes),
    names: new Set(names.map((name) => name.replace(/\(\)$/, ''))),
    byWord,
  }
  indexes.set(removals, index)
  return index
}

/** Words of a line, and the parts of those with dots. */
const namesIn = (text: string): string[] =>
  text.split(/[^\w$.-]+/).flatMap((word) => (word.includes('.') ? [word, ...word.split('.')] : [word]))

/** Quoted texts, texts in back-ticks, and words that look like paths. */
function quotesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]{1,200})`|"([^"]{1,200})"|“([^”]{1,200})”/g)].map(
    (found) => found[1] ?? found[2] ?? found[3] ?? '',
  )
  const paths = text.split(/[\s`"“”()]+/).filter((word) => /^[\w@.-]+(?:\/[\w@.-]+)*\.\w{1,6}$/.test(word))
  // A test's name counts without quotes, too.
  const words = text.split(/[\s,;:]+/).map((word) => word.replace(/[.!?)]+$/, ''))
  const tests = words.filter((word) => /^(?:test_\w+|Test[A-Z]\w*|test[A-Z]\w*)$/.test(word))
  return [...quoted, ...paths, ...tests].filter((word) => word.trim() !== '')
}

/** Words of a text or a name (`CsvExportTest`, `csv_export`), without endings. */
function stemsOf(text: string): Set<string> {
  const words = text
    .slice(0, 2000)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return new Set(words.filter((word) => word.length > 1 && !empty.has(word)).map(stem))
}

const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ing|ies|ed|es|er|s|e|y)$/, '') : word.replace(/s$/, '')
