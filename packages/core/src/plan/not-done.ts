import { NOT_DONE } from '../execution/short-end.ts'
import type { Subtask } from '../records/plan.ts'
import type { SessionOutcome } from '../records/session.ts'
import type { PhaseRole, PhaseSession, Round } from './phase-step.ts'
import { subtaskWords } from './subtask-words.ts'

/** The stored facts about the newest round. `subtasks`: in the order of the plan; `of`: the number of its phases. */
export type DoneFacts = {
  subtasks: readonly Pick<Subtask, 'id' | 'title'>[]
  of: number
  rounds: readonly Round[]
  sessions: readonly Pick<PhaseSession, 'attempt' | 'role' | 'subtask' | 'outcome' | 'detail'>[]
}

/** `asks`: its agent ended with a question. */
export type FailedSubtask = { words: string; why: string; asks: boolean }

/** It failed by itself: nobody cancelled it. */
export const isFailure = (outcome: SessionOutcome | null): boolean =>
  outcome !== null && outcome !== 'success' && outcome !== 'cancelled'

/** The subtasks of the newest round that did not end well, in the order of the plan. */
export function failedSubtasks({ subtasks, rounds, sessions }: DoneFacts): FailedSubtask[] {
  const round = rounds.at(-1)
  const newest = new Map(
    sessions.flatMap((one) => (one.attempt === round?.number ? [[one.subtask, one] as const] : [])),
  )
  return subtasks.flatMap(({ id }) => {
    const last = newest.get(id)
    if (last?.role !== 'subtask' || !isFailure(last.outcome)) return []
    return [{ words: subtaskWords(subtasks, id), why: last.detail, asks: last.outcome === 'blocked' }]
  })
}

/** " Not done: subtask 2a "Users" (2 of 4)."; '' if fewer than `least` of the begun ones were not done. */
export function notDone(facts: DoneFacts, least = 1): string {
  const failed = failedSubtasks(facts).map(({ words }) => words)
  const all = failed.length === 0 ? stepNotDone(facts) : failed
  return all.length < least ? '' : `${NOT_DONE}${all.join(', ')}.`
}

/** The name of an agent's step for a whole phase, if it did not end well. */
function stepNotDone({ of, rounds, sessions }: DoneFacts): string[] {
  const round = rounds.at(-1)
  const last = sessions.at(-1)
  if (!round || last?.attempt !== round.number || last.role === 'subtask') return []
  return isFailure(last.outcome) ? [stepWords(last.role, round.phase, of)] : []
}

/** The words for an agent's step for a whole phase. */
export const stepWords = (role: Exclude<PhaseRole, 'subtask'>, phase: number, of: number): string =>
  role === 'fix' ? `mending what the checks of phase ${phase} of ${of} found` : `the review of phase ${phase} of ${of}`
