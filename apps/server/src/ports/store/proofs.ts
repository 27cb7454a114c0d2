import type { BaseCheck, BrokenBy, ProofEnd } from '@beadloom/core/environment/base/proof.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** The subject of a proof: a commit, with the settings that a proof depends on, as a hash. */
export type ProofKey = { project: ProjectId; commit: string; settings: string }

/** Times are milliseconds UTC. */
export type Proof = ProofKey & {
  /** It names the proof's sessions, as an execution's id does. */
  id: ExecutionId
  /** The base branch's commit when it began; null: not read yet. */
  baseCommit: string | null
  state: 'proving' | ProofEnd['is']
  /** The reason that keeps the project from starting anything; null: none. */
  by: BrokenBy | null
  text: string
  fix: string
  checks: BaseCheck[]
  /** The number of times in a row that it was broken in the same way, this one included. */
  tries: number
  startedAt: number
  endedAt: number | null
}

/** Without the checks' results, which can be megabytes: names of tests. */
export type ProofHead = Omit<Proof, 'checks'>

export type NewProof = Pick<Proof, 'id' | 'baseCommit' | keyof ProofKey>

/** Proofs of a project's base; the newest few are kept. */
export interface ProofStore {
  /** Replaces a proof of the same commit and settings. */
  beginProof(proof: NewProof): void
  /** Does nothing if it was dropped meanwhile. */
  endProof(id: ExecutionId, end: ProofEnd, checks: readonly BaseCheck[]): void
  /** Drops a proof that has proved nothing. */
  dropProof(id: ExecutionId): void
  /** A proof that has ended; null: not proved yet. */
  proof(key: ProofKey): Proof | null
  /** The project's proof that ended last. */
  lastProof(project: ProjectId): Proof | null
  /** The proofs of one project, the newest first. */
  proofs(project: ProjectId): ProofHead[]
  /** The checks of one proof; none if it is no longer known. */
  proofChecks(id: ExecutionId): BaseCheck[]
  /** The proofs that an earlier server did not end. */
  unendedProofs(): Proof[]
}
