import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { isSilent } from '@beadloom/core/digest/tests-run.ts'
import { mayHaveStopped, testParts } from '@beadloom/core/verdict/command-parts.ts'
import {
  insteadText,
  missingText,
  printedText,
  unknownText,
  type Missing,
} from '@beadloom/core/verdict/missing-tests.ts'
import { MeantFiles } from '@beadloom/core/verdict/meant-files.ts'
import { fileOf } from '@beadloom/core/verdict/names.ts'
import { folderOf } from '@beadloom/core/verdict/named-commands.ts'
import {
  leftFor,
  leftText,
  notCheckedText,
  opaqueText,
  silentText,
  stoppedText,
} from '@beadloom/core/verdict/not-checked.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { isTestFile } from '@beadloom/core/tamper/tamper.ts'
import { stepWords, type Verification } from '@beadloom/core/records/verification.ts'
import { sameCheck } from './base/said-before.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { commandsAt, emptyFiles, saidTooLittle } from './said-too-little.ts'
import type { TestDiff } from './work-diff.ts'

/**
 * `base`: the work branch's commit that work is on top of. `before`: its checks' results; a check without a known one
 * is left out.
 */
export type Before = { base: string; before: readonly BaseCheck[] }

/** The limit of a commit's paths, and how much of a test file's beginning is read for its imports. */
const MOST_PATHS = 20_000
const HEAD_BYTES = 64 * 1024
const MOST_PARTS = 50

/**
 * Tests that ran on the work branch's commit and did not run now, a sentence for each check; tests that the change
 * itself removes are for the guard of tests. `missing` empty: none is missing. `notes`: other facts for people.
 */
export async function missingSince(
  live: LiveExecution,
  { base, before }: Before,
  rows: readonly Verification[],
  diff: TestDiff,
): Promise<{ missing: string[]; notes: string[] }> {
  const missing: string[] = []
  const notes: string[] = []
  for (const row of rows.filter(isTestRun)) {
    const former = before.find(sameCheck(row))
    if (former === undefined) missing.push(...(await saidTooLittle(live, row, base)))
    else if (!(mayFail(row) && (await hasStopped(live, row)))) {
      const found = await live.deps.aside.verdict('missing', former.tests ?? [], row.tests ?? [])
      if (found === null) {
        missing.push(`the tests that ${stepWords(row)} ran ${NOT_COMPARED}`)
        continue
      }
      const open = await withoutExplained(live, base, found, { former, row, diff })
      const unknown = unknownText(found)
      missing.push(...sentence(missingText(open)), ...sentence(unknown), ...sentence(printedText(found)))
      if (row.exitCode === 0) missing.push(...(await emptyFiles(live, row, former.tests)))
      if (unknown === null) notes.push(...sentence(insteadText(found)))
      // Such as one that did not compile there: there is nothing to compare silence with.
      if (former.exitCode !== 0 && isSilent(former.tests)) missing.push(...(await saidTooLittle(live, row, base)))
    }
  }
  return { missing, notes }
}

type Compared = { former: BaseCheck; row: Verification; diff: TestDiff }

const NOT_COMPARED = 'take too much work to be compared with those of the work branch'

/** The tests without an explanation. All of them, if finding out takes too much work. */
async function withoutExplained(
  { deps: { aside, hub }, project }: LiveExecution,
  base: string,
  missing: Missing,
  { former, row, diff }: Compared,
): Promise<Pick<Missing, 'names' | 'unnamed'>> {
  if (missing.names.length === 0 && missing.unnamed === 0) return missing
  const touched = await aside.verdict('touched', diff.files)
  const isMade = touched?.some(({ removed }) => removed.some(({ parts }) => parts !== null)) === true
  const titles =
    isMade && missing.names.length > 0 ? await titlesAt({ hub, aside }, project.id, row.commit) : new Set<string>()
  if (touched === null || titles === null) return missing
  const open = await aside.verdict('unexplained', missing, {
    touched,
    titles,
    paths: missing.names.length === 0 ? [] : await hub.paths(project.id, base, MOST_PATHS),
    folder: folderOf(row.command),
    base: former.tests ?? [],
    now: row.tests ?? [],
  })
  return open ?? missing
}

const MOST_SOURCES = 400
const SOURCE_BYTES = 256 * 1024
/** Sources in memory at a time. */
const SOURCES_AT_ONCE = 40

/** Names of tests in a commit's present sources; null: they are too long, or take too much work to read. */
async function titlesAt(
  { hub, aside }: Pick<LiveExecution['deps'], 'hub' | 'aside'>,
  project: ProjectId,
  commit: string,
): Promise<Set<string> | null> {
  const sources = (await hub.paths(project, commit, MOST_PATHS)).filter(isTestFile).slice(0, MOST_SOURCES)
  const titles = new Set<string>()
  for (let from = 0; from < sources.length; from += SOURCES_AT_ONCE) {
    const some = sources.slice(from, from + SOURCES_AT_ONCE)
    const unread = new Set<string>()
    const texts = await hub.readFiles(project, commit, some, SOURCE_BYTES, unread)
    if (unread.size > 0) return null
    const found = await aside.verdict('titles', [...texts.values()])
    if (found === null) return null
    for (const title of found) titles.add(title)
  }
  return titles
}

