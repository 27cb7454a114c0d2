import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { OrderedAgent, SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { SessionCause, SessionOutcome } from '@beadloom/core/records/session.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import type { Exit } from '../ports/sandbox.ts'
import type { Turn } from '../execution/turns.ts'
import type { HubAccess } from '../ports/hub.ts'
import type { HeardEvent, Recorded } from '../ports/recorder.ts'
import type { ModelProblem } from './judge-session.ts'

/** The task of a session, and its access meanwhile. */
export type SessionPlan = {
  readonly id: SessionId
  readonly attempt: number
  readonly order: SessionOrder
  readonly access: HubAccess
  /**
   * The name under which a scripted model knows the agent of this session. Null: it has no agent; its output decides
   * nothing, and it may not ask a model.
   */
  readonly agent: string | null
  /** Stops the session; the container is stopped and the promise still resolves. */
  readonly signal: AbortSignal
  /** Called with every event of the session's record, in order. */
  readonly onEvent?: (event: HeardEvent) => void
  /** For a listener that is slower than the session's output: resolves when more may come; null: now. */
  readonly room?: () => Promise<void> | null
}

/** The beginning of a session here. `adopt`: it began before this server did, and its record continues. */
export type Beginning = 'run' | 'adopt'

/** A session in progress. */
export type OpenSession = {
  readonly plan: Pick<SessionPlan, 'id' | 'attempt' | 'agent' | 'signal'> & Partial<Pick<SessionPlan, 'order'>>
  /** The token limit for which one of its calls was refused. */
  refused: UsedUp | null
  /** The number of failed calls of its model since the last answer, and the newest one's problem. */
  unanswered: ({ calls: number } & ModelProblem) | null
  /** Whether its container has ended. */
  ended: boolean
  /** Its agent's current step; absent: it has no agent in a sandbox. */
  readonly turn?: Turn
  /** The id of its container; absent: it has none. */
  readonly container?: string
}

export type SessionFacts = {
  id: SessionId
  outcome: SessionOutcome
  /** A sentence for people. */
  detail: string
  /** The session's own reason; null: it gave none. */
  reason: ResultReason | null
  /** The exit code of its command, as a shell reports it; null: it ran none. */
  exitCode: number | null
  exit: Exit
  recorded: Recorded
  /** The agent's own reason when it said BLOCKED, else null. */
  blocked: string | null
  /** Null: no cause that policy needs. */
  cause: SessionCause | null
}

/** The named agents in the session's order. */
export function agentsIn(order: SessionOrder | undefined): OrderedAgent[] {
  const agent = order && 'agent' in order.work ? order.work.agent : null
  return agent?.name === 'openai' ? (agent.agents ?? []) : []
}
