import { failedAttempts, failuresOf } from '@beadloom/core/execution/next-step.ts'
import { decidesTests, findTampering, isTestFile } from '@beadloom/core/tamper/tamper.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { ownCheck } from './own-check.ts'

/** A change of more test files than these, or of longer patches, is looked at in part. */
const MOST_FILES = 100
const PATCH_BYTES = 256 * 1024

/**
 * Tests that are removed, skipped or weakened are shown on the execution and to its reviewer. They also cost the attempt
 * where tests had failed and pass only now: green in that way proves nothing. Null: nothing is held against it.
 */
export async function tamperCheck(live: LiveExecution, rows: readonly Verification[]): Promise<Verification | null> {
  const { store } = live.deps
  const first = rows[0]
  if (!first || first.purpose === 'merge') return null
  const all = store.verifications(live.id)
  const base = storedOf(live).baseCommit ?? first.commit
  const whole = await weakened(live, base, first.commit, null, collectedBy(rows))
  if (whole.length > 0)
    await store.flagExecution(live.id, { kind: 'tampered', text: `attempt ${first.attempt}: ${whole.join('; ')}` })

  const former = failedAttempts(all).find((attempt) => attempt < first.attempt)
  const failures = former === undefined ? [] : failuresOf(all, former)
  const failedTest = failures.find(({ type }) => type === 'test')
  if (!failedTest) return null
  const since = await weakened(live, failedTest.commit, first.commit, collectedBy(failures), collectedBy(rows))
  if (since.length === 0) return null
  const said = since.join('; ')
  await store.flagExecution(live.id, { kind: 'tampered', text: `attempt ${first.attempt}: ${said}` })
  const { attempt, purpose, run: number, session, commit } = first
  return ownCheck(live, {
    attempt,
    purpose,
    run: number,
    session,
    commit,
    step: rows.length + 1,
    name: 'tests kept',
    summary: `tests were weakened: ${said}`.slice(0, 100),
    digest: `The tests pass only because they were weakened, which does not count: ${said}.\nRestore them as they were, and make the code pass.`,
  })
}

const collectedBy = (rows: readonly Verification[]): number | null => {
  const counts = rows.flatMap(({ type, collected }) => (type === 'test' && collected !== null ? [collected] : []))
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

async function weakened(
  live: LiveExecution,
  from: string,
  to: string,
  collectedBefore: number | null,
  collectedAfter: number | null,
): Promise<string[]> {
  const { hub } = live.deps
  const project = live.project.id
  if (from === to) return []
  const changed = (await hub.diff(project, from, to)).filter(
    ({ path, oldPath }) => isTestFile(path) || isTestFile(oldPath ?? '') || decidesTests(path),
  )
  const files = []
  for (const { path, status } of changed.slice(0, MOST_FILES))
    files.push({ path, status, patch: await hub.patch(project, from, to, path, PATCH_BYTES) })
  return findTampering({ files, collectedBefore, collectedAfter })
}
