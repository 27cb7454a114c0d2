import { apiOfAgent } from '@beadloom/core/agents/presets.ts'
import { descriptionBounds } from '@beadloom/core/bead/task-text.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Ask } from '@beadloom/core/review/ask-step.ts'
import { buildReviewPrompt } from '@beadloom/core/review/review-prompt.ts'
import type { ReviewStep } from '@beadloom/core/review/review-step.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'
import { beginSession } from '../../sandbox/begin-session.ts'
import type { SessionPlan } from '../../sandbox/session-plan.ts'
import { taskOf } from '../task-of.ts'
import { answerBy, answeringPlan } from '../answering.ts'
import { heardOf, readInPrompt, type Heard } from '../questions.ts'
import { factsOf, reviewedFiles } from './reviewed-files.ts'

/** The prompt and plan of a new session: its row is stored when its sandbox is there. */
export async function sessionPlan(
  live: LiveExecution,
  review: ReviewRow,
  { attempt, ...wish }: Ask,
): Promise<() => Promise<SessionPlan>> {
  const heard = heardOf(live, wish.question, true)
  const prompt = await promptOf(live, review, { wrong: wish.wrong, heard })
  return async () => {
    const id = await beginSession(live, 'work', attempt)
    await readInPrompt(live, id, heard)
    return planOf(live, review, id, attempt, prompt)
  }
}

/** The plan of an earlier server's session. It has its order; this one is only for an agent that had not asked yet. */
export async function adoptedPlan(
  live: LiveExecution,
  review: ReviewRow,
  { session, attempt }: Extract<ReviewStep, { do: 'adopt' }>,
): Promise<SessionPlan> {
  return planOf(live, review, session, attempt, await promptOf(live, review, { wrong: null }))
}

/** The reviewer's model. A command line without one chooses its own, and does not tell. */
export async function reviewerModel({ settings, deps, project }: LiveExecution): Promise<string | null> {
  const { agent, model, scenario } = settings
  if (agent === 'command') return model
  return (await deps.gateway.check(model, scenario, apiOfAgent(agent), project.id)).name
}

const planOf = (
  live: LiveExecution,
  review: ReviewRow,
  id: SessionId,
  attempt: number,
  prompt: string,
): Promise<SessionPlan> =>
  // A scenario may have a reviewer's part beside the author's.
  answeringPlan(live, { id, attempt, prompt, at: review.to, branch: review.branch, as: `review:${live.bead.id}` })

async function promptOf(
  live: LiveExecution,
  review: ReviewRow,
  { wrong, heard }: { wrong: string | null; heard?: Heard },
): Promise<string> {
  const { settings } = live
  const asked = buildReviewPrompt({
    projectName: settings.name,
    techStack: settings.techStack,
    task: review.bead === null ? null : taskOf(live, descriptionBounds.reviewer),
    branch: review.branch,
    from: review.from,
    to: review.to,
    files: await reviewedFiles(live, review),
    checks: settings.verify.map(({ command }) => command),
    facts: await factsOf(live, review),
    wrong,
    answerBy: answerBy(live),
  })
  return `${asked}${heard?.text ?? ''}`
}
