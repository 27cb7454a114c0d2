import { isAsked, type Removals } from '../asked.ts'
import { counted } from '../../text/count-text.ts'
import { quotedLine, shortName } from '../finding-words.ts'
import { lossesOf, type Balance } from '../moved-lines.ts'
import { isComment } from '../words.ts'
import { plainText } from '../patch.ts'
import { failingOf } from './can-fail.ts'
import { followed } from './followed.ts'
import type { Failing, Part, Unit } from './units.ts'

/** The files that the checks may start, before and after the work; null: there is none with this path. */
export type StartedFiles = {
  before: readonly (readonly [string, string | null])[]
  after: readonly (readonly [string, string | null])[]
  pathsBefore?: readonly string[]
  pathsAfter?: readonly string[]
  /** Files after the work that are too long to be read, or are no longer files. */
  unread?: readonly string[]
}

type Side = { parts: Part[]; byPath: Map<string, Failing> }

function sideOf(commands: readonly string[], files: StartedFiles['before'], paths: readonly string[] = []): Side {
  const { parts } = followed(commands, new Map(files), paths)
  const byPath = new Map<string, Failing>()
  for (const part of parts) {
    const { units, stops, decides } = failingOf(part)
    const known = byPath.get(part.path)
    if (known === undefined) byPath.set(part.path, { units: [...units], stops, decides })
    else known.units.push(...units)
  }
  return { parts, byPath }
}

/** `changed`: files that the work edits; `isLeft`: what others judge. */
type Judging = { removals?: Removals; changed?: readonly string[]; isLeft?: (path: string) => boolean }

/** The ways in which files that the checks start can fail less than before, one sentence for each file. */
export function weakerStarts(
  commands: readonly string[],
  files: StartedFiles,
  { removals = [], changed = [], isLeft = () => false }: Judging = {},
): string[] {
  const before = sideOf(commands, files.before, files.pathsBefore)
  const after = sideOf(commands, files.after, files.pathsAfter)
  const texts = new Map(files.after)
  const unread = new Set(files.unread)
  const lines = new Set([...after.byPath].flatMap(([, { units }]) => units.map(({ text }) => text)))
  const words = wordsOfNew(before, after)
  const balances = (isOne: (unit: Unit) => boolean): Balance[] =>
    [...new Set([...before.byPath.keys(), ...after.byPath.keys()])].map((path) => {
      const [old, now] = [before, after].map((side) => distinct(side.byPath.get(path)?.units ?? [], isOne))
      return balanceOf(path, old ?? [], now ?? [], { words, isWanted: (line) => isAsked(removals, { path, line }) })
    })
  const [all, strong, exact] = [
    lossesOf(balances(() => true)),
    lossesOf(balances(({ strength }) => strength !== 'call')),
    lossesOf(balances(({ strength }) => strength === 'exact')),
  ]
  const found: string[] = []
  for (const [path, { units, stops, decides }] of before.byPath) {
    if (isLeft(path)) continue
    const name = `${shortName(path)}, which a check starts,`
    const now = after.byPath.get(path)
    const gone = units.filter(({ text }) => !lines.has(text))
    const first = gone.find(({ strength }) => strength !== 'call') ?? gone[0]
    const example = first === undefined ? '' : `: ${quotedLine(first.text.trim())}`
    const lost = strong.get(path) ?? 0
    if (unread.has(path)) found.push(`${name} could not be read`)
    else if (now === undefined && (lost > 0 || all.has(path)) && typeof texts.get(path) !== 'string')
      found.push(`${name} was deleted`)
    else if (lost > 0) found.push(`${name} lost ${counted(lost, 'assertion')}${example}`)
    else if (all.has(path)) found.push(`${name} no longer runs ${counted(all.get(path) ?? 0, 'command')}${example}`)
    else if (exact.has(path)) found.push(`${name} compares less exactly${example}`)
    else if (now !== undefined && stops && !now.stops && units.length > 1)
      found.push(`${name} no longer ends with its first failure`)
    else if (now !== undefined && decides && !now.decides && !now.stops && units.length > 0)
      found.push(`${name} no longer ends as its last command does`)
  }
  return found.length > 0 ? found : unnamed(before, after, changed)
}

