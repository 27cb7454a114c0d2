import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { PhaseSession, PhaseStep } from '@beadloom/core/plan/phase-step.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import type { SessionPlan } from '../../sandbox/session-plan.ts'
import { questionsText } from './failed-subtasks.ts'
import { endAsSession } from './phase-ends.ts'
import { answersTo, askPerson, readInPrompt } from '../questions.ts'
import { historyOf } from './phase-history.ts'
import { beginInPhase, workPlan, type InPhase } from './phase-sessions.ts'

/** Asks a person what agents of a phase want to know. An end if nobody can be asked any more. */
export async function askInPhase(
  live: LiveExecution,
  { round, sessions }: Extract<PhaseStep, { do: 'ask_person' }>,
): Promise<ExecutionEnd | null> {
  const [first] = sessions
  const ids = sessions.map(({ id }) => id)
  if (!first) return null
  if (await askPerson(live, ids, questionsText(live, sessions), first.role !== 'review')) return null
  return endAsSession(live, {
    do: 'end_as_session',
    session: first.id,
    round,
    role: first.role,
    subtask: first.subtask,
  })
}

/**
 * A session that continues one that ended with a question, with what people have said since. It counts against no limit
 * of the execution.
 *
 * @param kept its sandbox is there, with the agent's conversation
 */
export async function continueInPhase(
  live: LiveExecution,
  what: InPhase,
  before: PhaseSession,
  kept: boolean,
): Promise<SessionPlan & { from: string }> {
  const { store } = live.deps
  const askedAfter = store.askedSessions(live.id).get(before.id)
  const said = answersTo(before.id, store.messages(live.id), askedAfter)
  if (askedAfter === undefined) await store.noteExecution(live.id, { maxSessions: storedOf(live).maxSessions + 1 })
  const id = await beginInPhase(live, what)
  const plan = await workPlan(live, historyOf(live), id, what, { question: before.detail ?? '', said, kept })
  await readInPrompt(live, id, { said })
  return plan
}
