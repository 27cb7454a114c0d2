import { descriptionBounds } from '@beadloom/core/bead/task-text.ts'
import { buildPlanPrompt } from '@beadloom/core/plan/plan-prompt.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import type { SessionPlan } from '../../sandbox/session-plan.ts'
import type { Heard } from '../questions.ts'
import { taskOf } from '../task-of.ts'
import { answerBy, answeringPlan } from '../answering.ts'

/** A session of the architect. `wrong`: all problems of the plan before. */
export async function planningPlan(
  live: LiveExecution,
  session: { id: SessionId; attempt: number },
  { wrong, heard }: { wrong: string | null; heard?: Heard },
): Promise<SessionPlan> {
  const { bead, settings } = live
  const { baseCommit, branch, context } = storedOf(live)
  const at = baseCommit ?? ''
  const asked = buildPlanPrompt({
    projectName: settings.name,
    techStack: settings.techStack,
    task: taskOf(live, descriptionBounds.architect),
    context,
    commit: at,
    checks: settings.verify.map(({ command }) => command),
    wrong,
    answerBy: answerBy(live),
  })
  const prompt = `${asked}${heard?.text ?? ''}`
  // A scenario may have an architect's part beside the author's.
  return answeringPlan(live, { ...session, prompt, at, branch, form: 'plan', as: `plan:${bead.id}` })
}
