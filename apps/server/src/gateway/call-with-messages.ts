import { withMessages, type WithMessages } from '@beadloom/core/gateway/added-messages.ts'
import type { ReadCall } from './call.ts'
import { editedBytes } from './upstream/shaped-request.ts'

export type WithAdded = { body: Buffer; placed: WithMessages['placed'] }

/**
 * A call's request with what people say to its agent. Only the agent's own steps have it: no sub-agent, no summary, no
 * question beside the work.
 */
export function callWithMessages({ who, dialect, hand, body }: ReadCall): WithAdded {
  const asIs = { body, placed: [] }
  if (!who.messages || dialect === 'count' || hand === null) return asIs
  let text: string | null = null
  const textOf = () => (text ??= body.toString('latin1'))
  const messages = who.messages.toAdd(textOf)
  if (messages.length === 0) return asIs
  const { edits, placed } = withMessages(dialect, textOf(), messages)
  return { body: editedBytes(body, edits), placed }
}
