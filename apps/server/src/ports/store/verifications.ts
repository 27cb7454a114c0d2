import type { Verification } from '@beadloom/core/records/verification.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { TestsAllowed } from '@beadloom/core/execution/allowed.ts'

export interface VerificationStore {
  /** The steps of one verification, all at once. */
  addVerifications(execution: ExecutionId, verifications: readonly Verification[]): void
  /** Oldest first. The names of the tests that ran are read on demand: they may be megabytes. */
  verifications(execution: ExecutionId): Verification[]
  /** The same for people, without the names of tests. */
  verificationsInShort(execution: ExecutionId): Verification[]
  /** Whether every check of one verification of this commit has passed, in any execution. */
  isVerified(project: ProjectId, commit: string): boolean
  /** The commits of the newest verifications, newest first. */
  verifiedCommits(project: ProjectId, limit: number): string[]
  /** The steps of the newest verification of this commit in which all passed; empty when there is none. */
  checksOf(project: ProjectId, commit: string): Verification[]
  /** Commits on which this check has passed, newest first, according to the newest verifications. */
  commitsPassing(project: ProjectId, check: Pick<Verification, 'name' | 'command'>, limit: number): string[]
  /** Notes a person's decision that these weaker tests may stay, for the bead and all its executions. */
  allowTests(execution: ExecutionId, allowed: Omit<TestsAllowed, 'at'>): void
  /** Everything that people allowed for a bead, oldest first. */
  testsAllowed(project: ProjectId, bead: BeadId): TestsAllowed[]
  /** Counts a retry for the metrics; `reason` is a failure's kind or an equally stable word. */
  addRetry(execution: ExecutionId, layer: RetryLayer, reason: string): void
}

/**
 * The thing that was tried again: a call of the model, a whole execution by its retry policy (`run`, the word in old
 * databases), an attempt, or the work by a bead that was filed for later.
 */
export type RetryLayer = 'api_call' | 'run' | 'verification' | 'follow_up'
