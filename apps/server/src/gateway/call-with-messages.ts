import { withMessages, type WithMessages } from '@beadloom/core/gateway/added-messages.ts'
import type { ReadCall } from './call.ts'
import { editedBytes } from './upstream/shaped-request.ts'

export type WithAdded = { body: Buffer; placed: WithMessages['placed'] }

/**
 * A call's request with what people say to its agent. Only the agent's own steps have it: no sub-agent, no question
 * beside the work. The question for a summary has what the agent knows, so that the summary keeps it, and delivers
 * nothing.
 */
export function callWithMessages({ who, dialect, part, agent, delegated, hand, body }: ReadCall): WithAdded {
  const asIs = { body, placed: [] }
  const isSummary = part === 'summary' && agent === ''
  if (!who.messages || dialect === 'count' || delegated || (hand === null && !isSummary)) return asIs
  let text: string | null = null
  const textOf = () => (text ??= body.toString('latin1'))
  const messages = who.messages.toAdd(textOf, isSummary)
  if (messages.length === 0) return asIs
  const { edits, placed } = withMessages(dialect, textOf(), messages)
  return { body: editedBytes(body, edits), placed: isSummary ? [] : placed }
}
