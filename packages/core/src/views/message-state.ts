import type { Message, MessageCarrier } from '../records/message.ts'

const carriers: Record<MessageCarrier, string> = { gateway: 'added by the gateway', prompt: 'in its prompt' }

/**
 * Whether an agent has a message, in words.
 *
 * @param timeText the words for a time in milliseconds UTC
 */
export function messageStateText(
  { state, when, to, delivered }: Pick<Message, 'state' | 'when' | 'to' | 'delivered'>,
  timeText: (at: number) => string,
): string {
  // A session's id ends with its number. Another one reads it if that has ended before.
  const agentOf = (session: string) => `the agent of session ${session.slice(session.lastIndexOf('.') + 1)}`
  switch (state) {
    case 'waiting':
      if (when === 'turn') return 'waiting: for the end of its turn'
      return to === undefined ? 'waiting: its agent reads it with its next step' : `waiting: for ${agentOf(to)}`
    case 'delivered': {
      const agent = to === undefined ? 'its agent' : agentOf(delivered?.session ?? to)
      if (delivered === undefined) return `read by ${agent}`
      return `read by ${agent}, ${timeText(delivered.at)}, ${carriers[delivered.through]}`
    }
    case 'refused':
      return 'not read: it ended before'
  }
}
