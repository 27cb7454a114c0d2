import { askStep } from '../review/ask-step.ts'
import { parseAnswer } from '../review/review.ts'
import { isApproved, reviewsOf, type PhaseHistory, type PhaseSession, type Round } from './phase-step.ts'
import { feedbackOf } from './phase-words.ts'
import type { Subtask } from '../records/plan.ts'

const MOST_REVIEW = 2_000

/** The progress of a plan, for its agents in `execution-state.json`. The database is the truth. */
export type ExecutionState = {
  execution: string
  phases: {
    phaseIndex: number
    status: 'pending' | 'running' | 'completed'
    /** Counted within the phase, from 1; 0 before the first. */
    attempt: number
    prePhaseCommit: string | null
    commit: string | null
    subtasks: { id: string; title: string; status: string; attempt: number }[]
    /** The newest review; null: none yet. */
    review: { attempt: number; approved: boolean; text: string } | null
  }[]
}

export function executionState(execution: string, history: PhaseHistory): ExecutionState {
  const phases = history.plan.map((subtasks, at) => {
    const number = at + 1
    const row = history.phases.find((one) => one.number === number)
    const rounds = history.rounds.filter(({ phase }) => phase === number)
    return {
      phaseIndex: number,
      status: row === undefined ? 'pending' : row.commit === null ? 'running' : 'completed',
      attempt: rounds.at(-1)?.attempt ?? 0,
      prePhaseCommit: row?.preCommit ?? null,
      commit: row?.commit ?? null,
      subtasks: subtasks.map((one) => subtaskState(history, rounds, one, row !== undefined && row.commit !== null)),
      review: reviewState(history, rounds),
    } as const
  })
  return { execution, phases }
}

function subtaskState(history: PhaseHistory, rounds: readonly Round[], { id, title }: Subtask, isDone: boolean) {
  const round = rounds.findLast(({ kind }) => kind === 'subtasks')
  const last = history.sessions.findLast(
    (one) => one.role === 'subtask' && one.subtask === id && one.attempt === round?.number,
  )
  const status = history.skipped?.includes(id) === true ? 'skipped' : statusOf(last, isDone)
  return { id, title, status, attempt: last === undefined ? 0 : (round?.attempt ?? 0) }
}

/** A subtask without a session was done by an earlier execution if its phase is done. */
function statusOf(last: PhaseSession | undefined, isDone: boolean): 'pending' | 'running' | 'completed' | 'failed' {
  if (last === undefined) return isDone ? 'completed' : 'pending'
  if (last.state !== 'ended') return 'running'
  return last.outcome === 'success' ? 'completed' : 'failed'
}

function reviewState(history: PhaseHistory, rounds: readonly Round[]): ExecutionState['phases'][number]['review'] {
  for (const round of rounds.toReversed()) {
    const step = askStep(reviewsOf(history, round), parseAnswer)
    if (step.do !== 'answered') continue
    const { feedback } = feedbackOf(step.parsed)
    const text = feedback.slice(0, MOST_REVIEW).toWellFormed()
    return { attempt: round.attempt, approved: isApproved(step.parsed), text }
  }
  return null
}
