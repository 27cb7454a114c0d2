import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { isRetryable } from '@beadloom/core/records/failure/failure.ts'
import { onlyPassEarly } from '@beadloom/core/execution/failure/failing-checks.ts'
import { failuresOf } from '@beadloom/core/execution/next-step.ts'
import { failedTogether, type PhaseStep } from '@beadloom/core/plan/phase-step.ts'
import { stepWords } from '@beadloom/core/plan/not-done.ts'
import { subtaskWords } from '@beadloom/core/plan/subtask-words.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import { endOfSession, failed } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { endedSession, endOfBroken } from '../../sandbox/ended-session.ts'
import { missingCommand } from '../../verify/missing-command.ts'
import { digestOfFailures } from '../work/failure-digest.ts'
import { endOfSubtask, notDone, tellFailure, withQuestions } from './failed-subtasks.ts'
import { whyNot } from './phase-files.ts'
import { historyOf, phaseHistory, planOf } from './phase-history.ts'

/** The end of an execution because an agent failed: it names the agent's part, and subtasks that failed as well. */
export async function endAsSession(
  live: LiveExecution,
  { session, role, subtask, round }: Extract<PhaseStep, { do: 'end_as_session' }>,
): Promise<ExecutionEnd> {
  const { ended, row, end } = endOfAgent(live, session)
  const step = role === 'subtask' ? '' : stepWords(role, round.phase, historyOf(live).plan.length)
  if (role === 'review') return { ...end, detail: `${capital(step)}: ${end.detail}` }
  // Questions have not been reported yet, nor anything if the server died in between.
  for (const { id } of historyOf(live).plan[round.phase - 1] ?? [])
    if (role === 'subtask') await tellFailure(live, { round, subtask: id }, id === subtask ? ended.detail : '')
  const others = notDone(live, 2)
  const named = role === 'subtask' ? withQuestions(live, endOfSubtask(live, subtask, end)) : end
  const detail = `${named.detail}${others}`
  if (end.state !== 'FAILED') return { ...end, detail }
  // The policy for retries goes by the kind; people read the reason.
  if (isRetryable(end.kind)) return { ...end, reason: row ? end.reason : 'subtask_failed', detail }
  const what = role === 'subtask' ? subtaskWords(planOf(live).subtasks, subtask) : step
  return failed({ kind: 'subtask_failed', subtask: what, detail: ended.detail }, others)
}

function endOfAgent(live: LiveExecution, session: SessionId) {
  const ended = endedSession(live, session)
  const row = ended.outcome === 'infra_error' ? live.deps.store.session(session) : null
  const end = row
    ? endOfBroken(row, live.settings.limits.memoryBytes)
    : endOfSession(live.settings, storedOf(live).branch, ended)
  return { ended, row, end }
}

/**
 * For each of the subtasks that failed together, the end that it would have caused alone. `final`: the end of the
 * execution because of one that no retry repeats, so that no retry of the others can do anything; null: none.
 */
export function endsOfSubtasks(live: LiveExecution): {
  ends: ExecutionEnd[]
  final: (() => Promise<ExecutionEnd>) | null
} {
  const { planning, onBlocked } = live.settings
  const history = phaseHistory(live.deps.store, storedOf(live), {}, { ...planning, onBlocked })
  const together = history && failedTogether(history)
  if (!together) return { ends: [], final: null }
  const { round, failed: all, final } = together
  return {
    ends: all.map(({ id, subtask }) => endOfSubtask(live, subtask, endOfAgent(live, id).end)),
    final:
      final &&
      (() =>
        endAsSession(live, {
          do: 'end_as_session',
          session: final.id,
          round,
          role: 'subtask',
          subtask: final.subtask,
        })),
  }
}

/** The end of an execution when no agent is to blame. */
export function endOf(live: LiveExecution, step: Extract<PhaseStep, { do: 'end' }>): ExecutionEnd {
  const rows = live.deps.store.verifications(live.id)
  const { attempt, maxSessions } = storedOf(live)
  const failures = failuresOf(rows, attempt)
  const digest = digestOfFailures(rows)
  switch (step.because) {
    case 'sessions_used':
      return failed({ kind: 'too_many_sessions', sessions: maxSessions }, digest === '' ? '' : `\n${digest}`)
    case 'command_missing':
      return failed(missingCommand(failures, live.settings), `\n${digest}`)
    case 'checks_failed': {
      if (step.round.empty) return failed({ kind: 'phase_unchanged', phase: step.round.phase })
      const command = failures.map((row) => row.command || row.name).join(', ')
      const types = failures.map(({ type }) => type)
      const said = ` It was phase ${step.round.phase}.\n${digest}`
      const early = onlyPassEarly(failures)
      return failed({ kind: 'verification', command, attempts: attempt, types, early }, said)
    }
    case 'review_rejected': {
      const { feedback } = whyNot(historyOf(live), step.round)
      return failed({ kind: 'phase_review_failed', phase: step.round.phase, attempts: step.round.attempt, feedback })
    }
  }
}
