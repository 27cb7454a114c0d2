import { askStep, type AskHistory, type AskStep, type Parsed } from '../review/ask-step.ts'
import type { Plan } from '../records/plan.ts'
import { readPlanText } from './read-plan.ts'

/** The next step of planning a bead, only from facts in the store. */
export const planningStep = (history: AskHistory): AskStep<Plan> => askStep(history, parsePlan)

function parsePlan(text: string): Parsed<Plan> {
  const read = readPlanText(text)
  return 'plan' in read ? { answer: read.plan } : { wrong: read.problems.join(' ') }
}
