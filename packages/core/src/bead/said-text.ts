import { messageForAgent, type Message } from '../records/message.ts'
import { cutText } from '../text/fenced.ts'

/** The most messages of a bead that an agent is told, and characters of all of them. */
export const MOST_TOLD = 50
const MOST_OF_ALL = 40_000

/** The messages of people to the agents of a bead, for agents that come later; '' for none. */
export const saidText = (messages: readonly Message[]): string =>
  messages.length === 0
    ? ''
    : [
        'People have said this to the agents that worked on it before, oldest first. Their work may be on the branch already.',
        cutText(messages.map(messageForAgent).join('\n\n'), MOST_OF_ALL),
        'What they ask for belongs to the task.',
      ].join('\n\n')
