import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { continued, type PhaseSession, type PhaseStep } from '@beadloom/core/plan/phase-step.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
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
  const by = sessions.map(({ id, detail }) => ({ session: id, question: detail ?? '' }))
  if (!first) return null
  const reads = first.role !== 'review'
  if (await askPerson(live, by, { question: questionsText(live, sessions), reads })) return null
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

/**
 * The plan of a session that an earlier server began. It has its order; this one is for an agent that had not asked yet,
 * and for what the gateway adds to its conversation.
 */
export async function adoptedInPhase(
  live: LiveExecution,
  session: SessionId,
  what: InPhase,
): Promise<SessionPlan & { from: string }> {
  const { store } = live.deps
  const history = historyOf(live)
  const before = continued(history, what.round, what.subtask, session)
  if (before === null) return workPlan(live, history, session, what)
  const askedAfter = store.askedSessions(live.id).get(before.id)
  const messages = store.messages(live.id)
  const said =
    askedAfter === undefined
      ? messages.filter(({ delivered }) => delivered?.session === session && delivered.through === 'prompt')
      : answersTo(before.id, messages, askedAfter)
  const kept = before.container !== null && before.container === store.session(session)?.container
  return workPlan(live, history, session, what, { question: before.detail ?? '', said, kept })
}
