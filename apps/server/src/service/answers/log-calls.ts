import { MOST_CALL_LINES, type LogCall } from '@beadloom/core/api/log-api.ts'
import { executionOf, type SessionId } from '@beadloom/core/ids.ts'
import type { Store } from '../../ports/store.ts'

const PAGE = 5_000
/** As for the outline: whoever floods a log with events floods no page. */
const MOST_EVENTS = 20_000
const MOST_CALLS = 1_000
const MOST_CHARACTERS = 2_000_000

/** The tool calls in some lines of a session's log, [from, to), in their order, as far as the events keep them. */
export function callsOf(
  store: Pick<Store, 'events'>,
  session: SessionId,
  { from, to = from + MOST_CALL_LINES }: { from: number; to?: number | undefined },
): LogCall[] {
  const end = Math.min(to, from + MOST_CALL_LINES)
  const calls: LogCall[] = []
  let characters = 0
  for (let after = 0, seen = 0; seen < MOST_EVENTS; seen += PAGE) {
    const events = store.events(executionOf(session), after, PAGE)
    for (const { session: of, type, line, data, seq } of events) {
      after = seq
      if (of !== session || line === null) continue
      if (line >= end) return calls
      if (type !== 'tool_call' || line < from) continue
      const { tool, arguments: given } = data as Record<string, unknown>
      if (typeof tool !== 'string' || typeof given !== 'string') continue
      characters += given.length
      if (calls.length >= MOST_CALLS || characters > MOST_CHARACTERS) return calls
      calls.push({ line, tool, arguments: given })
    }
    if (events.length < PAGE) break
  }
  return calls
}
