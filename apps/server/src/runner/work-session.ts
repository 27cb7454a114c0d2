import { commitMessage } from '@beadloom/core/bead/branch.ts'
import type { NextStep } from '@beadloom/core/execution/next-step.ts'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import { WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { adopt } from './adopt.ts'
import { agentFor } from './agent-order.ts'
import { digestOfFailures } from './history.ts'
import { promptFor, taskOf } from './prompt-inputs.ts'
import { beginSession, checkoutOf, type RunContext } from './run-context.ts'
import { runSession, type SessionFacts, type SessionPlan } from './run-session.ts'

/** A fresh session of the agent in the execution's container. `digest`: what failed in the attempts before. */
export async function workSession(run: RunContext, attempt: number, digest: string | null): Promise<SessionFacts> {
  const container = run.container
  if (!container) throw new Error(`${run.execution.id} has no container`)
  const id = beginSession(run, 'work', attempt)
  const prompt = promptFor(run, attempt, digest)
  run.deps.store.addEvent(run.execution.id, id, 'prompt', {
    attempt,
    chars: prompt.length,
    taskChars: taskOf(run).length,
  })
  const fresh = container.used !== true
  container.used = true
  run.unsaved = true
  return runSession(run, container, planOf(run, id, attempt, orderOf(run, id, attempt, prompt, fresh)))
}

/** Goes on with a session that began before this server did. */
export async function adoptedSession(
  run: RunContext,
  { session, attempt }: Extract<NextStep, { do: 'adopt' }>,
): Promise<SessionFacts> {
  const { store } = run.deps
  const container = adopt(run, session, attempt)
  container.used = true
  run.unsaved = true
  // It has its order; this one is only for an agent process that had not got as far as to ask.
  const failures = store.verifications(run.execution.id).filter((row) => row.attempt < attempt)
  const prompt = promptFor(run, attempt, attempt > 1 ? digestOfFailures(failures) : null)
  const order = orderOf(run, session, attempt, prompt, attempt === 1)
  return runSession(run, container, { ...planOf(run, session, attempt, order), adopt: true })
}

function planOf(run: RunContext, id: SessionPlan['id'], attempt: number, order: SessionOrder): SessionPlan {
  const { execution, project, stopper } = run
  return {
    id,
    attempt,
    order,
    access: { project: project.id, execution: execution.id, pushable: { branch: execution.branch } },
    mayUseModel: true,
    signal: stopper.signal,
  }
}

function orderOf(
  run: RunContext,
  session: SessionPlan['id'],
  attempt: number,
  prompt: string,
  fresh: boolean,
): SessionOrder {
  const { execution, bead } = run
  return {
    session,
    execution: execution.id,
    workspace: WORKSPACE,
    git: checkoutOf(execution.branch, execution.baseCommit ?? ''),
    work: {
      kind: 'work',
      prompt,
      fresh,
      commitMessage: commitMessage(bead.id, bead.title),
      saveRef: saveRef(run, attempt),
      agent: agentFor(run),
    },
  }
}

/** A run that is repeated has a ref of its own: what an earlier one saved is never overwritten. */
const saveRef = ({ execution: { id, retryAttempt } }: RunContext, attempt: number): string =>
  `refs/beadloom/${id}/attempt-${attempt}${retryAttempt > 0 ? `-run-${retryAttempt + 1}` : ''}`
