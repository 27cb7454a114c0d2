import { MOST_STORED } from '@beadloom/core/bead/said-text.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import type { LiveExecution } from './live-execution.ts'

/**
 * The messages of people to the agents of this bead so far, in any execution. Without those that still wait: the gateway
 * adds them, or a prompt that says so.
 */
export const saidBefore = ({ bead, project, deps: { store } }: LiveExecution): Message[] =>
  store.messagesOfBead(project.id, bead.id, MOST_STORED).filter(({ state }) => state !== 'waiting')
