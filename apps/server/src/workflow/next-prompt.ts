import { saidOnce } from '@beadloom/core/bead/said-text.ts'
import { messageForAgent, type Message } from '@beadloom/core/records/message.ts'

/**
 * The next prompt of an agent that keeps its conversation: it knows its task already. Null: nobody has said anything to
 * it since.
 *
 * @param ending how it has to end its turn
 */
export const nextPrompt = (messages: readonly Message[], ending: string): string | null =>
  messages.length === 0 ? null : [...saidOnce(messages).map(messageForAgent), ending].join('\n\n')
