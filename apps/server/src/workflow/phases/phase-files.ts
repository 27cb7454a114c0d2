import { askStep } from '@beadloom/core/review/ask-step.ts'
import { parseAnswer } from '@beadloom/core/review/review.ts'
import { executionState } from '@beadloom/core/plan/execution-state.ts'
import { feedbackOf } from '@beadloom/core/plan/phase-words.ts'
import { reviewsOf, type PhaseHistory, type Round } from '@beadloom/core/plan/phase-step.ts'
import type { PreviousPhase } from '@beadloom/core/plan/phase-context.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import { checkLogs, type CheckLog } from '../work/check-logs.ts'
import { digestOfFailures } from '../work/failure-digest.ts'
import { historyOf, planOf } from './phase-history.ts'

/** Files for an agent of a phase beside its prompt; the database is the truth, and these are for reading. */
export function filesFor(live: LiveExecution, logs: readonly CheckLog[]): { path: string; text: string }[] {
  const { store } = live.deps
  const plan = planOf(live)
  const history = historyOf(live)
  const phases = store.phases(live.id)
  const { phase = 1 } = history.rounds.at(-1) ?? {}
  const previous = previousOf(history, phase)
  const state = executionState(live.id, history)
  return [
    { path: 'plan.md', text: `${plan.goal}\n\n${plan.planMarkdown}\n` },
    { path: 'execution-state.json', text: `${JSON.stringify(state, null, 2)}\n` },
    ...phases.flatMap(({ number, summary }) =>
      summary === '' ? [] : [{ path: `phase-${number}/summary.md`, text: `${summary}\n` }],
    ),
    ...(previous === null ? [] : [{ path: `phase-${phase}/review-feedback.md`, text: `${previous.feedback}\n` }]),
    ...logs,
  ]
}

/** The output of a phase's failed checks, for the agent that mends it. */
export function logsOfPhase(live: LiveExecution, history: PhaseHistory, phase: number): Promise<CheckLog[]> {
  const numbers = new Set(history.rounds.filter((one) => one.phase === phase).map(({ number }) => number))
  const rows = history.verifications.filter(({ attempt }) => numbers.has(attempt))
  return checkLogs(live, rows, () => `phase-${phase}`)
}

/** Summaries of the phases before this one. */
export const summariesBefore = ({ id, deps: { store } }: LiveExecution, phase: number): string[] =>
  store
    .phases(id)
    .filter(({ number, summary }) => number < phase && summary !== '')
    .map(({ summary }) => summary)

/** The end of the previous attempt at this phase; null: this is the first. */
export function previousOf(history: PhaseHistory, phase: number): PreviousPhase | null {
  const attempt = history.rounds.findLast((round) => round.phase === phase)?.attempt ?? 1
  const last = history.rounds.findLast((round) => round.phase === phase && round.attempt === attempt - 1)
  if (!last) return null
  return { number: attempt, phase, ...whyNot(history, last) }
}

/** The reviewer's or the checks' objections to a tree. */
export function whyNot(history: PhaseHistory, round: Round): { feedback: string; actions: string[] } {
  const step = askStep(reviewsOf(history, round), parseAnswer)
  if (step.do === 'answered') return feedbackOf(step.parsed)
  const rows = history.verifications.filter((row) => row.attempt === round.number)
  if (round.empty) return { feedback: 'Nothing was changed.', actions: ['Make the changes of your assignment'] }
  return { feedback: digestOfFailures(rows), actions: ['Make the checks above pass'] }
}
