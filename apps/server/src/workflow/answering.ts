import { createHash } from 'node:crypto'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { ReviewWork } from '@beadloom/core/execution/session-order.ts'
import { answerLimits } from '@beadloom/core/review/review.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { agentFor } from '../sandbox/agent-order.ts'
import { checkoutOf, orderOf } from '../sandbox/begin-session.ts'
import type { SessionPlan } from '../sandbox/session-plan.ts'

/** A session that only looks at a commit and answers in one document: a review, or a plan. */
export type Answering = {
  id: SessionId
  attempt: number
  prompt: string
  /** The commit that it looks at, and the branch that it is told of. */
  at: string
  branch: string
  form?: NonNullable<ReviewWork['form']>
  /** The name under which a scripted model knows its agent. */
  as: string
}

/** It can push nothing, and its answers are kept as they come. */
export function answeringPlan(
  live: LiveExecution,
  { id, attempt, prompt, at, branch, form, as }: Answering,
): SessionPlan {
  const { project, stopper, deps } = live
  const nonce = nonceOf(deps, id)
  return {
    id,
    attempt,
    order: orderOf(live, id, checkoutOf(branch, at), {
      kind: 'review',
      prompt,
      nonce,
      ...(form && { form }),
      agent: agentFor(live),
      blockedGraceMs: deps.blockedGraceMs,
    }),
    access: { project: project.id, execution: live.id, pushable: null },
    agent: as,
    signal: stopper.signal,
    onEvent: answerReader(nonce, (number, text) => void deps.store.keepAnswer(id, number, text)),
  }
}

const ANSWER_BY = { openai: 'asked', command: 'stdout', preset: 'message' } as const

/** How its agent gives the document. */
export const answerBy = (live: LiveExecution): (typeof ANSWER_BY)[keyof typeof ANSWER_BY] =>
  ANSWER_BY[agentFor(live).name]

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
