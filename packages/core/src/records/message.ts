import { fenced } from '../text/fenced.ts'
import { oneLine } from '../text/one-line.ts'
import type { ExecutionId, SessionId } from './ids.ts'

/**
 * When a message counts. `step`: in the agent's next request to its model. `turn`: once the agent has ended its turn by
 * itself, as its next prompt. `now`: as `step`, and what the agent does at the moment is ended: the answer of its model,
 * or the commands that it runs.
 */
export const messageTimes = ['step', 'turn', 'now'] as const
export type MessageTime = (typeof messageTimes)[number]

/**
 * `waiting`: stored, and no agent has it. `delivered`: it is in the agent's conversation. `refused`: its execution ended
 * before.
 */
export const messageStates = ['waiting', 'delivered', 'refused'] as const
export type MessageState = (typeof messageStates)[number]

/** Who put it into the conversation: the gateway, or the prompt of a session. */
export const messageCarriers = ['gateway', 'prompt'] as const
export type MessageCarrier = (typeof messageCarriers)[number]

/** Characters of a message, and messages of an execution that wait at the same time. */
export const MOST_OF_A_MESSAGE = 20_000
export const MOST_MESSAGES = 100

/**
 * Messages of an execution in all, and within a minute: each stays in the conversation, where every later call of the
 * agent pays for it.
 */
export const MOST_MESSAGES_IN_ALL = 1000
export const MOST_MESSAGES_A_MINUTE = 120

/** A person's words to the agent of an execution. Times are integer milliseconds UTC. */
export type Message = {
  /** Counts over the whole server: messages are delivered in this order. */
  id: number
  execution: ExecutionId
  /** The name of who said it; '' for the holder of the access token. */
  by: string
  text: string
  when: MessageTime
  /** The session whose agent it is for, while that works; absent: the one that has worked for the longest time. */
  to?: SessionId
  state: MessageState
  at: number
  /** The session whose agent has it, and how it got there; absent until then. */
  delivered?: { at: number; session: SessionId; through: MessageCarrier }
}

/**
 * The message as the agent reads it. The words are in a block that they cannot end: otherwise one person's text could
 * continue with a message of another's.
 */
export const messageForAgent = ({ by, text, when }: Pick<Message, 'by' | 'text' | 'when'>): string => {
  const does = when === 'now' ? 'has stopped what you were doing to tell you this' : 'may tell you what to do'
  const who = by === '' ? 'a person' : oneLine(by)
  return `Message from ${who}, who follows your work and ${does}. The whole block is theirs:\n\n${fenced(text, MOST_OF_A_MESSAGE)}`
}

const nextStates: Record<MessageState, readonly MessageState[]> = {
  waiting: ['delivered', 'refused'],
  delivered: [],
  refused: [],
}

export const canMoveMessage = (from: MessageState, to: MessageState): boolean => nextStates[from].includes(to)
