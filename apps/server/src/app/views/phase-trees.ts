import type { PhaseCheckView, PhaseReview, PhaseTests, PhaseTreeView } from '@beadloom/core/api/plans/phase-api.ts'
import { judge } from '@beadloom/core/execution/next-step.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { isApproved, reviewsOf, type PhaseHistory, type Round } from '@beadloom/core/plan/phase-step.ts'
import { feedbackOf } from '@beadloom/core/plan/phase-words.ts'
import { askStep } from '@beadloom/core/review/ask-step.ts'
import { parseAnswer } from '@beadloom/core/review/review.ts'

/** @param before the outcomes of the checks where the phase began; empty if unknown */
export function treeView(history: PhaseHistory, round: Round, before: readonly Verification[]): PhaseTreeView {
  const { number: attempt, attempt: phaseAttempt, kind, commit } = round
  const verdict = commit === null ? null : judge(history.verifications, attempt, 'attempt', commit)
  const rows = history.verifications.filter(
    (row) => row.attempt === attempt && row.purpose === 'attempt' && row.commit === commit,
  )
  const newest = new Map(rows.map((row) => [row.step, row]))
  return {
    attempt,
    phaseAttempt,
    kind,
    commit,
    passed: verdict === null || verdict.is === 'open' ? null : verdict.is === 'passed',
    checks: [...newest.values()].map((row) => checkView(row, before)),
    review: reviewView(history, round),
  }
}

const checkView = (row: Verification, before: readonly Verification[]): PhaseCheckView => ({
  name: row.name,
  passed: row.passed,
  summary: row.summary,
  session: row.session,
  tests: testsOf(
    row,
    before.findLast(({ name, type }) => name === row.name && type === row.type),
  ),
})

function testsOf({ type, collected, failures }: Verification, before: Verification | undefined): PhaseTests | null {
  if (type !== 'test' || collected === null) return null
  const failing = Math.min(failures ?? 0, collected)
  const known = before?.collected ?? null
  return { collected, passing: collected - failing, failing, added: known === null ? null : collected - known }
}

export function reviewView(history: PhaseHistory, round: Round): PhaseReview | null {
  const step = askStep(reviewsOf(history, round), parseAnswer)
  return step.do === 'answered' ? { approved: isApproved(step.parsed), text: feedbackOf(step.parsed).feedback } : null
}
