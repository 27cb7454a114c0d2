import { firstToTell, saidOnce } from '@beadloom/core/bead/said-text.ts'
import type { Questions } from '@beadloom/core/execution/questions.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import { messageForAgent, type Message } from '@beadloom/core/records/message.ts'
import type { PhaseRole } from '@beadloom/core/plan/phase-step.ts'
import type { Answered } from '@beadloom/core/review/ask-step.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { fenced } from '@beadloom/core/text/fenced.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { AskedBy } from '../ports/store/pauses.ts'

/**
 * Pauses the execution until a person answers these questions. False: nobody can be asked any more.
 *
 * @param question all of them in one text; absent: there is one
 */
export async function askPerson(
  { id, deps, settings }: LiveExecution,
  by: readonly AskedBy[],
  { question = by[0]?.question ?? '', reads = true } = {},
): Promise<boolean> {
  return (await deps.store.askPerson(id, by, { question, ms: settings.limits.answerTimeoutMs, reads })) !== 'over'
}

export type QuestionStore = Pick<PatientStore, 'messages' | 'askedSessions'>

/** @param sessions of the execution; others than those of agents do not matter */
export function questionsOf(
  store: QuestionStore,
  id: ExecutionId,
  sessions: readonly (Pick<Session, 'id' | 'outcome'> & { role?: PhaseRole })[],
  toAsk: boolean,
): Questions {
  const blocked = sessions.filter(({ outcome }) => outcome === 'blocked')
  if (blocked.length === 0) return { toAsk, asked: new Set(), heard: new Set() }
  const asked = store.askedSessions(id)
  const said = store.messages(id)
  const heard = blocked.filter((one) => answersTo(one.id, said, asked.get(one.id), one.role !== 'review').length > 0)
  return { toAsk, asked: new Set(asked.keys()), heard: new Set(heard.map((one) => one.id)) }
}

/**
 * The messages for a session that has ended with a question: those since it was asked, and those before that nobody has
 * read.
 *
 * @param reads false: only those since it was asked, as for the reviewer of a phase, who takes no others
 */
export const answersTo = <T extends Pick<Message, 'id' | 'to' | 'state'>>(
  session: SessionId,
  messages: readonly T[],
  askedAfter = Number.MAX_SAFE_INTEGER,
  reads = true,
): T[] =>
  messages.filter(
    ({ id, to = session, state }) =>
      to === session && (id > askedAfter ? state !== 'refused' : reads && state === 'waiting'),
  )

const MOST_QUESTION = 4_000

/** For an agent that starts over: the question of the one before, and what people have said since. */
export const askedBefore = (question: string, said: readonly Message[]): string =>
  `\n\nAn agent has worked on this before, and has asked a person:\n\n${fenced(question, MOST_QUESTION)}\n\n${saidOnce(said).map(messageForAgent).join('\n\n')}\n`

/** For an agent that begins: messages that have waited for it. */
const saidSince = (said: readonly Message[]): string =>
  said.length === 0
    ? ''
    : `\n\nPeople have said this since the task was written:\n\n${saidOnce(said).map(messageForAgent).join('\n\n')}\n`

/** The text at the end of the prompt of an agent that starts over, and the messages in it. */
export type Heard = { text: string; said: readonly Message[] }

/**
 * @param question absent: nothing was asked
 * @param reads the agent reads messages that wait, also those from before it asked
 */
export function heardOf({ id, deps }: LiveExecution, question: Answered | undefined, reads: boolean): Heard {
  if (question === undefined) {
    const said = reads ? firstToTell(deps.store.waitingMessages(id)) : []
    return { text: saidSince(said), said }
  }
  const { session, text } = question
  const said = answersTo(session, deps.store.messages(id), deps.store.askedSessions(id).get(session), reads)
  return { text: askedBefore(text, said), said }
}

/** They are in the prompt of this session. */
export async function readInPrompt(
  { deps }: LiveExecution,
  session: SessionId,
  { said }: Pick<Heard, 'said'>,
): Promise<void> {
  const places = said.map(({ id }) => ({ id, place: null }))
  if (places.length > 0) await deps.store.messagesDelivered(session, 'prompt', places)
}
