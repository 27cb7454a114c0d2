import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import {
  failedSubtasks as failedAmong,
  isFailure,
  notDone as notDoneText,
  type DoneFacts,
  type FailedSubtask,
} from '@beadloom/core/plan/not-done.ts'
import type { PhaseSession, Round } from '@beadloom/core/plan/phase-step.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import { subtaskWords } from '@beadloom/core/plan/subtask-words.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import { blockedBy, EndedEarly, endOfError, withFullStop } from '../../execution/ends.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import { historyOf, newestIn, planOf } from './phase-history.ts'

type Asked = Pick<PatientStore, 'execution' | 'plan' | 'phaseSessions' | 'rounds'>

type InRound = { round: Pick<Round, 'number' | 'phase'>; subtask: string }

/**
 * Reports a failed subtask, once, whatever ended it. Its execution has one sentence, and several may fail.
 *
 * @param why in case its session says nothing; '' for nothing
 */
export async function tellFailure(live: LiveExecution, { round, subtask }: InRound, why: string): Promise<void> {
  const { store } = live.deps
  const last = lastOf(live, { round, subtask })
  if (last?.state !== 'ended' || !isFailure(last.outcome)) return
  if (store.sessionEvent(live.id, last.id, 'subtask_failed') !== null) return
  await addFailure(live, last.id, { round, subtask }, last.detail || why)
}

/** Reports questions that no person will answer any more, because their execution has ended for another reason. */
export async function tellQuestions(live: LiveExecution): Promise<void> {
  const { store } = live.deps
  const round = store.rounds(live.id).at(-1)
  const last = new Map(
    store.phaseSessions(live.id).flatMap((one) => (one.role === 'subtask' ? [[one.subtask, one]] : [])),
  )
  for (const { subtask, attempt, outcome } of last.values())
    if (round && attempt === round.number && outcome === 'blocked') await tellFailure(live, { round, subtask }, '')
}

const lastOf = ({ id, deps: { store } }: LiveExecution, { round, subtask }: InRound) =>
  store
    .phaseSessions(id)
    .findLast((one) => one.role !== 'review' && one.subtask === subtask && one.attempt === round.number)

/**
 * Whether the last session of a subtask, or the last one that mends (`''`), ended with a question that a person is asked
 * or has answered.
 */
export function isForPerson(live: LiveExecution, what: InRound): boolean {
  const role = what.subtask === '' ? 'fix' : 'subtask'
  const last = newestIn(historyOf(live), { ...what, role })
  if (last?.outcome !== 'blocked') return false
  return live.settings.onBlocked === 'wait' || historyOf(live).questions?.heard.has(last.id) === true
}

/** The questions of agents for a person, each with the name of its subtask; other sessions have none. */
export const questionsText = (live: LiveExecution, sessions: readonly PhaseSession[]): string =>
  sessions
    .map(({ subtask, detail }) =>
      subtask === '' ? detail : `${capital(subtaskWords(planOf(live).subtasks, subtask))}: ${detail}`,
    )
    .map((text) => (sessions.length === 1 ? text : withFullStop(text)))
    .join('\n')

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

/**
 * Does a subtask. If it does not end well, that is reported, and the end of its execution names it. A question that is
 * for a person is no failure yet.
 */
export async function told(
  live: LiveExecution,
  what: InRound,
  work: () => Promise<ExecutionEnd | null>,
): Promise<ExecutionEnd | null> {
  try {
    const end = await work()
    if (end !== null || !isForPerson(live, what)) await tellFailure(live, what, end?.detail ?? '')
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

/** The subtasks of the newest round that did not end well, in the order of the plan; none without a plan. */
export function failedSubtasks(store: Asked, id: ExecutionId): FailedSubtask[] {
  const facts = doneFacts(store, id)
  return facts === null ? [] : failedAmong(facts)
}

/** " Not done: subtask 2a "Users" (2 of 4)."; '' if fewer than `least` of the begun ones were not done. */
export function notDone(live: LiveExecution, least = 1): string {
  const facts = doneFacts(live.deps.store, live.id)
  return facts === null ? '' : notDoneText(facts, least)
}

/** Null: it does not work by a plan. */
function doneFacts(store: Asked, id: ExecutionId): DoneFacts | null {
  const execution = store.execution(id)
  if (execution?.planVersion === undefined) return null
  const plan = store.plan(execution.project, execution.bead, execution.planVersion)?.plan
  if (!plan) return null
  const { subtasks } = plan
  return { subtasks, of: phasesOf(subtasks).length, rounds: store.rounds(id), sessions: store.phaseSessions(id) }
}
