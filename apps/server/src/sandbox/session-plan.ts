import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { SessionCause, SessionOutcome } from '@beadloom/core/execution/session.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import type { Exit } from '../ports/sandbox.ts'
import type { HubAccess } from '../ports/hub.ts'
import type { HeardEvent, Recorded } from '../ports/recorder.ts'
import type { ModelProblem } from './judge-session.ts'

/** What a session is to do, and what it may reach meanwhile. */
export type SessionPlan = {
  readonly id: SessionId
  readonly attempt: number
  readonly order: SessionOrder
  readonly access: HubAccess
  /**
   * The name under which a scripted model knows the agent of this session. Null: it has no agent; what it prints decides
   * nothing, and it may not ask a model.
   */
  readonly agent: string | null
  /** Stops the session; the container is stopped and the promise still resolves. */
  readonly signal: AbortSignal
  /** Told every event of the session's record, in order. */
  readonly onEvent?: (event: HeardEvent) => void
  /** Of whoever is told and reads slower than it prints: resolves when more may come; null: now. */
  readonly room?: () => Promise<void> | null
}

/** How a session is taken up. `adopt`: it began before this server did, and its record continues where it was. */
export type Beginning = 'run' | 'adopt'

/** A session in progress. */
export type OpenSession = {
  readonly plan: Pick<SessionPlan, 'id' | 'attempt' | 'agent' | 'signal'> & Partial<Pick<SessionPlan, 'order'>>
  /** The token limit for which one of its calls was refused. */
  refused: UsedUp | null
  /** The calls of its model that failed since the last one that was answered, and why the newest did. */
  unanswered: ({ calls: number } & ModelProblem) | null
  /** Its container has ended. */
  ended: boolean
}

export type SessionFacts = {
  id: SessionId
  outcome: SessionOutcome
  /** A sentence for people. */
  detail: string
  /** Why, in the session's own word; null where it gave none. */
  reason: ResultReason | null
  /** That of its command, as a shell says it; null where it ran none. */
  exitCode: number | null
  exit: Exit
  recorded: Recorded
  /** The agent's own reason when it said BLOCKED, else null. */
  blocked: string | null
  /** Null where it is none of those that policy has to know. */
  cause: SessionCause | null
}
