import type { MarkKind } from './step.ts'

const ROUND = /^step \d+ of \d+$/
const FRESH = /^\[REACT\] Attempt \d+\/\d+ for task$/
const HANDOVER = /^the context is .{0,10}full: the agent continues/
const COMPACTION = /\bshorten(?:ed)? (?:its context|it to)\b|\bcompact(?:ed|ions?)\b/i
/** Matches the report of a retry, and not the advice to retry. */
const RETRY =
  /\b(?:trying|asking|tried|asked|asks \S+(?: \S+)?) again\b|\bretrying\b|\breconnecting\b|\basked to wait until\b/i

/** An event of the conversation itself, by a line's first characters; null for every other line. */
export function markOf(line: string): { of: MarkKind; text: string } | null {
  const text = line.slice(2)
  if (line.startsWith('· '))
    return FRESH.test(text) ? { of: 'fresh', text } : ROUND.test(text) ? { of: 'round', text } : null
  if (line.startsWith('# '))
    return { of: COMPACTION.test(text) ? 'compaction' : RETRY.test(text) ? 'retry' : 'note', text }
  if (!line.startsWith('! ')) return null
  return { of: HANDOVER.test(text) ? 'handover' : COMPACTION.test(text) ? 'compaction' : warned(text), text }
}

const warned = (text: string): MarkKind => (RETRY.test(text) ? 'retry' : 'warning')
