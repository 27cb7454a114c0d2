/** Enough for a paragraph with a question; a longer reason is cut, the whole text is in the session's log. */
export const MAX_REASON_LENGTH = 2000

const SIGNAL = 'BLOCKED:'
const UNEXPLAINED = 'the agent gave no reason; read the end of its log'

/**
 * Why the agent cannot continue, or null if it did not say so.
 *
 * Only a line that starts with `BLOCKED:` counts, and the last one wins. The placeholder of the prompt, `[reason]`,
 * does not count: an agent that repeats its instructions is not blocked.
 *
 * @param messages the agent's own text of a session, oldest first: never the prompt, a tool's output or a file
 * @returns the reason on one line, without control characters, at most `MAX_REASON_LENGTH` characters
 */
export function findBlocked(messages: readonly string[]): string | null {
  for (let at = messages.length - 1; at >= 0; at--) {
    const lines = (messages[at] ?? '').split(/\r\n|[\n\r\u2028\u2029]/)
    for (let line = lines.length - 1; line >= 0; line--) {
      const reason = reasonIn(lines[line] ?? '')
      if (reason !== null) return reason
    }
  }
  return null
}

function reasonIn(line: string): string | null {
  if (!line.startsWith(SIGNAL)) return null
  const text = line
    .slice(SIGNAL.length, SIGNAL.length + 4 * MAX_REASON_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  if (isPlaceholder(text)) return null
  if (text === '') return UNEXPLAINED
  return text.length <= MAX_REASON_LENGTH ? text : `${text.slice(0, MAX_REASON_LENGTH - 1).toWellFormed()}…`
}

const isPlaceholder = (text: string): boolean =>
  /^[\s"'`“”]*\[reason\][\s"'`“”.]*(?:if you cannot proceed)?\.?$/i.test(text)
