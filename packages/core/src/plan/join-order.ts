import type { Subtask } from '../records/plan.ts'
import { isRedone, type PhaseHistory, type PhaseSession, type Round } from './phase-step.ts'
import { follows } from './start-order.ts'

/** The newest result of a subtask in a round; undefined: it has none. */
export const resultOf = (history: PhaseHistory, round: Round, subtask: string): PhaseSession['id'] | undefined =>
  history.sessions.findLast(
    (one) =>
      one.attempt === round.number && one.role === 'subtask' && one.subtask === subtask && one.outcome === 'success',
  )?.id

/** The results of these subtasks, in their order. A subtask that was left out has none. */
export const resultsOf = (history: PhaseHistory, round: Round, subtasks: readonly Subtask[]) =>
  subtasks.flatMap((subtask) => {
    const session = resultOf(history, round, subtask.id)
    return session === undefined ? [] : [{ subtask, session }]
  })

const subtasksOf = (history: PhaseHistory, { phase }: Pick<Round, 'phase'>): readonly Subtask[] =>
  history.plan[phase - 1] ?? []

/**
 * The subtasks on whose results a subtask starts: those before it that may touch the same files, or all others if it
 * conflicted with them.
 *
 * @param which `done`: for its newest result; `next`: for its next session
 */
export function startsOnTopOf(
  history: PhaseHistory,
  round: Round,
  subtask: Subtask,
  which: 'next' | 'done',
): readonly Subtask[] {
  const all = subtasksOf(history, round)
  const isOnTop = round.conflict === subtask.id && (which === 'next' || isRedone(history, round))
  return isOnTop ? all.filter(({ id }) => id !== subtask.id) : follows(subtask, all)
}

/** The order in which a round's results are joined: that of the plan, and last the subtask that was done on top. */
export function joinOrder(history: PhaseHistory, round: Round): readonly Subtask[] {
  const all = subtasksOf(history, round)
  const isLast = ({ id }: Subtask): boolean => id === round.conflict && isRedone(history, round)
  return [...all.filter((one) => !isLast(one)), ...all.filter(isLast)]
}

/**
 * Whether a subtask that conflicts with others is done once more, on top of them. A second conflict in the round, or one
 * of the session that mends a tree, ends the execution.
 */
export const isDoneOnceMore = ({ conflict, kind }: Round): boolean => conflict === null && kind === 'subtasks'
