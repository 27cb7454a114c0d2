import { createHash } from 'node:crypto'
import { apiOfAgent } from '@beadloom/core/agents/presets.ts'
import { answerLimits } from '@beadloom/core/review/review.ts'
import { buildReviewPrompt } from '@beadloom/core/review/review-prompt.ts'
import type { ReviewStep } from '@beadloom/core/review/review-step.ts'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import { WORKSPACE, type SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { ReviewRow } from '../ports/store/reviews.ts'
import { adopt } from './adopt.ts'
import { closeContainer, openContainer } from './containers.ts'
import type { RunnerDeps } from './deps.ts'
import { WORK } from './early-container.ts'
import { factsOf, reviewedFiles } from './review-files.ts'
import { beginSession, checkoutOf, type RunContext } from './run-context.ts'
import { runSession, type SessionFacts, type SessionPlan } from './run-session.ts'
import { throwIfStopped } from './stop.ts'
import { agentFor } from './agent-order.ts'

/** A fresh session in a container of its own: nobody else's network, and nothing that it could push. */
export async function reviewSession(
  run: RunContext,
  review: ReviewRow,
  image: string,
  { attempt, wrong }: Extract<ReviewStep, { do: 'ask' }>,
): Promise<SessionFacts> {
  const { store } = run.deps
  if (run.container) await closeContainer(run, run.container) // of a session before this one
  run.container = null
  const prompt = await promptOf(run, review, wrong)
  throwIfStopped(run.stopper)
  run.container = await openContainer(run, { ...WORK, image, network: 'none' })
  store.noteReviewer(run.execution.id, await modelOf(run))
  store.noteExecution(run.execution.id, { attempt })
  run.execution = { ...run.execution, attempt }
  const id = beginSession(run, 'work', attempt)
  return runSession(run, run.container, planOf(run, review, id, attempt, prompt))
}

/** Goes on with a session that began before this server did. */
export async function adoptedReview(
  run: RunContext,
  review: ReviewRow,
  { session, attempt }: Extract<ReviewStep, { do: 'adopt' }>,
): Promise<SessionFacts> {
  const container = adopt(run, session, attempt)
  // It has its order; this one is only for an agent process that had not got as far as to ask.
  const prompt = await promptOf(run, review, null)
  return runSession(run, container, { ...planOf(run, review, session, attempt, prompt), adopt: true })
}

/** Any command line that is given no model chooses one, and does not tell. */
async function modelOf({ settings, deps }: RunContext): Promise<string | null> {
  const { agent, model, scenario } = settings
  return agent === 'command' ? model : (await deps.gateway.check(model, scenario, apiOfAgent(agent))).name
}

function planOf(run: RunContext, review: ReviewRow, id: SessionId, attempt: number, prompt: string): SessionPlan {
  const { execution, project, stopper, deps } = run
  const nonce = nonceOf(deps, id)
  const order: SessionOrder = {
    session: id,
    execution: execution.id,
    workspace: WORKSPACE,
    git: checkoutOf(review.branch, review.to),
    work: { kind: 'review', prompt, nonce, agent: agentFor(run) },
  }
  return {
    id,
    attempt,
    order,
    access: { project: project.id, execution: execution.id, pushable: null },
    onEvent: answerReader(nonce, (number, text) => deps.store.keepAnswer(id, number, text)),
    mayUseModel: true,
    signal: stopper.signal,
  }
}

/** The same for every server that looks at this session, and nothing that its container could know by itself. */
const nonceOf = ({ store }: RunnerDeps, session: SessionId): string =>
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

async function promptOf(run: RunContext, review: ReviewRow, wrong: string | null): Promise<string> {
  const { bead, settings } = run
  return buildReviewPrompt({
    projectName: settings.name,
    techStack: settings.techStack,
    task: review.bead === null ? null : { id: bead.id, title: bead.title, description: bead.description },
    branch: review.branch,
    from: review.from,
    to: review.to,
    files: await reviewedFiles(run, review),
    checks: settings.verify.map(({ command }) => command),
    facts: await factsOf(run, review),
    wrong,
    answerBy: ANSWER_BY[agentFor(run).name],
  })
}
