import type { IncomingHttpHeaders } from 'node:http'
import { AGENT_HEADER, STEP_HEADER } from '@beadloom/core/agents/step-header.ts'
import type { CallPart } from '@beadloom/core/context/context-gauge.ts'
import { asksForSummary, IS_SUMMARIZER } from './summary-words.ts'
import type { RequestBody } from './request-body.ts'

/** A question for a summary is within the last bytes of a conversation, even with the agent's additions behind it. */
const END_BYTES = 32 * 1024
/** The built-in agent names its steps, and those of a second attempt in another way. */
const FIRST_OF_A_FRESH_START = /^a\d+-1\./
/** The words about the model's role are within the first bytes. */
const BEGINNING_BYTES = 4 * 1024

/**
 * Finds the purpose of a call from its request, without parsing it: it may be large. Words that only look like a
 * question for a summary do no harm, since a compaction counts only if the conversation gets shorter.
 */
export function partOf(
  { bytes, members }: Pick<RequestBody, 'bytes' | 'members'>,
  headers: IncomingHttpHeaders,
): CallPart {
  if (headers[AGENT_HEADER] !== undefined) return 'beside'
  const valueOf = (key: string): Buffer | null => {
    const found = members.findLast((member) => member.key === key)
    return found ? bytes.subarray(found.valueStart, found.valueEnd) : null
  }
  const conversation = valueOf('messages') ?? valueOf('input')
  const heads = [valueOf('system'), valueOf('instructions'), conversation]
  const text = (part: Buffer) => part.toString('latin1')
  if (conversation && asksForSummary(text(conversation.subarray(-END_BYTES)))) return 'summary'
  if (heads.some((head) => head && IS_SUMMARIZER.test(text(head.subarray(0, BEGINNING_BYTES))))) return 'summary'
  const tools = valueOf('tools')
  // Codex may put its tools into the conversation.
  const hasTools = tools === null ? bytes.includes('"additional_tools"') : tools.length > '[ ]'.length
  if (!hasTools) return 'beside'
  return FIRST_OF_A_FRESH_START.test(String(headers[STEP_HEADER] ?? '')) ? 'anew' : 'work'
}
