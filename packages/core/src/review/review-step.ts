import { askStep, type AskHistory, type AskStep } from './ask-step.ts'
import { parseAnswer, type ParsedAnswer, type ReviewAnswer } from './review.ts'

export type ReviewStep = Exclude<AskStep<ReviewAnswer>, { do: 'answered' }> | { do: 'judge'; parsed: ParsedAnswer }

/** The next step of a review, only from facts in the store. */
export function reviewStep(history: AskHistory): ReviewStep {
  const step = askStep(history, parseAnswer)
  return step.do === 'answered' ? { do: 'judge', parsed: step.parsed } : step
}