/** Programs that the work changes, which the checks named and do not name any more. */
function unnamed(before: Side, after: Side, changed: readonly string[]): string[] {
  const [old, now] = [before, after].map(({ parts }) => new Set(parts.flatMap(({ lines }) => lines.flatMap(namesIn))))
  const own = new Set([...before.byPath.keys(), ...after.byPath.keys()])
  const lost = changed.filter((path) => {
    const last = path.slice(path.lastIndexOf('/') + 1)
    return !own.has(path) && last.includes('.') && old?.has(last) === true && now?.has(last) !== true
  })
  return lost
    .slice(0, 3)
    .map((path) => `the files that a check starts no longer name ${shortName(path)}, which changed`)
}

const namesIn = (line: string): string[] =>
  isComment(line) ? [] : (line.slice(0, 2000).match(/[\w-]+(?:\.[\w-]+)+/g) ?? [])

const distinct = (units: readonly Unit[], isOne: (unit: Unit) => boolean): string[] => [
  ...new Set(units.filter(isOne).map(({ text }) => text)),
]

type How = { words: ReadonlySet<string>; isWanted: (line: string) => boolean }

/** Lost and gained places; cases that became rows of a loop are not lost. */
function balanceOf(path: string, old: string[], now: string[], { words, isWanted }: How): Balance {
  const [there, here] = [new Set(now), new Set(old)]
  const gained = now.filter((text) => !here.has(text))
  const lost = old.filter((text) => !there.has(text) && !isWanted(text))
  if (gained.length === 0) return { path, lost, gained }
  const missing = lost.filter((text) => !valuesOf(text).every((word) => words.has(word)) || valuesOf(text).length === 0)
  return missing.length < lost.length && lost.length > gained.length
    ? { path, lost: missing, gained: gained.slice(1) }
    : { path, lost, gained }
}

/** Values and names of files, which stay the same if a case becomes a row. */
const valuesOf = (text: string): string[] =>
  text.match(/\d+(?:\.\d+)?|[\w-]+(?:\.[\w-]+)+|(?<=["'])[\w-]+(?=["'])/g) ?? []

/** Values in lines that the work added to started files. */
function wordsOfNew(before: Side, after: Side): Set<string> {
  const old = new Set(before.parts.flatMap(({ lines }) => lines.map(plainText)))
  const fresh = after.parts.flatMap(({ lines }) =>
    lines.filter((line) => !old.has(plainText(line)) && !isComment(line)),
  )
  return new Set(fresh.flatMap((line) => line.slice(0, 2000).match(/[\w-]+(?:\.[\w-]+)+|\w+|-?\d+(?:\.\d+)?/g) ?? []))
}

/** Started files with other lines than before, without comments and moved ones; null: there is none. */
export function changedStarts(commands: readonly string[], files: StartedFiles): string | null {
  const sides = [
    sideOf(commands, files.before, files.pathsBefore),
    sideOf(commands, files.after, files.pathsAfter),
  ].map(({ parts }) =>
    parts.map(({ path, lines }) => ({ path, lines: lines.filter((line) => !isComment(line)).map(plainText) })),
  )
  const [before = [], after = []] = sides
  const now = new Set(after.flatMap(({ lines }) => lines))
  const paths = [...new Set(before.filter(({ lines }) => lines.some((line) => !now.has(line))).map(({ path }) => path))]
  if (paths.length === 0) return null
  const more = paths.length > 5 ? `, and ${paths.length - 5} more` : ''
  return `files that a check starts changed: ${paths.slice(0, 5).map(shortName).join(', ')}${more}`
}
