import type { Refused } from '@beadloom/core/records/bead.ts'
import type { MessagePlace } from '@beadloom/core/gateway/added-messages.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Message, MessageCarrier } from '@beadloom/core/records/message.ts'

/** `to`: a session that works; `all`: a message for each of them. */
export type NewMessage = Pick<Message, 'execution' | 'by' | 'text' | 'when'> & { to?: string | undefined }
/** The reason why a message is not taken: a word for programs, and a sentence with the next step. */
export type NotTaken = Refused & {
  code:
    | 'not_found'
    | 'ended'
    | 'not_started'
    | 'being_stopped'
    | 'being_merged'
    | 'one_turn'
    | 'no_such_agent'
    | 'too_many_messages'
}
export type PlacedMessage = Message & { place: MessagePlace | null }

/** Messages of people to agents. */
export interface MessageStore {
  /**
   * The sessions whose agents people can say something to, the one that has worked for the longest time first. The
   * reviewer of a phase is none: it changes nothing, so what people say waits for the next worker.
   */
  messageReaders(execution: ExecutionId): SessionId[]
  /**
   * Refused if it has ended, has not started, has had too many or has too many waiting ones, if its work is being merged, or if the session
   * does not work. Returns the first one.
   */
  addMessage(message: NewMessage): Message | NotTaken
  /** All of an execution, oldest first. */
  messages(execution: ExecutionId): PlacedMessage[]
  /** The newest of all executions of a bead, oldest first, whether an agent had them or not. */
  messagesOfBead(project: ProjectId, bead: BeadId, most: number): Message[]
  /** The messages that no agent has yet, oldest first. */
  waitingMessages(execution: ExecutionId): PlacedMessage[]
  /** They are in the conversation of this session's agent, at these places. One that is there already stays as it was. */
  messagesDelivered(
    session: SessionId,
    through: MessageCarrier,
    messages: readonly { id: number; place: MessagePlace | null }[],
  ): void
  /** From now on none is accepted. False if one waits: then an agent has to have it first. */
  closeMessages(execution: ExecutionId): boolean
  /** An agent can have them again. */
  openMessages(execution: ExecutionId): void
}
