import { createHash } from 'node:crypto'
import { apiOfAgent } from '@beadloom/core/agents/presets.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import { buildReviewPrompt } from '@beadloom/core/review/review-prompt.ts'
import type { ReviewStep } from '@beadloom/core/review/review-step.ts'
import { answerLimits } from '@beadloom/core/review/review.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'
import { agentFor } from '../../sandbox/agent-order.ts'
import { beginSession, checkoutOf, orderOf } from '../../sandbox/begin-session.ts'
import type { SessionPlan } from '../../sandbox/session-plan.ts'
import { factsOf, reviewedFiles } from './reviewed-files.ts'

/** What a new session is asked, and how it begins: its row is stored when its sandbox is there. */
export async function sessionPlan(
  live: LiveExecution,
  review: ReviewRow,
  { attempt, wrong }: Extract<ReviewStep, { do: 'ask' }>,
): Promise<() => Promise<SessionPlan>> {
  const prompt = await promptOf(live, review, wrong)
  return async () => planOf(live, review, await beginSession(live, 'work', attempt), attempt, prompt)
}

/** A session that began before this server did. It has its order; this one is only for an agent that had not asked yet. */
export async function adoptedPlan(
  live: LiveExecution,
  review: ReviewRow,
  { session, attempt }: Extract<ReviewStep, { do: 'adopt' }>,
): Promise<SessionPlan> {
  return planOf(live, review, session, attempt, await promptOf(live, review, null))
}

/** The model that the reviewer has. Any command line that is given none chooses one, and does not tell. */
export async function reviewerModel({ settings, deps }: LiveExecution): Promise<string | null> {
  const { agent, model, scenario } = settings
  return agent === 'command' ? model : (await deps.gateway.check(model, scenario, apiOfAgent(agent))).name
}

function planOf(live: LiveExecution, review: ReviewRow, id: SessionId, attempt: number, prompt: string): SessionPlan {
  const { bead, project, stopper, deps } = live
  const nonce = nonceOf(deps, id)
  return {
    id,
    attempt,
    order: orderOf(live, id, checkoutOf(review.branch, review.to), {
      kind: 'review',
      prompt,
      nonce,
      agent: agentFor(live),
      blockedGraceMs: live.deps.blockedGraceMs,
    }),
    access: { project: project.id, execution: live.id, pushable: null },
    agent: `review:${bead.id}`, // a scenario may have a reviewer's part beside the author's
    signal: stopper.signal,
    onEvent: answerReader(nonce, (number, text) => void deps.store.keepAnswer(id, number, text)),
  }
}

/** The same for every server that looks at this session, and nothing that its container could know by itself. */
const nonceOf = ({ store }: ExecutionDeps, session: SessionId): string =>
  createHash('sha256').update(`review ${store.instance} ${store.epoch} ${session}`).digest('hex').slice(0, 32)

/** Puts the pieces of each answer together, whoever else writes lines that look like one. */
export function answerReader(nonce: string, answered: (number: number, text: string) => void) {
  let pieces = ''
  let number = 0
  return (event: EventLine): void => {
    if (event.type !== 'review' || event.nonce !== nonce) return
    // One character too many is enough to be refused.
    pieces = `${pieces}${event.text}`.slice(0, answerLimits.bytes + 1)
    if (!event.last) return
    answered(++number, pieces)
    pieces = ''
  }
}

const ANSWER_BY = { openai: 'asked', command: 'stdout', preset: 'message' } as const

async function promptOf(live: LiveExecution, review: ReviewRow, wrong: string | null): Promise<string> {
  const { bead, settings } = live
  return buildReviewPrompt({
    projectName: settings.name,
    techStack: settings.techStack,
    task: review.bead === null ? null : { id: bead.id, title: bead.title, description: bead.description },
    branch: review.branch,
    from: review.from,
    to: review.to,
    files: await reviewedFiles(live, review),
    checks: settings.verify.map(({ command }) => command),
    facts: await factsOf(live, review),
    wrong,
    answerBy: ANSWER_BY[agentFor(live).name],
  })
}
