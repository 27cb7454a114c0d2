import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { SessionOutcome } from '@beadloom/core/records/session.ts'
import type { PhaseSession, Round } from '@beadloom/core/plan/phase-step.ts'
import { subtaskWords } from '@beadloom/core/plan/subtask-words.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import { blockedBy, EndedEarly, endOfError, withFullStop } from '../../execution/ends.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import { historyOf, planOf } from './phase-history.ts'

type InRound = { round: Pick<Round, 'number' | 'phase'>; subtask: string }

/** It failed by itself: nobody cancelled it. */
const isFailure = (outcome: SessionOutcome | null): boolean =>
  outcome !== null && outcome !== 'success' && outcome !== 'cancelled'

/**
 * Reports a failed subtask, once, whatever ended it. Its execution has one sentence, and several may fail.
 *
 * @param why in case its session says nothing; '' for nothing
 */
export async function tellFailure(live: LiveExecution, { round, subtask }: InRound, why: string): Promise<void> {
  const { store } = live.deps
  const last = store
    .phaseSessions(live.id)
    .findLast((one) => one.role === 'subtask' && one.subtask === subtask && one.attempt === round.number)
  if (last?.state !== 'ended' || !isFailure(last.outcome)) return
  if (store.sessionEvent(live.id, last.id, 'subtask_failed') !== null) return
  await addFailure(live, last.id, { round, subtask }, last.detail || why)
}

/** Reports it without a look at its session, which may have ended well: its work may conflict with others'. */
export async function addFailure(
  live: LiveExecution,
  session: SessionId | null,
  { round, subtask }: InRound,
  why: string,
): Promise<void> {
  const { subtasks } = planOf(live)
  const number = subtasks.findIndex(({ id }) => id === subtask) + 1
  const { title = '' } = subtasks[number - 1] ?? {}
  await live.deps.store.addEvent(live.id, session, 'subtask_failed', {
    subtask,
    number,
    phase: round.phase,
    title,
    why,
  })
}

/** The end of an execution, with the name of the subtask that caused it. */
export const endOfSubtask = (live: LiveExecution, subtask: string, end: ExecutionEnd): ExecutionEnd => ({
  ...end,
  detail: `${capital(subtaskWords(planOf(live).subtasks, subtask))}: ${end.detail}`,
})

/** Does a subtask. If it does not end well, that is reported, and the end of its execution names it. */
export async function told(
  live: LiveExecution,
  what: InRound,
  work: () => Promise<ExecutionEnd | null>,
): Promise<ExecutionEnd | null> {
  try {
    const end = await work()
    await tellFailure(live, what, end?.detail ?? '')
    return end && endOfSubtask(live, what.subtask, end)
  } catch (error) {
    const end = endOfError(error)
    await tellFailure(live, what, end?.detail ?? '')
    throw end === null || live.stopper.signal.aborted ? error : new EndedEarly(endOfSubtask(live, what.subtask, end))
  }
}

/** Does several subtasks. Their end is that of the first that failed: this adds the names of all that were not done. */
export async function withOthers(
  live: LiveExecution,
  work: () => Promise<ExecutionEnd | null>,
): Promise<ExecutionEnd | null> {
  const named = (end: ExecutionEnd): ExecutionEnd => {
    const all = withQuestions(live, end)
    return { ...all, detail: `${all.detail}${notDone(live, 2)}` }
  }
  try {
    const end = await work()
    return end && named(end)
  } catch (error) {
    throw error instanceof EndedEarly ? new EndedEarly(named(error.end)) : error
  }
}

/** The end at a question. If several agents have one, a person answers all of them at once. */
export function withQuestions(live: LiveExecution, end: ExecutionEnd): ExecutionEnd {
  const asking = failedSubtasks(live.deps.store, live.id).filter(({ asks }) => asks)
  if (end.state !== 'BLOCKED' || asking.length < 2) return end
  return blockedBy(asking.map(({ words, why }) => `${capital(words)}: ${withFullStop(why)}`).join(' '))
}

type FailedSubtask = { words: string; why: string; asks: boolean }

/** The subtasks of the newest round that did not end well, in the order of the plan; none without a plan. */
export function failedSubtasks(
  store: Pick<PatientStore, 'execution' | 'plan' | 'phaseSessions' | 'rounds'>,
  id: ExecutionId,
): FailedSubtask[] {
  const execution = store.execution(id)
  if (execution?.planVersion === undefined) return []
  const plan = store.plan(execution.project, execution.bead, execution.planVersion)?.plan
  const round = store.rounds(id).at(-1)
  if (!plan || !round) return []
  const newest = new Map<string, PhaseSession>(
    store.phaseSessions(id).flatMap((one) => (one.attempt === round.number ? [[one.subtask, one]] : [])),
  )
  return plan.subtasks.flatMap((one) => {
    const last = newest.get(one.id)
    if (last?.role !== 'subtask' || !isFailure(last.outcome)) return []
    return [{ words: subtaskWords(plan.subtasks, one.id), why: last.detail, asks: last.outcome === 'blocked' }]
  })
}

/** " Not done: subtask 2a "Users" (2 of 4)."; '' if fewer than `least` of the begun ones were not done. */
export function notDone(live: LiveExecution, least = 1): string {
  const failed = failedSubtasks(live.deps.store, live.id).map(({ words }) => words)
  const all = failed.length === 0 ? stepNotDone(live) : failed
  return all.length < least ? '' : ` Not done: ${all.join(', ')}.`
}

/** The name of an agent's step for a whole phase, if it did not end well. */
function stepNotDone(live: LiveExecution): string[] {
  const { deps, id } = live
  const round = deps.store.rounds(id).at(-1)
  const last = deps.store.phaseSessions(id).at(-1)
  if (!round || last?.attempt !== round.number || last.role === 'subtask') return []
  return isFailure(last.outcome) ? [stepWords(live, last.role, round)] : []
}

/** The words for an agent's step for a whole phase. */
export function stepWords(live: LiveExecution, role: 'fix' | 'review', { phase }: Pick<Round, 'phase'>): string {
  const of = historyOf(live).plan.length
  return role === 'fix'
    ? `mending what the checks of phase ${phase} of ${of} found`
    : `the review of phase ${phase} of ${of}`
}
