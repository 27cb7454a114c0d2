import { ReviewAnswer } from '@beadloom/core/review.ts'
import { defineTool, type Tool } from './tool.ts'

/** How a reviewer answers: the arguments are the answer, in its one form. What does not fit it is not submitted. */
export function submitReview(take: (answer: string) => Promise<void>): Tool {
  let submitted = false
  return defineTool({
    name: 'submit_review',
    description:
      'Submits your review and ends the session. Call it once, when you have looked at everything. An empty list of issues is fine.',
    input: ReviewAnswer,
    async run(answer) {
      if (submitted) return { ok: false, text: 'Error: the review was submitted already' }
      submitted = true
      await take(JSON.stringify(answer))
      return { ok: true, text: 'submitted' }
    },
  })
}
