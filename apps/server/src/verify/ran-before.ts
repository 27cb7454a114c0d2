import type { BaseCheck } from '@beadloom/core/environment/proof.ts'
import { mayHaveStopped, testParts } from '@beadloom/core/verdict/command-parts.ts'
import { missingTests, missingText, unexplained, type TouchedFile } from '@beadloom/core/verdict/missing-tests.ts'
import { notCheckedText, partsFor, stoppedText, unrunIn } from '@beadloom/core/verdict/not-checked.ts'
import { patchLines, type ChangedFile } from '@beadloom/core/tamper/patch.ts'
import { lostTestCount } from '@beadloom/core/tamper/tamper.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import { sameCheck } from './base/said-before.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { commandsAt, saidTooLittle } from './said-too-little.ts'
import type { TestDiff } from './work-diff.ts'

/**
 * `base`: the work branch's commit that work is on top of. `before`: what the checks said about it; one of which nobody knows
 * is left out.
 */
export type Before = { base: string; before: readonly BaseCheck[] }

/** A commit's paths that are looked at, and how much of a test file's head has its imports. */
const MOST_PATHS = 20_000
const HEAD_BYTES = 64 * 1024
const MOST_PARTS = 50

/**
 * Tests that ran on the work branch's commit and did not run now, a sentence for each check; those that the change itself
 * takes away are for the guard of tests. Empty: none is missing.
 *
 */
export async function missingSince(
  live: LiveExecution,
  { base, before }: Before,
  rows: readonly Verification[],
  diff: TestDiff,
): Promise<string[]> {
  const lost = lostTestCount(diff.files)
  const touched = touchedBy(diff)
  const found: string[] = []
  for (const row of rows.filter(isTestRun)) {
    const former = before.find(sameCheck(row))
    if (former === undefined) found.push(...(await saidTooLittle(live, row, base)))
    else {
      const missing = missingTests(former.tests ?? [], row.tests ?? [])
      const names = unexplained(missing.names, touched, lost)
      found.push(...sentence(missingText({ names, unnamed: Math.max(0, missing.unnamed - lost) })))
    }
  }
  return found
}

/** Why work that passes every check is not checked all the same, a sentence for each part; empty: it is. */
export async function notCheckedSince(
  live: LiveExecution,
  before: readonly BaseCheck[],
  rows: readonly Verification[],
  { all }: TestDiff,
): Promise<string[]> {
  const { deps, project } = live
  const { hub } = deps
  const commit = rows[0]?.commit
  // One that ends with 0 now has run all that it has to run.
  const failing = rows.filter((row) => isTestRun(row) && row.exitCode !== 0)
  if (commit === undefined || failing.length === 0) return []
  const readings = failing.map(async (row) => {
    const former = before.find(sameCheck(row))
    if (former === undefined) return { parts: [], stopped: [] }
    const named = await commandsAt(live, row.command, commit)
    const { parts, stopped } = unrunIn(former.tests ?? [], row.tests ?? [])
    const seen = (row.tests ?? []).map(({ tool }) => tool)
    return { parts, stopped: mayHaveStopped(testParts(row.command, named), seen) ? [row.command] : stopped }
  })
  const unrun = await Promise.all(readings)
  const parts = [...new Set(unrun.flatMap((one) => one.parts))].slice(0, MOST_PARTS)
  const stopped = [...new Set(unrun.flatMap((one) => one.stopped))]
  if (parts.length === 0 && stopped.length === 0) return []
  const changed = all.flatMap(({ path, oldPath }) => [path, ...(oldPath ? [oldPath] : [])])
  const paths = await hub.paths(project.id, commit, MOST_PATHS)
  const heads = await hub.readFiles(
    project.id,
    commit,
    parts.filter((part) => paths.includes(part)),
    HEAD_BYTES,
  )
  const about = partsFor(
    parts.map((part) => ({ part, imports: importsOf(heads.get(part) ?? '') })),
    changed,
    paths,
  )
  // What a runner that stopped would have come to may be about anything.
  const anything = stopped.filter(() => partsFor([{ part: '', imports: '' }], changed, paths).length > 0)
  return [...about.map(notCheckedText), ...anything.map(stoppedText)]
}

export const isTestRun = ({ type, opinion }: Verification): boolean => type === 'test' && opinion === undefined

const sentence = (text: string | null): string[] => (text === null ? [] : [text])

const touchedBy = ({ files, all }: TestDiff): TouchedFile[] =>
  files.map((file) => ({
    path: file.path,
    oldPath: all.find(({ path }) => path === file.path)?.oldPath ?? null,
    removed: removedFrom(file),
  }))

const removedFrom = (file: ChangedFile): string =>
  patchLines(file.patch)
    .filter(({ sign }) => sign === '-')
    .map(({ text }) => text)
    .join('\n')

/** Lines that take in other files, in the languages that a test is written in. */
const importsOf = (text: string): string =>
  text
    .split('\n', 2000)
    .filter((line) => /^\s*(?:import|from|use|using|require|#include|(?:const|let|var)\b.*\brequire\()/.test(line))
    .join('\n')
