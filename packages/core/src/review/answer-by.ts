/**
 * The way in which an agent returns a requested document: in answer to a separate question, on standard output, or as
 * its last message.
 */
export type AnswerBy = 'asked' | 'stdout' | 'message'

/** The agent's instruction about that. */
export const answerText: Record<AnswerBy, string> = {
  asked:
    'When you have looked at everything, say so. You are then asked for one JSON document, and nothing else is read.',
  stdout:
    'Print exactly one JSON document on standard output and nothing else: no text before or after it, no code fence. Anything else is no answer.',
  message:
    'Only your last message is read. It is exactly one JSON document and nothing else: no text before or after it, no code fence, and not in a file. Anything else is no answer.',
}
