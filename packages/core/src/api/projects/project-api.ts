import type { Reason } from '../../dispatch/reason.ts'
import type { FreshStarts } from '../../execution/fresh-starts/fresh-starts.ts'
import type { RetryPolicy } from '../../records/retry.ts'
import type { TokenUse } from '../../budget/token-use.ts'
import type { ProofView } from './environment-api.ts'
import type { PullRequestView } from '../pull-requests/pull-request-api.ts'

/**
 * A project's tracker: `bd`, `jsonl` (its file, directly), `read-only`, `branch` (the base branch's file) or `none`.
 * `text` describes it in a sentence. `waiting`: changes that the tracker does not have yet; `problem`: why not, ''
 * while they are only on their way.
 */
export type TrackerView = { kind: string; text: string; writable: boolean; waiting: number; problem: string }

/**
 * `configuration`: its settings, in the repository or on this server, have errors. `repository`: it cannot be read.
 * `base`: the commit that its beads start from has failed its proof. `other`: anything else that keeps it from running
 * (no model).
 */
export type ProjectProblemKind = 'configuration' | 'repository' | 'base' | 'other'

export type ProjectView = {
  id: string
  name: string
  source: string
  baseBranch: string | null
  workBranch: string
  autopilot: boolean
  paused: boolean
  /** Why autopilot, which is on, has paused itself; left out if it has not. */
  brake?: Reason
  /** A sentence when the project cannot run ("beadloom.json: unknown key …"), else null. */
  problem: string | null
  /** The kind of `problem`; null without one. */
  problemKind: ProjectProblemKind | null
  /** The proof of the commit that its beads start from; left out if not known yet. */
  base?: Omit<ProofView, 'checks'>
  /** Warnings from reading its beads: broken lines, duplicate ids, cycles. */
  warnings: string[]
  /** A sentence if its containers get less memory than it asks for; else left out. */
  memoryNote?: string
  /** A sentence if the model's endpoint may run tools of its own for it; else left out. */
  hostedNote?: string
  agent: string
  model: string | null
  modelNote: string | null
  test: string | null
  setup: string | null
  /** The retry policy of an execution unless its request says otherwise. */
  retry: RetryPolicy
  maxAttempts: number
  /** Fresh starts of the built-in agent; left out while the project's settings are not known. */
  freshStarts?: Pick<FreshStarts, 'retryOnFailure' | 'maxRetries'>
  beadCounts: { open: number; in_progress: number; blocked: number; timeout: number; done: number; ready: number }
  syncedAt: number | null
  /** Null before the first sync. */
  tracker: TrackerView | null
  /** The newest one that was asked for, in any state. */
  pullRequest: PullRequestView | null
  /** Changes whenever somebody dismisses a notice of the inbox or restores it; older servers leave it out. */
  dismissals?: number
  /**
   * Its executions' use of today (UTC), and the limit; `perDay` null: no limit. `asks`: at the limit they wait for a
   * person.
   */
  tokens?: { today: TokenUse; perDay: number | null; asks: boolean; currency: string }
}
