import { MOST_CALL_LINES, type LogCall } from '@beadloom/core/api/executions/log-api.ts'
import { executionOf, type SessionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import { eventParts } from '../../app/stored/event-parts.ts'

const MOST_CALLS = 1_000
const MOST_CHARACTERS = 2_000_000

/** The tool calls in the lines [from, to) of a session's log, in order, as far as the events keep them. */
export async function callsOf(
  store: Pick<Store, 'eventPart'>,
  session: SessionId,
  { from, to = from + MOST_CALL_LINES }: { from: number; to?: number | undefined },
): Promise<LogCall[]> {
  const end = Math.min(to, from + MOST_CALL_LINES)
  const calls: LogCall[] = []
  let characters = 0
  for await (const events of eventParts(store, executionOf(session), { session, types: ['tool_call'] }))
    for (const { line, data } of events) {
      if (line === null || line < from) continue
      if (line >= end) return calls
      const { tool, arguments: given } = data as Record<string, unknown>
      if (typeof tool !== 'string' || typeof given !== 'string') continue
      characters += given.length
      if (calls.length >= MOST_CALLS || characters > MOST_CHARACTERS) return calls
      calls.push({ line, tool, arguments: given })
    }
  return calls
}