/** It counts as passed although tests fail, as in a phase that writes them first: they are checked once they pass. */
const mayFail = ({ passed, exitCode, onBase }: Verification): boolean => passed && exitCode !== 0 && onBase !== true

const hasStopped = async (live: LiveExecution, row: Verification): Promise<boolean> =>
  row.tests?.some(({ stopped }) => stopped) === true || endsEarly(live, row, false)

/** Whether a failed check may have ended before its last tests, by its command. @param unsure if that is too long */
async function endsEarly(
  live: LiveExecution,
  { command, commit, tests = [] }: Verification,
  unsure: boolean,
): Promise<boolean> {
  const seen = tests.map(({ tool }) => tool)
  const unread = new Set<string>()
  const named = await commandsAt(live, command, commit, unread)
  return unread.size > 0 ? unsure : mayHaveStopped(testParts(command, named), seen)
}

/** Why work that passes every check is still not checked, a sentence for each part; empty: it is checked. */
export async function notCheckedSince(
  live: LiveExecution,
  before: readonly BaseCheck[],
  rows: readonly Verification[],
  diff: TestDiff,
): Promise<string[]> {
  const changed = diff.all.flatMap(({ path, oldPath }) => [path, ...(oldPath ? [oldPath] : [])])
  const left = leftFor(live.settings.left ?? [], changed)
    .slice(0, MOST_PARTS)
    .map(leftText)
  return [...left, ...(await unrunSince(live, before, rows, changed))]
}

/** Parts of the suite that could not run on the base, and cover the change. */
async function unrunSince(
  live: LiveExecution,
  before: readonly BaseCheck[],
  rows: readonly Verification[],
  changed: readonly string[],
): Promise<string[]> {
  const { deps, project } = live
  const { hub } = deps
  const commit = rows[0]?.commit
  // A check that ends with 0 now has run all that it has to run.
  const failing = rows.filter((row) => isTestRun(row) && row.exitCode !== 0 && !mayFail(row))
  if (commit === undefined || failing.length === 0) return []
  const readings = failing.map(async (row) => {
    const former = before.find(sameCheck(row))
    if (former === undefined) return { parts: [], opaque: [], stopped: [], silent: [] }
    if (isSilent(former.tests) && isSilent(row.tests))
      return { parts: [], opaque: [], stopped: [], silent: [stepWords(row)] }
    const unrun = await deps.aside.verdict('unrun', former.tests ?? [], row.tests ?? [])
    if (unrun === null) return { parts: [], opaque: [], stopped: [row.command], silent: [] }
    const { stopped } = unrun
    return { ...unrun, stopped: (await endsEarly(live, row, true)) ? [row.command] : stopped, silent: [] }
  })
  const unrun = await Promise.all(readings)
  const opaque = new Set(unrun.flatMap((one) => one.opaque))
  const parts = [...new Set([...unrun.flatMap((one) => one.parts), ...opaque])].slice(0, MOST_PARTS)
  const stopped = [...new Set(unrun.flatMap((one) => one.stopped))].map(stoppedText)
  const unknown = [...stopped, ...unrun.flatMap((one) => one.silent).map(silentText)]
  if (parts.length === 0 && unknown.length === 0) return []
  const paths = await hub.paths(project.id, commit, MOST_PATHS)
  const meant = new MeantFiles(paths, failing.length === 1 ? folderOf(failing[0]?.command ?? '') : '')
  const files = parts.map((part) => meant.of(fileOf(part) ?? { pkg: '', file: part }))
  const heads = await hub.readFiles(project.id, commit, [...new Set(files.flat())].slice(0, MOST_PARTS), HEAD_BYTES)
  const read = [...heads.keys()]
  const places = new Map(read.map((path, at) => [path, at]))
  const named = parts.map((part, at) => ({ part, files: (files[at] ?? []).flatMap((path) => places.get(path) ?? []) }))
  const about = await deps.aside.verdict('about', {
    // A runner that stopped, or never began, may have had tests of any part left.
    parts: unknown.length === 0 ? named : [...named, { part: '', files: [] }],
    heads: read.map((path) => heads.get(path) ?? ''),
    changed,
    all: paths,
  })
  const open = about ?? [...parts, '']
  const words = (part: string) => (opaque.has(part) ? opaqueText(part) : notCheckedText(part))
  return [...open.filter((part) => part !== '').map(words), ...(open.includes('') ? unknown : [])]
}

export const isTestRun = ({ type, opinion }: Verification): boolean => type === 'test' && opinion === undefined

/** Whether nothing but the end of these checks says how their tests ended. */
export const namesNoTest = (rows: readonly Verification[]): boolean =>
  rows.filter(isTestRun).every(({ tests = [] }) => isSilent(tests))

export const sentence = (text: string | null): string[] => (text === null ? [] : [text])
