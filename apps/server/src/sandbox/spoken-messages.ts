import type { AddedMessage } from '@beadloom/core/gateway/added-messages.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { messageForAgent, type Message } from '@beadloom/core/records/message.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { SpokenMessages } from '../ports/gateway.ts'
import type { PlacedMessage } from '../ports/store/messages.ts'
import { OwnCalls } from './own-calls.ts'
import type { OpenSession, SessionPlan } from './session-plan.ts'

const SHOWN = 500

/** Messages of people to this session's agent. The gateway adds them, because every agent calls a model through it. */
export function spokenMessages(
  live: LiveExecution,
  { id, order, container }: Pick<SessionPlan, 'id' | 'order'> & Pick<OpenSession, 'container'>,
): SpokenMessages {
  const { store, recorder } = live.deps
  const continues = order.work.kind === 'work' && order.work.continues !== undefined
  const own = new OwnCalls(order.work)
  let conversation: ReadonlySet<SessionId> | undefined
  return {
    toAdd: (body, isSummary) => {
      const all = store.messages(live.id)
      if (all.length === 0) {
        if (!isSummary) own.learn(body)
        return []
      }
      const whose = isSummary ? 'unsure' : own.whose(body())
      if (whose === 'another') return []
      const working = store.messageReaders(live.id)
      conversation ??= continues ? sessionsIn(store.sessions(live.id), container).add(id) : new Set([id])
      const known = conversation
      const isNew = (one: PlacedMessage) =>
        whose === 'own' && one.state === 'waiting' && one.when !== 'turn' && readerOf(one, working) === id
      return all
        .filter((one) => isIn(one, known) || isNew(one))
        .map((one): AddedMessage => {
          const text = messageForAgent(one)
          return { id: one.id, text, place: one.place, ...(isSummary && { retold: `${FOR_A_SUMMARY}\n\n${text}` }) }
        })
    },
    delivered: (placed) => {
      const waiting = store.waitingMessages(live.id)
      for (const one of waiting) if (placed.some((at) => at.id === one.id)) recorder.note(id, noteOf(one))
      if (waiting.length > 0) void store.messagesDelivered(id, 'gateway', placed)
    },
  }
}

const FOR_A_SUMMARY = 'This was said to the agent in that conversation, and belongs in the summary:'

/** The gateway has added it to the conversation of these sessions before, so it stays there. */
const isIn = ({ delivered }: PlacedMessage, conversation: ReadonlySet<SessionId>): boolean =>
  delivered?.through === 'gateway' && conversation.has(delivered.session)

/** An agent continues the conversation that it finds in its container. */
const sessionsIn = (sessions: readonly Session[], container: string | undefined): Set<SessionId> =>
  new Set(sessions.flatMap((one) => (one.container === container ? [one.id] : [])))

/** The session whose agent a message is for at the moment: the one that it names, while that works, else the first. */
export const readerOf = ({ to }: Pick<Message, 'to'>, working: readonly SessionId[]): SessionId | undefined =>
  working.find((id) => id === to) ?? working[0]

export const noteOf = ({ by, text }: Pick<Message, 'by' | 'text'>): string => {
  const line = oneLine(text)
  return `${by === '' ? 'A person' : by} says: ${line.length > SHOWN ? `${line.slice(0, SHOWN).toWellFormed()}…` : line}`
}
