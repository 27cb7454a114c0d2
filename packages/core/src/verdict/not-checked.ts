import type { ToolTests } from '../digest/tests-run.ts'
import { containerOf } from './names.ts'
import { belongsToTests, isTestedCode } from '../tamper/tamper.ts'

/*
 * If a part of the suite cannot run on the base, its verdict on the work is unknown. Its name and its imports show
 * which code it covers; if neither does, it may cover anything.
 */

/** A part of the suite that did not run. `imports`: the words of its import lines, if its file can be read. */
export type Unrun = { part: string; imports: string }

/**
 * The parts that ran neither on the base nor now. `opaque`: programs that fail on both without naming a test: something
 * else may fail in them now. `stopped`: runners that ended there at their first failure.
 */
export function unrunIn(
  base: readonly ToolTests[],
  now: readonly ToolTests[],
): { parts: string[]; opaque: string[]; stopped: readonly string[] } {
  const lacking = new Set(base.flatMap(({ unrun }) => unrun))
  const still = new Set(now.flatMap(({ unrun }) => unrun))
  // Parts that ran now, whatever the result: the file itself, or tests of the crate or the file.
  const ran = new Set(
    now.flatMap(({ units }) => units.flatMap(([name]) => [name, partOf(name), containerOf(name) ?? name].map(plain))),
  )
  const failed = new Set(now.flatMap(({ opaque = [] }) => opaque))
  const stopped = base.filter((one) => one.stopped && !now.some((same) => same.tool === one.tool && !same.stopped))
  return {
    parts: [...lacking].filter((part) => still.has(part) || !ran.has(plain(part))).toSorted(),
    opaque: base.flatMap(({ opaque = [] }) => opaque.filter((program) => failed.has(program))),
    stopped: stopped.map(({ tool }) => tool),
  }
}

const partOf = (name: string): string => name.split(/::| /, 1)[0] ?? name
const plain = (name: string): string => name.replaceAll('-', '_')

/**
 * The parts of the suite that cover a change, and that could not run.
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

/** Tests that could not run, by name. `files`: the indexes of the heads of files that it may be. */
export type UnreadPart = { part: string; files: readonly number[] }

/** The same with the beginnings of files. A part without a name may be about anything. */
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

/** Lines that import other files, in the languages of tests. */
const importsOf = (text: string): string =>
  text
    .split('\n', 2000)
    .filter((line) => /^\s*(?:import|from|use|using|require|#include|(?:const|let|var)\b.*\brequire\()/.test(line))
    .join('\n')
    .slice(0, LONGEST_TEXT)

/** "the tests of tests/test_b64.py could not run on the base": why work is not checked. */
export const notCheckedText = (part: string): string =>
  `the tests of ${part.replace(/\p{Cc}/gu, '?').slice(0, 160)} could not run on the base`

/** "cart fails on the base, and …": why work on what this program covers is not checked. */
export const opaqueText = (program: string): string =>
  `${program.replace(/\p{Cc}/gu, '?').slice(0, 160)} fails on the base, and does not name which of its tests do`

/** Folders that a change touches, among those whose tests no check runs. */
export function leftFor(left: readonly string[], changed: readonly string[]): string[] {
  const folders = new Set(left)
  const touched = changed
    .filter((path) => isTestedCode(path) && !belongsToTests(path))
    .flatMap((path) => aboveIn(path, folders) ?? [])
  return [...new Set(touched)].toSorted()
}

/** The nearest of these folders above a path. */
function aboveIn(path: string, folders: ReadonlySet<string>): string | null {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (folders.has(path.slice(0, at))) return path.slice(0, at)
  return null
}

export const leftText = (folder: string): string =>
  `the tests in ${folder.replace(/\p{Cc}/gu, '?').slice(0, 160)} do not run: name them as "verify" in beadloom.json`

/** @param what a check */
export const silentText = (what: string): string =>
  `no test of ${what.replace(/\p{Cc}/gu, '?').slice(0, 160)} is known to have run on the base`

export const stoppedText = (what: string): string =>
  `${what.replace(/\p{Cc}/gu, '?').slice(0, 160)} ends at its first failure, which the base has too, so the tests behind that did not run`

/** The most words of a name; more say nothing new. */
const MOST_WORDS = 200
/** Words in nearly every file's name, and in nearly every import. */
const TOO_COMMON = new Set(
  (
    'test tests spec src lib main index init core internal pkg com org io github example unit integration the from ' +
    'import const require use using as java js ts py go rs cpp os sys re json typing pytest unittest self node fs path'
  ).split(' '),
)

const LONGEST_WORD = 200
const LONGEST_TEXT = 20_000

/** The words of a name: `tests/test_b64.py` → b64. */
function wordsOf(part: string, imports: string): Set<string> {
  const words = `${part} ${imports}`
    .slice(0, LONGEST_TEXT)
    .toLowerCase()
    .replace(/\b(?:test|spec)s?[_.-]|[_.-](?:test|spec)s?\b/g, ' ')
    .split(/[^a-z0-9_-]+/)
    .flatMap((word) => [word.replaceAll('-', '_'), ...word.split('-')])
    // Trimming a long word of only underscores would take quadratic time.
    .flatMap((word) => (word.length > LONGEST_WORD ? [] : [word.replace(/^_+|_+$/g, '')]))
    .filter((word) => word.length > 1 && !TOO_COMMON.has(word))
  return new Set(words.slice(0, MOST_WORDS))
}

/** Possible names of these paths: each file without the extension, and each of their folders. */
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
