import { peoplesWords } from '@beadloom/core/bead/peoples-words.ts'
import type { ChangedFile } from '@beadloom/core/tamper/patch.ts'
import { REACHING } from '@beadloom/core/tamper/reaching-code.ts'
import {
  decidesTests,
  isNamedBy,
  isStartedBy,
  isTestedCode,
  isTestFile,
  mayHoldTests,
} from '@beadloom/core/tamper/tamper.ts'
import type { TestsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { HubError, type DiffFile, type Patch } from '../ports/hub.ts'

/** Each patch costs a git process of a few milliseconds. A change of more files is reported as too large to check. */
const MOST_FILES = 400
const PATCH_BYTES = 1024 ** 2
/** Lines around a change, so that the test which it belongs to is nearly always among them. */
const CONTEXT = 25

/** `more`: there are more files than these. `deletedCode`: paths of code that is no test. */
export type TestDiff = { files: ChangedFile[]; all: DiffFile[]; deletedCode: string[]; more: boolean }

/**
 * The work branch's commit that the work is on top of: nothing that an earlier attempt or execution of the bead did is
 * in it, as only verified work is, and nothing of others counts as this bead's.
 */
export async function startOf(live: LiveExecution, commit: string): Promise<string> {
  const { hub } = live.deps
  const project = live.project.id
  const work = await hub.tip(project, `refs/heads/${live.settings.workBranch}`)
  const base = work === null ? null : await hub.mergeBase(project, commit, work)
  return base ?? storedOf(live).baseCommit ?? commit
}

/** The newest of each execution: what looks for weaker tests and what tries the new ones ask about the same two commits. */
const newest = new WeakMap<LiveExecution, { commits: string; diff: Promise<TestDiff> }>()

/** What changed in tests and in what decides about them. */
export async function testDiff(live: LiveExecution, from: string, to: string): Promise<TestDiff> {
  if (from === to) return { files: [], all: [], deletedCode: [], more: false }
  const commits = `${from} ${to}`
  const known = newest.get(live)
  if (known?.commits === commits) return known.diff
  const diff = readTestDiff(live, from, to)
  newest.set(live, { commits, diff })
  diff.catch(() => newest.delete(live))
  return diff
}

/** It can be as large as all patches together, and an execution may wait for its remote for days. */
export const forgetTestDiff = (live: LiveExecution): void => void newest.delete(live)

async function readTestDiff(live: LiveExecution, from: string, to: string): Promise<TestDiff> {
  const { hub } = live.deps
  const project = live.project.id
  const all = await hub.diff(project, from, to)
  const isTest = ({ path, oldPath }: DiffFile) => isTestFile(path) || isTestFile(oldPath ?? '') || decidesTests(path)
  const changed = [...all.filter(isTest), ...all.filter((file) => !isTest(file) && mayHoldTests(file.path))]
  const read = async (some: readonly DiffFile[]): Promise<ChangedFile[]> => {
    const patched: ChangedFile[] = []
    for (const file of some) {
      const { text: patch, cut } = await patchOf(live, from, to, file)
      patched.push({ ...file, patch, cut })
    }
    return patched
  }
  const files = await read(changed.slice(0, MOST_FILES))
  const isNamed = isNamedBy(files.filter(({ path }) => decidesTests(path)))
  const isStarted = isStartedBy(live.settings.verify.map(({ command }) => command))
  const named = all.filter((file) => !changed.includes(file) && (isNamed(file.path) || isStarted(file.path)))
  files.push(...(await read(named.slice(0, MOST_FILES - files.length))))
  const known = new Set(files.map(({ path }) => path))
  const matching = await hub.diff(project, from, to, { lines: REACHING })
  const reaching = matching.filter(({ path }) => isTestedCode(path) && !known.has(path))
  files.push(...(await read(reaching.slice(0, MOST_FILES))))
  const deletedCode = all.filter((file) => file.status === 'D' && !isTest(file)).map(({ path }) => path)
  const more = changed.length + named.length > MOST_FILES || reaching.length > MOST_FILES
  return { files, all, deletedCode, more }
}

async function patchOf(
  { deps: { hub }, project }: LiveExecution,
  from: string,
  to: string,
  file: DiffFile,
): Promise<Patch> {
  const { path, oldPath, status, added, removed } = file
  // A file that only moved has no patch worth asking for.
  if (status === 'R' && added === 0 && removed === 0)
    return { text: `rename from ${oldPath}\nrename to ${path}\n`, cut: false }
  // As text, whatever git takes it for: a zero byte in a comment would hide everything else that changes in the file.
  const how = { context: CONTEXT, text: true }
  return hub.patch(project.id, from, to, path, PATCH_BYTES, how).catch((error: unknown) => {
    if (error instanceof HubError && error.kind === 'unreadable') return { text: '', cut: false }
    throw error
  })
}

/** What a change does to tests, for those who do not judge it. */
export const testsIn = (live: LiveExecution, { files }: Pick<TestDiff, 'files'>): Promise<TestsOfChange> =>
  live.deps.aside.tests({ files, collectedBefore: null, collectedAfter: null })

/** The words of people: the bead's title and description, and the note that the execution was given. */
export const taskOf = (live: LiveExecution): string => [peoplesWords(live.bead), storedOf(live).context].join('\n')
