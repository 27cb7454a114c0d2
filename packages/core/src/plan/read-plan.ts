import { describeIssueAmong } from '../settings/config-error.ts'
import { answerBounds } from '../review/review.ts'
import { NotOneDocument, parseOneDocument } from '../review/review-json.ts'
import { isObject } from '../text/json-object.ts'
import { oneLine } from '../text/one-line.ts'
import { capital } from '../text/sentence.ts'
import { PlanForm, planBounds, SubtaskForm, type Plan } from '../records/plan.ts'
import { planProblems, tooManyText, type Sketch } from './plan-problems.ts'

/** The most named problems; nobody would fix more one by one. */
const MOST_NAMED = 60

export type ReadPlan = { plan: Plan } | { problems: string[] }

/** A plan, or all its problems, each in a sentence that says what to do. */
export function readPlan(value: unknown): ReadPlan {
  const subtasks = isObject(value) ? value['subtasks'] : null
  if (Array.isArray(subtasks) && subtasks.length > planBounds.subtasksRead)
    return { problems: [tooManyText(subtasks.length)] }
  const parsed = PlanForm.safeParse(value)
  const form = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${oneLine(describeIssueAmong(Object.keys(PlanForm.shape))(issue))}.`)
  const problems = [...form, ...planProblems(sketchOf(value))]
  if (parsed.success && problems.length === 0) return { plan: tidy(parsed.data) }
  const more = problems.length - MOST_NAMED
  return { problems: [...problems.slice(0, MOST_NAMED), ...(more > 0 ? [`There are ${more} more problems.`] : [])] }
}

/** The same for a text, which has to be one JSON document. */
export function readPlanText(text: string): ReadPlan {
  try {
    return readPlan(parseOneDocument(text, answerBounds))
  } catch (error) {
    if (!(error instanceof NotOneDocument)) throw error
    const said = oneLine(error.message)
    return { problems: [`${capital(said)}. Give one JSON document and nothing else.`] }
  }
}

/** The readable parts of a plan whose form may be wrong in places, so that its other problems are named, too. */
function sketchOf(value: unknown): Sketch {
  const { goal, planMarkdown, subtasks } = isObject(value) ? value : {}
  return {
    goal: stringOf(goal),
    planMarkdown: stringOf(planMarkdown),
    subtasks: (Array.isArray(subtasks) ? subtasks : []).map((one) => {
      const { id, title, description, type, dependsOn, filesTouched } = isObject(one) ? one : {}
      const known = SubtaskForm.shape.type.safeParse(type)
      return {
        id: stringOf(id),
        title: stringOf(title),
        description: stringOf(description),
        type: known.success ? known.data : null,
        dependsOn: stringsOf(dependsOn),
        filesTouched: stringsOf(filesTouched),
      }
    }),
  }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const stringsOf = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null

function tidy({ goal, planMarkdown, subtasks }: Plan): Plan {
  return {
    goal: goal.trim().toWellFormed(),
    planMarkdown: planMarkdown.toWellFormed(),
    subtasks: subtasks.map((one) => ({
      ...one,
      title: oneLine(one.title),
      description: one.description.trim().toWellFormed(),
      dependsOn: [...new Set(one.dependsOn)],
      filesTouched: [...new Set(one.filesTouched)],
    })),
  }
}

/** The message to a person about a plan that is refused. */
export const describeProblems = (problems: readonly string[]): string =>
  `The plan has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}: ${problems.join(' ')}`
