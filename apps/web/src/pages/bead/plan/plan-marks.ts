import type { PhaseReview, PhaseTests, PhaseTreeView, PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PhaseStatus } from '@beadloom/core/plan/plan-tree.ts'
import type { PhaseSession } from './plan-phases.ts'
import { askingMark, marks, outcomeMark, rejectedMark, type Mark } from '../../../components/bead/states.ts'
import { countText, counted } from '@beadloom/core/text/count-text.ts'

/** Glyph, word and colour of each status of a phase or subtask. */
export const statusMarks: Record<PhaseStatus, Mark> = {
  pending: { ...marks.queued, word: 'Pending' },
  running: marks.running,
  retrying: { ...marks.running, word: 'Running again' },
  completed: { ...marks.completed, word: 'Done' },
  failed: marks.failed,
  asking: askingMark,
}

/** The mark of a session: its outcome, or running. */
const sessionMark = ({ cameTo }: Pick<PhaseSession, 'cameTo'>): Mark =>
  cameTo === null ? marks.running : outcomeMark[cameTo]

/** The mark of a phase's step: like a session's, but a finished review may have rejected the work. */
export function stepMark({ trees }: Pick<PhaseView, 'trees'>, step: PhaseSession): Mark {
  const tree = trees.find(({ attempt }) => attempt === step.session.attempt)
  const written = step.role === 'review' && step.cameTo === 'success'
  return written && tree?.review ? reviewMark(tree.review) : sessionMark(step)
}

export const roleWords: Record<PhaseSession['role'], string> = {
  subtask: 'Subtask',
  fix: 'Fix',
  check: 'Checks',
  review: 'Review',
}

export const reviewMark = ({ approved }: PhaseReview): Mark =>
  approved ? { ...marks.completed, word: 'Approved' } : rejectedMark

/** The marks that are missing until a tree's checks have ended. `live`: work on it continues. */
export function lacksText({ kind, commit }: Pick<PhaseTreeView, 'kind' | 'commit'>, live: boolean): string {
  const isMended = kind === 'fix'
  if (commit !== null) return live ? 'Its checks have not finished yet.' : 'Its checks did not finish.'
  if (live) return isMended ? 'A session is fixing it.' : 'Its subtasks are running.'
  return isMended ? 'The session meant to fix it changed nothing.' : 'Its subtasks left nothing that could be checked.'
}

/** "12 tests, 3 new, 3 failing"; `passed`: they are meant to fail. */
export function testsText({ collected, failing, added }: PhaseTests, passed: boolean): string {
  if (passed && failing > 0)
    return `${countText(failing)} of ${counted(collected, 'test')} ${failing === 1 ? 'fails, as it' : 'fail, as they'} should`
  return [
    counted(collected, 'test'),
    ...(added === null || added === 0 ? [] : [added > 0 ? `${countText(added)} new` : `${countText(-added)} fewer`]),
    ...(failing === 0 ? [] : [`${countText(failing)} failing`]),
  ].join(', ')
}

/** A phase's proofs so far, in short: its tests, its review's verdict. Empty before its first checks. */
export function proofOf({ trees, review, attempt }: PhaseView): { text: string; good: boolean }[] {
  const tree = trees.findLast(({ checks, phaseAttempt }) => checks.length > 0 && phaseAttempt === attempt)
  const withTests = tree?.checks.find(({ tests }) => tests !== null)
  const bad = tree?.checks.filter(({ passed }) => !passed) ?? []
  const checks =
    tree === undefined
      ? []
      : [
          {
            text:
              bad.length > 0
                ? `${bad.map(({ name }) => name).join(', ')} failed`
                : withTests?.tests
                  ? testsText(withTests.tests, withTests.passed)
                  : counted(tree.checks.length, 'check'),
            good: bad.length === 0,
          },
        ]
  return [
    ...checks,
    ...(review === null ? [] : [{ text: review.approved ? 'approved' : 'rejected', good: review.approved }]),
  ]
}
