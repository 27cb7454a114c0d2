import { saidOnce } from '@beadloom/core/bead/said-text.ts'
import { messageForAgent, type Message } from '@beadloom/core/records/message.ts'

/**
 * The next prompt of an agent that keeps its conversation: it knows its task already. Null: nobody has said anything to
 * it since.
 *
 * @param ending how it has to end its turn
 * @param failed why its work has failed since; null: it has not
 */
export const nextPrompt = (messages: readonly Message[], ending: string, failed: string | null = null): string | null =>
  messages.length === 0
    ? null
    : [...(failed === null ? [] : [failed]), ...saidOnce(messages).map(messageForAgent), ending].join('\n\n')
