import { askStep, type AskHistory, type AskStep } from './ask-step.ts'
import { parseAnswer, type ParsedAnswer, type ReviewAnswer } from './review.ts'

export type ReviewStep = Exclude<AskStep<ReviewAnswer>, { do: 'answered' }> | { do: 'judge'; parsed: ParsedAnswer }

/** What a review does next, from what the store knows and nothing else. */
export function reviewStep(history: AskHistory): ReviewStep {
  const step = askStep(history, parseAnswer)
  return step.do === 'answered' ? { do: 'judge', parsed: step.parsed } : step
}
