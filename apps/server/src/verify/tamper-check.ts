import { withoutFailures } from '@beadloom/core/bead/follow-up.ts'
import { failuresOf } from '@beadloom/core/execution/next-step.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import { notAllowed, TESTS_KEPT, type TestsAllowed } from '@beadloom/core/tamper/allowed.ts'
import { findTampering, newTests } from '@beadloom/core/tamper/tamper.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { ownCheck } from './own-check.ts'
import { startOf, testDiff } from './work-diff.ts'

/**
 * Tests that are weaker than those of the work branch cost the attempt, whichever attempt or execution weakened them,
 * until they are restored or a person allows it: green in that way proves nothing. They are shown on the execution and
 * to its reviewer. Null: nothing is held against it.
 */
export async function tamperCheck(live: LiveExecution, rows: readonly Verification[]): Promise<Verification | null> {
  const { store } = live.deps
  const first = rows[0]
  if (!first || first.purpose === 'merge') return null
  const { attempt, purpose, run: number, session, commit } = first
  const base = await startOf(live, commit)
  if (base === commit) return null
  const findings = await weakened(live, base, commit, rows)
  if (findings.length === 0) return null
  const allowed = store.testsAllowed(live.project.id, live.bead.id)
  const refused = notAllowed(findings, allowed)
  await store.flagExecution(live.id, {
    kind: 'tampered',
    text: `attempt ${attempt}: ${flagText(findings, refused, allowed)}`,
  })
  if (refused.length === 0) return null
  const said = refused.join('; ')
  return {
    ...ownCheck(live, {
      attempt,
      purpose,
      run: number,
      session,
      commit,
      step: rows.length + 1,
      name: TESTS_KEPT,
      summary: shortened(`tests were weakened: ${said}`),
      digest: `The tests pass only because they were weakened, which does not count: ${said}.\nRestore them as they were (\`git diff ${base.slice(0, 12)}\` shows what changed since the start), and make the code pass. A test that the task makes wrong may be replaced by one that checks the same or more. Only a person can allow less.`,
    }),
    findings: refused,
  }
}

const MOST_SUMMARY = 160
const shortened = (text: string): string =>
  text.length <= MOST_SUMMARY ? text : `${text.slice(0, MOST_SUMMARY - 1).toWellFormed()}…`

function flagText(findings: readonly string[], refused: readonly string[], allowed: readonly TestsAllowed[]): string {
  const text = findings.join('; ')
  if (refused.length > 0) return text
  const { by, why } = allowed.findLast((one) => findings.some((finding) => one.findings.includes(finding)))!
  return `${text}; allowed by ${by}${why === '' ? '' : `: ${why}`}`
}

async function weakened(
  live: LiveExecution,
  base: string,
  commit: string,
  rows: readonly Verification[],
): Promise<string[]> {
  const collectedBefore = await collectedAtStart(live, base, rows[0]?.attempt ?? 1)
  const { files, deletedCode, more } = await testDiff(live, base, commit)
  return findTampering({
    files,
    deletedCode,
    more,
    collectedBefore,
    collectedAfter: collectedBy(rows),
    task: taskOf(live),
  })
}

/** What people said. */
const taskOf = (live: LiveExecution): string =>
  [live.bead.title, withoutFailures(live.bead.description), storedOf(live).context].join('\n')

/** How many tests the runner found on the work branch, or without those that they added, in an attempt that failed. */
async function collectedAtStart(live: LiveExecution, base: string, attempt: number): Promise<number | null> {
  const { store } = live.deps
  const known = collectedBy(store.checksOf(live.project.id, base))
  if (known !== null) return known
  const rows = store.verifications(live.id)
  for (let former = 1; former < attempt; former++) {
    const failures = failuresOf(rows, former)
    const count = collectedBy(failures)
    const commit = failures[0]?.commit
    if (count === null || !commit) continue
    return count - newTests((await testDiff(live, base, commit)).files)
  }
  return null
}

const collectedBy = (rows: readonly Verification[]): number | null => {
  const counts = rows.flatMap(({ type, collected }) => (type === 'test' && collected !== null ? [collected] : []))
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}
