import type { Questions } from '@beadloom/core/execution/questions.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { fenced } from '@beadloom/core/text/fenced.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { PatientStore } from '../ports/store/patient.ts'

/** Pauses the execution until a person answers the question of these sessions. False: nobody can be asked any more. */
export async function askPerson(
  { id, deps, settings }: LiveExecution,
  sessions: readonly SessionId[],
  question: string,
): Promise<boolean> {
  return (await deps.store.askPerson(id, sessions, { question, ms: settings.limits.answerTimeoutMs })) !== 'over'
}

export type QuestionStore = Pick<PatientStore, 'messages' | 'askedSessions'>

/** @param sessions of the execution; others than those of agents do not matter */
export function questionsOf(
  store: QuestionStore,
  id: ExecutionId,
  sessions: readonly Pick<Session, 'id' | 'outcome'>[],
  toAsk: boolean,
): Questions {
  const blocked = sessions.filter(({ outcome }) => outcome === 'blocked')
  if (blocked.length === 0) return { toAsk, asked: new Set(), heard: new Set() }
  const asked = store.askedSessions(id)
  const said = store.messages(id)
  const heard = blocked.filter((one) => answersTo(one.id, said, asked.get(one.id)).length > 0)
  return { toAsk, asked: new Set(asked.keys()), heard: new Set(heard.map((one) => one.id)) }
}

/** The messages for a session that has ended with a question: those since it was asked, and those that nobody has read. */
export const answersTo = <T extends Pick<Message, 'id' | 'to' | 'state'>>(
  session: SessionId,
  messages: readonly T[],
  askedAfter = Number.MAX_SAFE_INTEGER,
): T[] =>
  messages.filter(
    ({ id, to = session, state }) =>
      to === session && (state === 'waiting' || (state === 'delivered' && id > askedAfter)),
  )

const MOST_QUESTION = 4_000

/** For an agent that starts over: the answer itself is among what people have said. */
export const askedBefore = (question: string | undefined): string =>
  question === undefined
    ? ''
    : `\n\nAn agent has worked on this before, and has asked a person:\n\n${fenced(question, MOST_QUESTION)}\n\nThe answer is in what people have said, above.\n`
