import type { ToolTests } from '../digest/tests-run.ts'
import { containerOf } from './names.ts'
import { belongsToTests, isTestedCode } from '../tamper/tamper.ts'

/*
 * Where a part of the suite cannot run on the base, nobody knows what it would have said about the work. What such a
 * part covers is told by its name and by what it imports; where neither says, it may be anything.
 */

/** A part of the suite that did not run. `imports`: the words of its import lines, where its file can be read. */
export type Unrun = { part: string; imports: string }

/** The parts that could not run on the base and did not run now; `stopped`: a runner ended at its first failure there. */
export function unrunIn(
  base: readonly ToolTests[],
  now: readonly ToolTests[],
): { parts: string[]; stopped: readonly string[] } {
  const lacking = new Set(base.flatMap(({ unrun }) => unrun))
  const still = new Set(now.flatMap(({ unrun }) => unrun))
  // What could run now, whatever it said, has been looked at: the file itself, or tests of the crate or the file.
  const ran = new Set(
    now.flatMap(({ units }) => units.flatMap(([name]) => [name, partOf(name), containerOf(name) ?? name].map(plain))),
  )
  const stopped = base.filter((one) => one.stopped && !now.some((same) => same.tool === one.tool && !same.stopped))
  return {
    parts: [...lacking].filter((part) => still.has(part) || !ran.has(plain(part))).toSorted(),
    stopped: stopped.map(({ tool }) => tool),
  }
}

const partOf = (name: string): string => name.split(/::| /, 1)[0] ?? name
const plain = (name: string): string => name.replaceAll('-', '_')

/**
 * The parts of the suite that a change would have to pass, and that could not run.
 *
 * @param changed paths that the change touches
 * @param all paths of the commit: a part that is about none of them may be about any
 */
export function partsFor(parts: readonly Unrun[], changed: readonly string[], all: readonly string[]): string[] {
  const code = changed.filter((path) => isTestedCode(path) && !belongsToTests(path))
  if (code.length === 0) return []
  const known = namesOf(all.filter((path) => isTestedCode(path) && !belongsToTests(path)))
  const touched = namesOf(code)
  return parts.flatMap(({ part, imports }) => {
    const words = [...wordsOf(part, imports)]
    const isAbout = (names: ReadonlySet<string>) => words.some((word) => names.has(word))
    return isAbout(touched) || !isAbout(known) ? [part] : []
  })
}

/** Tests that could not run, by their name. `files`: which of the heads are of files that it may be. */
export type UnreadPart = { part: string; files: readonly number[] }

/** The same for parts whose files' beginnings are at hand. A part without a name may be about anything. */
export function partsByHeads({
  parts,
  heads,
  changed,
  all,
}: {
  parts: readonly UnreadPart[]
  heads: readonly string[]
  changed: readonly string[]
  all: readonly string[]
}): string[] {
  const imports = heads.map(importsOf)
  const ofFiles = (files: readonly number[]): string => {
    let text = ''
    for (const file of files) {
      if (text.length > LONGEST_TEXT) break
      text += `${imports[file] ?? ''}\n`
    }
    return text
  }
  return partsFor(
    parts.map(({ part, files }) => ({ part, imports: ofFiles(files) })),
    changed,
    all,
  )
}

/** Lines that take in other files, in the languages that a test is written in. */
const importsOf = (text: string): string =>
  text
    .split('\n', 2000)
    .filter((line) => /^\s*(?:import|from|use|using|require|#include|(?:const|let|var)\b.*\brequire\()/.test(line))
    .join('\n')
    .slice(0, LONGEST_TEXT)

/** "the tests of tests/test_b64.py did not run": why work is not checked. */
export const notCheckedText = (part: string): string =>
  `the tests of ${part.replace(/\p{Cc}/gu, '?').slice(0, 160)} could not run on the base`

/** @param what a check */
export const silentText = (what: string): string =>
  `no test of ${what.replace(/\p{Cc}/gu, '?').slice(0, 160)} is known to have run on the base`

export const stoppedText = (what: string): string =>
  `${what.replace(/\p{Cc}/gu, '?').slice(0, 160)} ends at its first failure, which the base has too, so the tests behind that did not run`

/** A longer name says nothing that its parts do not say. */
const MOST_WORDS = 200
/** In the name of nearly any file, and in nearly any import. */
const TOO_COMMON = new Set(
  (
    'test tests spec src lib main index init core internal pkg com org io github example unit integration the from ' +
    'import const require use using as java js ts py go rs cpp os sys re json typing pytest unittest self node fs path'
  ).split(' '),
)

const LONGEST_WORD = 200
const LONGEST_TEXT = 20_000

/** What a name is made of: `tests/test_b64.py` → b64. */
function wordsOf(part: string, imports: string): Set<string> {
  const words = `${part} ${imports}`
    .slice(0, LONGEST_TEXT)
    .toLowerCase()
    .replace(/\b(?:test|spec)s?[_.-]|[_.-](?:test|spec)s?\b/g, ' ')
    .split(/[^a-z0-9_-]+/)
    .flatMap((word) => [word.replaceAll('-', '_'), ...word.split('-')])
    // Trimming costs the square of a word of nothing but underscores.
    .flatMap((word) => (word.length > LONGEST_WORD ? [] : [word.replace(/^_+|_+$/g, '')]))
    .filter((word) => word.length > 1 && !TOO_COMMON.has(word))
  return new Set(words.slice(0, MOST_WORDS))
}

/** What these paths may be called by: each file without the ending, and each folder that one of them is in. */
function namesOf(paths: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const path of paths) {
    const parts = path.toLowerCase().replaceAll('-', '_').split('/')
    const last = (parts.pop() ?? '').replace(/\.\w+$/, '')
    for (const part of parts) names.add(part)
    names.add(last)
  }
  return names
}
