import { setImmediate } from 'node:timers/promises'
import { peoplesWords } from '@beadloom/core/review/peoples-words.ts'
import type { ChangedFile } from '@beadloom/core/tamper/patch.ts'
import { REACHING } from '@beadloom/core/tamper/reaching-code.ts'
import { decidesTests, isStartedBy, isTestedCode, isTestFile, mayHoldTests } from '@beadloom/core/tamper/tamper.ts'
import type { TestsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { HubError } from '../ports/hub.ts'
import type { DiffFile, Patch } from '../ports/hub/diffs.ts'

/** Each patch costs a git process of a few milliseconds. A change of more files is reported as too large to check. */
const MOST_FILES = 400
const PATCH_BYTES = 1024 ** 2
/** Characters of all patches. The search for weaker tests reads half of it, and says so if a change has more. */
const MOST_READ = 16 * 1024 ** 2
/** An agent makes a change of a hundred thousand files with a few objects, and each file is examined in many ways. */
const MOST_CHANGED = 20_000
const MOST_NAMES = 4 * 1024 ** 2
/** After so many files the server's other work has its turn. */
const AT_ONCE = 100
/** Lines around a change, so that its test is nearly always among them. */
const CONTEXT = 25

/**
 * `more`: the change has more files. `tooMany`: so many that nothing is read. `deletedCode`: paths of code that is no
 * test.
 */
export type TestDiff = {
  files: ChangedFile[]
  all: DiffFile[]
  deletedCode: string[]
  more: boolean
  tooMany?: true
}

/**
 * The work branch's commit that the work is on top of. It has only verified work, so nothing of an earlier attempt or
 * execution of the bead is in it, and nothing of others counts as this bead's.
 */
export async function startOf(live: LiveExecution, commit: string): Promise<string> {
  const { hub } = live.deps
  const project = live.project.id
  const work = await hub.tip(project, `refs/heads/${live.settings.workBranch}`)
  const base = work === null ? null : await hub.mergeBase(project, commit, work)
  return base ?? storedOf(live).baseCommit ?? commit
}

/** The newest of each execution: the guard against weaker tests and the run of new ones ask about the same commits. */
const newest = new WeakMap<LiveExecution, { commits: string; diff: Promise<TestDiff> }>()

/** The changes in tests and in the files that decide about them. */
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

/** Drops it: it can be as large as all patches together, and an execution may wait for its remote for days. */
export const forgetTestDiff = (live: LiveExecution): void => void newest.delete(live)

async function readTestDiff(live: LiveExecution, from: string, to: string): Promise<TestDiff> {
  const { hub } = live.deps
  const project = live.project.id
  const all = await hub.diff(project, from, to)
  if (isTooMany(all)) return { files: [], all: [], deletedCode: [], more: true, tooMany: true }
  const { tests, others, rest, started, deletedCode } = await sorted(live, all)
  const files: ChangedFile[] = []
  let [room, more] = [MOST_READ, false]
  const read = async (some: readonly DiffFile[], most: number): Promise<void> => {
    for (const [at, file] of some.entries()) {
      if (at >= most || room <= 0) {
        more = true
        return
      }
      const { text: patch, cut } = await patchOf(live, from, to, file)
      room -= patch.length
      files.push({ ...file, patch, cut })
    }
  }
  await read([...tests, ...others], MOST_FILES)
  const named = await namedBy(live, files, rest)
  const isNamed = new Set([...(named ?? []), ...started])
  await read(
    rest.filter(({ path }) => isNamed.has(path)),
    MOST_FILES - files.length,
  )
  const known = new Set(files.map(({ path }) => path))
  const matching = await hub.diff(project, from, to, { lines: REACHING })
  const reaching = matching.filter(({ path }) => isTestedCode(path) && !known.has(path))
  await read(reaching, MOST_FILES)
  return { files, all, deletedCode, more: more || named === null }
}

function isTooMany(all: readonly DiffFile[]): boolean {
  if (all.length > MOST_CHANGED) return true
  return all.reduce((sum, { path, oldPath }) => sum + path.length + (oldPath?.length ?? 0), 0) > MOST_NAMES
}

/** `others`: only their patches say whether they hold tests. `started`: paths of the `rest` that the checks start. */
async function sorted({ settings }: LiveExecution, all: readonly DiffFile[]) {
  const isStarted = isStartedBy(settings.verify.map(({ command }) => command))
  const [tests, others, rest]: [DiffFile[], DiffFile[], DiffFile[]] = [[], [], []]
  const [started, deletedCode]: [string[], string[]] = [[], []]
  for (const [at, file] of all.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate()
    const { path, oldPath, status } = file
    const isTest = isTestFile(path) || isTestFile(oldPath ?? '') || decidesTests(path)
    if (isTest) tests.push(file)
    else if (mayHoldTests(path)) others.push(file)
    else {
      rest.push(file)
      if (isStarted(path)) started.push(path)
    }
    if (!isTest && status === 'D') deletedCode.push(path)
  }
  return { tests, others, rest, started, deletedCode }
}

/** Paths that the files which decide about tests name; null: these take too much work to read. */
async function namedBy(
  { deps: { aside } }: LiveExecution,
  files: readonly ChangedFile[],
  rest: readonly DiffFile[],
): Promise<readonly string[] | null> {
  const deciding = files.filter(({ path }) => decidesTests(path))
  if (deciding.length === 0 || rest.length === 0) return []
  return aside.verdict(
    'namedBySettings',
    deciding,
    rest.map(({ path }) => path),
  )
}

async function patchOf(
  { deps: { hub }, project }: LiveExecution,
  from: string,
  to: string,
  file: DiffFile,
): Promise<Patch> {
  const { path, oldPath, status, added, removed } = file
  // A file that only moved has no useful patch.
  if (status === 'R' && added === 0 && removed === 0)
    return { text: `rename from ${oldPath}\nrename to ${path}\n`, cut: false }
  // As text, even if git takes it for binary: a zero byte in a comment would hide all other changes in the file.
  const how = { context: CONTEXT, text: true }
  return hub.patch(project.id, from, to, path, PATCH_BYTES, how).catch((error: unknown) => {
    if (error instanceof HubError && error.kind === 'unreadable') return { text: '', cut: false }
    throw error
  })
}

/** A change's effect on tests, for callers that do not judge it. */
export const testsIn = (live: LiveExecution, { files }: Pick<TestDiff, 'files'>): Promise<TestsOfChange> =>
  live.deps.aside.tests({ files, collectedBefore: null, collectedAfter: null })

/** People's words: the bead's title and description, and the execution's note. */
export const taskOf = (live: LiveExecution): string => [peoplesWords(live.bead), storedOf(live).context].join('\n')
