import { askStep, type AskHistory, type AskStep, type Parsed } from '../review/ask-step.ts'
import type { Plan } from './plan.ts'
import { readPlanText } from './read-plan.ts'

/** What the planning of a bead does next, from what the store knows and nothing else. */
export const planningStep = (history: AskHistory): AskStep<Plan> => askStep(history, parsePlan)

function parsePlan(text: string): Parsed<Plan> {
  const read = readPlanText(text)
  return 'plan' in read ? { answer: read.plan } : { wrong: read.problems.join(' ') }
}
