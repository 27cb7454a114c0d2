import type { Verification } from '@beadloom/core/records/verification.ts'
import { CHECKED, notAllowed, TESTS_KEPT, type TestsAllowed, whoAllowed } from '@beadloom/core/execution/allowed.ts'
import { TOO_MANY_FILES } from '@beadloom/core/tamper/tamper.ts'
import type { TestsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { collectedBefore } from '@beadloom/core/verdict/collected-before.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { sameCheck } from './base/said-before.ts'
import { refusal } from './refusal.ts'
import { isTestRun, missingSince, namesNoTest, notCheckedSince, type Before } from './ran-before.ts'
import { commandsOfChecks, startedFiles } from './started-files.ts'
import { taskOf, testDiff, testsIn, type TestDiff } from './work-diff.ts'

/**
 * Tests that are weaker than the work branch's, or that ran there and did not run now, fail the attempt, whichever
 * attempt or execution weakened them, until they are restored or a person allows it: passing them proves nothing. The
 * execution and its reviewer show them. Null: nothing counts against the work.
 */
export async function tamperCheck(
  live: LiveExecution,
  { base, before }: Before,
  rows: readonly Verification[],
): Promise<Verification | null> {
  const { store } = live.deps
  const first = rows[0]
  if (!first) return null
  const { attempt, purpose, commit } = first
  if (base === commit) return null
  const diff = await testDiff(live, base, commit)
  // A merge only combines work that the guard has read.
  const { weaker, otherValues } =
    purpose === 'merge' ? { weaker: [], otherValues: null } : await weakened(live, { base, before, diff }, rows)
  const { missing, notes } = await missingSince(live, { base, before }, rows, diff)
  const told = [...(otherValues === null ? [] : [otherValues]), ...notes]
  if (told.length > 0)
    await store.flagExecution(live.id, { kind: 'tests_changed', text: `attempt ${attempt}: ${told.join('; ')}` })
  const findings = [...weaker, ...missing]
  if (findings.length === 0) return uncheckedWork(live, before, rows, diff)
  const allowed = store.testsAllowed(live.project.id, live.bead.id)
  const refused = notAllowed(findings, allowed)
  await store.flagExecution(live.id, {
    kind: 'tampered',
    text: `attempt ${attempt}: ${flagText(findings, refused, allowed)}`,
  })
  // Fewer tests may be allowed; code that no test checks is another question.
  if (refused.length === 0) return uncheckedWork(live, before, rows, diff)
  const said = refused.join('; ')
  const only = refused.every((finding) => missing.includes(finding))
  return refusal(live, rows, {
    name: TESTS_KEPT,
    findings: refused,
    summary: only ? said : `tests were weakened: ${said}`,
    digest: only
      ? `The checks pass, but not by the same tests: ${said}.\nFind out what keeps them from running (a program that ends early, a file that is no longer found, a setting of the runner), and make them run as they did. Only a person can allow less.`
      : `The tests pass only because they were weakened, which does not count: ${said}.\nRestore them as they were (\`git diff ${base.slice(0, 12)}\` shows what changed since the start), and make the code pass. A test that the task makes wrong may be replaced by one that checks the same or more. Only a person can allow less.`,
  })
}

function flagText(findings: readonly string[], refused: readonly string[], allowed: readonly TestsAllowed[]): string {
  const text = findings.join('; ')
  return refused.length > 0 ? text : `${text}${whoAllowed(findings, allowed)}`
}

/**
 * Work on code whose tests could not run on the base, and do not run now: it passed the other checks, and is not
 * verified. A person may accept it, or the project all such work. Null: all of it is checked.
 */
async function uncheckedWork(
  live: LiveExecution,
  before: readonly BaseCheck[],
  rows: readonly Verification[],
  diff: TestDiff,
): Promise<Verification | null> {
  const { deps, settings, project, bead } = live
  const findings = await notCheckedSince(live, before, rows, diff)
  if (findings.length === 0) return null
  const refused = settings.acceptUnchecked ? [] : notAllowed(findings, deps.store.testsAllowed(project.id, bead.id))
  await deps.store.flagExecution(live.id, { kind: 'not_checked', text: findings.join('; ') })
  if (refused.length === 0) return null
  const said = refused.join('; ')
  return refusal(live, rows, {
    name: CHECKED,
    findings: refused,
    summary: `not checked: ${said}`,
    digest: `Every check that could run passes, but what the work changes is not checked: ${said}.\nThis is not the work's fault. A person makes these tests run on the base (or has the command go on after a failure), or reads the diff and takes it.`,
  })
}

const MOST_PATHS = 20_000

async function weakened(
  live: LiveExecution,
  { base, before, diff }: Before & { diff: TestDiff },
  rows: readonly Verification[],
): Promise<Pick<TestsOfChange, 'weaker' | 'otherValues'>> {
  if (diff.tooMany) return { weaker: [TOO_MANY_FILES], otherValues: null }
  // If the tests that ran on the base are known, they are compared instead of their number.
  const unknown = rows.filter((row) => isTestRun(row) && !before.some(sameCheck(row)))
  const collected = await collectedAtStart(live, base, unknown)
  const { files, all, deletedCode, more } = diff
  // The meaning of an import is asked only if a test changed, or a file was added.
  const commit = rows[0]?.commit
  const isNew = all.some(({ status }) => status === 'A')
  const paths =
    commit === undefined || (files.length === 0 && !isNew)
      ? []
      : await live.deps.hub.paths(live.project.id, commit, MOST_PATHS)
  const started = commit === undefined ? null : await startedFiles(live, { base, commit }, all)
  return live.deps.aside.tests({
    files,
    all,
    paths,
    deletedCode,
    more,
    commands: commandsOfChecks(live),
    started: started === null ? null : { ...started, isUnnamed: namesNoTest(rows) },
    collectedBefore: collected?.before ?? null,
    collectedAfter: collected?.after ?? null,
    task: taskOf(live),
  })
}

/** The number of tests that these checks found on the work branch, or, in a failed attempt, without the added ones. */
async function collectedAtStart(
  live: LiveExecution,
  base: string,
  rows: readonly Verification[],
): Promise<{ before: number; after: number | null } | null> {
  const found = collectedBefore(live.deps.store.verifications(live.id), rows)
  if (found === null) return null
  const { fresh } = await testsIn(live, await testDiff(live, base, found.commit))
  return { before: found.before - fresh, after: found.after }
}
