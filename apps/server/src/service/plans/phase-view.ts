import type { PhaseSubtaskView, PhaseView } from '@beadloom/core/api/phase-api.ts'
import { isTerminal, type Execution } from '@beadloom/core/execution/execution.ts'
import { judge } from '@beadloom/core/execution/next-step.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import { isApproved, reviewsOf, type PhaseHistory, type Round } from '@beadloom/core/plan/phase-step.ts'
import { feedbackOf } from '@beadloom/core/plan/phase-words.ts'
import type { PhaseStatus } from '@beadloom/core/plan/plan-tree.ts'
import type { Subtask } from '@beadloom/core/plan/plan.ts'
import { askStep } from '@beadloom/core/review/ask-step.ts'
import { parseAnswer } from '@beadloom/core/review/review.ts'
import type { Store } from '../../ports/store.ts'
import { phaseHistory } from '../../workflow/phases/phase-history.ts'

/** The phases of an execution; none where it does not work by a plan. */
export function phaseViews(store: Store, execution: Execution): PhaseView[] {
  const history = phaseHistory(store, execution)
  if (history === null) return []
  const stored = new Map(store.phases(execution.id).map((row) => [row.number, row]))
  const sessions = new Map(store.sessions(execution.id).map((one) => [one.id, one]))
  return history.plan.map((subtasks, at) => {
    const number = at + 1
    const row = stored.get(number)
    const rounds = history.rounds.filter((one) => one.phase === number)
    const last = rounds.at(-1)
    return {
      number,
      status: statusOf(execution, row ? { commit: row.commit } : null, last),
      attempt: last?.attempt ?? 0,
      prePhaseCommit: row?.preCommit ?? null,
      commit: row?.commit ?? null,
      from: row?.from ?? null,
      startedAt: row?.startedAt ?? null,
      endedAt: row?.endedAt ?? null,
      subtasks: subtasks.map((one) =>
        subtaskView(history, sessions, one, { isDone: typeof row?.commit === 'string', last }),
      ),
      trees: rounds.map((round) => treeView(history, round)),
      review: last ? reviewView(history, last) : null,
      summary: row?.summary ?? '',
    }
  })
}

function statusOf({ state }: Execution, row: { commit: string | null } | null, last: Round | undefined): PhaseStatus {
  if (row === null) return 'pending'
  if (row.commit !== null) return 'completed'
  if (isTerminal(state)) return 'failed'
  return (last?.attempt ?? 1) > 1 ? 'retrying' : 'running'
}

function subtaskView(
  history: PhaseHistory,
  sessions: ReadonlyMap<string, Session>,
  { id, title, type }: Subtask,
  { isDone, last }: { isDone: boolean; last: Round | undefined },
): PhaseSubtaskView {
  const round = last && history.rounds.find((one) => one.phase === last.phase && one.attempt === last.attempt)
  const own = history.sessions.findLast((one) => one.subtask === id && one.attempt === round?.number)
  const session = own && sessions.get(own.id)
  const failed = own?.state === 'ended' && own.outcome !== 'success'
  const ended = own?.outcome === 'success' || isDone || history.skipped?.includes(id) === true
  return {
    id,
    title,
    type,
    status: ended ? 'completed' : failed ? 'failed' : own ? 'running' : 'pending',
    session: own?.id ?? null,
    startedAt: session?.startedAt ?? null,
    endedAt: session?.endedAt ?? null,
    error: failed ? own.detail : null,
  }
}

function treeView(history: PhaseHistory, round: Round): PhaseView['trees'][number] {
  const { number: attempt, kind, commit } = round
  const verdict = commit === null ? null : judge(history.verifications, attempt, 'attempt', commit)
  const rows = history.verifications.filter((row) => row.attempt === attempt && row.purpose === 'attempt')
  return {
    attempt,
    kind,
    commit,
    passed: verdict === null || verdict.is === 'open' ? null : verdict.is === 'passed',
    checks: rows.map(({ name, summary }) => `${name}: ${summary}`),
  }
}

function reviewView(history: PhaseHistory, round: Round): PhaseView['review'] {
  const step = askStep(reviewsOf(history, round), parseAnswer)
  return step.do === 'answered' ? { approved: isApproved(step.parsed), text: feedbackOf(step.parsed).feedback } : null
}
