import { createHash } from 'node:crypto'
import { isPreset } from '@beadloom/core/agents/agent-names.ts'
import { describeFailure } from '@beadloom/core/execution/failure/describe-failure.ts'
import type { ExecutionEnd, TimeoutReason } from '@beadloom/core/records/execution.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { ReviewWork } from '@beadloom/core/execution/session-order.ts'
import type { AnswerBy } from '@beadloom/core/review/answer-by.ts'
import type { AskHistory } from '@beadloom/core/review/ask-step.ts'
import { answerBounds } from '@beadloom/core/review/review.ts'
import type { HeardEvent } from '../ports/recorder.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import { blockedBy, endOfExit, endOfSession, withFullStop } from '../execution/ends.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { agentNameFor } from '../sandbox/agent-order.ts'
import { checkoutOf, orderOf } from '../sandbox/begin-session.ts'
import type { SessionFacts, SessionPlan } from '../sandbox/session-plan.ts'
import { agentOrderOf } from './agent-order-of.ts'
import { endedSession } from '../sandbox/ended-session.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { askPerson, questionsOf } from './questions.ts'

/** A session that only looks at a commit and answers in one document: a review, or a plan. */
export type Answering = {
  id: SessionId
  attempt: number
  prompt: string
  /** The commit that it looks at, and the branch that it is told of. */
  at: string
  branch: string
  form?: NonNullable<ReviewWork['form']>
  /** Its agent's name for a scripted model. */
  as: string
}

/** The plan of a session that can push nothing, and whose answers are kept as they come. */
export async function answeringPlan(
  live: LiveExecution,
  { id, attempt, prompt, at, branch, form, as }: Answering,
): Promise<SessionPlan> {
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
      agent: await agentOrderOf(live, id),
      blockedGraceMs: deps.blockedGraceMs,
    }),
    access: { project: project.id, execution: live.id, pushable: null },
    agent: as,
    signal: stopper.signal,
    onEvent: answerReader(nonce, (number, text) => void deps.store.keepAnswer(id, number, text)),
  }
}

/** The way in which its agent gives the document. */
export function answerBy(live: LiveExecution): AnswerBy {
  const name = agentNameFor(live)
  return isPreset(name) ? 'message' : name === 'command' ? 'stdout' : 'asked'
}

/** The same for every server that looks at this session; its container cannot know it by itself. */
const nonceOf = ({ store }: ExecutionDeps, session: SessionId): string =>
  createHash('sha256').update(`review ${store.instance} ${store.epoch} ${session}`).digest('hex').slice(0, 32)

/** Puts the pieces of each answer together; lines of others that look like one do not count. */
export function answerReader(nonce: string, answered: (number: number, text: string) => void) {
  let pieces = ''
  let number = 0
  return (event: HeardEvent): void => {
    if (event.type !== 'review' || event.nonce !== nonce) return
    // One character above the limit is enough for a refusal.
    pieces = `${pieces}${event.text}`.slice(0, answerBounds.bytes + 1)
    if (!event.last) return
    answered(++number, pieces)
    pieces = ''
  }
}

/** The stored history of an execution that asks for one document, for its next step. */
export function askHistory(live: LiveExecution): AskHistory {
  const { store } = live.deps
  const { id, maxSessions } = storedOf(live)
  const answered = store.answeredSessions(id)
  const sessions = store.sessions(id)
  const questions = questionsOf(store, id, sessions, live.settings.onBlocked === 'wait')
  return { maxSessions, answered, sessions, answers: store.answers(id), questions }
}

/** Asks a person what the agent of a session wants to know. An end if nobody can be asked any more. */
export async function askAbout(live: LiveExecution, session: SessionId): Promise<ExecutionEnd | null> {
  const ended = endedSession(live, session)
  if (!(await askPerson(live, [{ session, question: ended.detail }])))
    return endOfSession(live.settings, storedOf(live).branch, ended)
  return null
}

/** The end after such a session; null: it ended well, and its answer decides. Its sandbox is not used again. */
export async function afterAnswering(
  live: LiveExecution,
  workspace: Workspace,
  facts: SessionFacts,
): Promise<ExecutionEnd | null> {
  const { settings, stopper } = live
  await workspace.close()
  throwIfStopped(stopper)
  if (facts.outcome === 'blocked') return null // a person may be asked first
  if (facts.blocked !== null) return blockedBy(facts.blocked)
  if (facts.outcome === 'infra_error') return endOfExit(facts.exit, settings.limits.memoryBytes, facts.reason)
  return facts.outcome === 'success' ? null : endOfSession(settings, storedOf(live).branch, facts)
}

/** The sentences of a kind of execution that leaves no work. */
export type AnsweringWords = {
  /** Advice for asking for another one: "review it again: …". */
  again: string
  blocked(reason: string): string
  /** The advice for a time limit. */
  timeout(reason: TimeoutReason): string
}

/** The end in these words. */
export function wordedForAnswering(end: ExecutionEnd, { again, blocked, timeout }: AnsweringWords): ExecutionEnd {
  switch (end.state) {
    case 'FAILED':
      if (!end.failure) return end
      return { ...end, detail: `${describeFailure(end.failure.what, again)}${end.failure.more}` }
    case 'BLOCKED':
      return { ...end, detail: blocked(withFullStop(end.blockedReason)) }
    case 'TIMEOUT':
      return { ...end, detail: `${withFullStop(end.detail)} ${timeout(end.reason)}` }
    default:
      return end
  }
}
