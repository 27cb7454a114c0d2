import { parseAnswer, ReviewAnswer } from '@beadloom/core/review/review.ts'
import { parametersOf, type Tool } from './tool.ts'

/**
 * How a reviewer answers when the model has no structured output: the arguments are the answer, read as strictly as any
 * other. An invalid one is not submitted.
 */
export function submitReview(take: (answer: string) => Promise<void>): Tool {
  let submitted = false
  return {
    name: 'submit_review',
    description:
      'Submits your review and ends the session. Call it once, when you have looked at everything. An empty list of issues is fine.',
    parameters: parametersOf(ReviewAnswer),
    readOnly: false,
    async run(args) {
      const parsed = parseAnswer(args)
      if ('wrong' in parsed) return { ok: false, text: `Error: ${parsed.wrong}` }
      if (submitted) return { ok: false, text: 'Error: the review was submitted already' }
      submitted = true
      await take(args)
      return { ok: true, text: 'submitted' }
    },
  }
}
