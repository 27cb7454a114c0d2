import type { LimitView } from '../budgets/budget-api.ts'
import type { Bead } from '../../records/bead.ts'
import type { Reason } from '../../dispatch/reason.ts'
import type { Execution } from '../../records/execution.ts'
import type { Session } from '../../records/session.ts'
import type { Verification } from '../../records/verification.ts'
import type { TestsAllowed } from '../../execution/allowed.ts'
import type { KeptContainer } from './container-api.ts'
import type { ActionView } from '../people/people-api.ts'
import type { PhaseProgress, PhaseSessionView } from '../plans/phase-api.ts'

/** `kind`: `tests_failing`, `merge_conflict`, `execution_failed`, `blocked`, `timeout`. */
export type FollowUpView = { bead: string; kind: string; title: string; status: Bead['status'] }

/** `node`: the machine, if the engine has several. */
export type ExecutionPlace = { engine: string; node: string | null }

export type ExecutionView = Execution & {
  beadTitle: string
  /** Why it has not started; left out once it has, and before the first schedule. */
  whyQueued?: Reason
  /**
   * The command that fetches its branch into a clone on the server's machine, once it has ended with work that its
   * remote may not have; else left out.
   */
  fetch?: string
  /** The last thing that happened, for the card ("running npm test"). */
  activity: string | null
  sessions: Session[]
  /** The engine of its last session; left out if that is the server's own engine. */
  place?: ExecutionPlace
  /** Why the engine has no place for its container, in the engine's words; left out if it does not wait for one. */
  waitsForPlace?: string
  /** Its progress in its plan; left out without a plan. */
  progress?: PhaseProgress
  /** Its sessions that belong to a phase of that plan, with the purpose of each. */
  inPhases?: (PhaseSessionView & { phase: number })[]
  /** Outcomes of the verification steps, oldest first. */
  verifications: Verification[]
  /** Beads that were filed because of how it ended. */
  followUps: FollowUpView[]
  /** Its containers that may hold work that is saved nowhere else. */
  kept: KeptContainer[]
  /** Weaker tests that a person allowed for the bead; left out if there are none. */
  testsAllowed?: TestsAllowed[]
  /**
   * The hosts outside that it reached through the proxy: "git, model, 2 of 14 hosts"; left out if it asked for none.
   */
  reached?: string
  /** People's actions on it, oldest first; left out if nobody can sign in except with the access token. */
  actions?: ActionView[]
  /** Warning signs that have made nothing fail, in sentences ("all 3 attempts failed alike"). */
  signs: string[]
  /** `elapsed` limits for people, milliseconds. */
  timeoutMs: number | null
  /** A note about the model if one is needed (it replays a recording, no AI), else null. */
  modelNote: string | null
  /**
   * While it runs: the limit closest to being reached, of its session, itself or its bead; left out if there are none.
   */
  limit?: LimitView
  /** The present limits of tokens, input and output together; left out if there are none, null: no limit. */
  tokenLimits?: Record<'session' | 'execution' | 'day', number | null>
  /** The currency of `tokens.costMicros`, ISO 4217. */
  currency?: string
}

/** A row of `GET /api/executions/:id/events`; `line` is the log line of the event; `data` depends on `type`. */
export type EventView = {
  seq: number
  at: number
  session: string | null
  type: string
  line: number | null
  data: unknown
}

/**
 * An answer of the polling endpoint. `next` is the `after` of the next request. `ended`: the execution is over and
 * will add no more items, so a reader may stop. (People's later decisions about a review's issues are events too.)
 */
export type EventPage = { items: EventView[]; next: string; ended: boolean }
