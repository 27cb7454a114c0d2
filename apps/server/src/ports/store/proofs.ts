import type { BaseCheck, BrokenBy, ProofEnd } from '@beadloom/core/environment/proof.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/ids.ts'

/** What was proved: a commit, with the settings that a proof depends on, as a hash. */
export type ProofKey = { project: ProjectId; commit: string; settings: string }

/** Times are milliseconds UTC. */
export type Proof = ProofKey & {
  /** It names the proof's sessions, as that of an execution does. */
  id: ExecutionId
  /** That of the base branch when it began; null: nobody has read it yet. */
  baseCommit: string | null
  state: 'proving' | ProofEnd['is']
  /** What keeps the project from starting anything; null where nothing does. */
  by: BrokenBy | null
  text: string
  fix: string
  checks: BaseCheck[]
  /** How often in a row it was broken in the same way, with this one. */
  tries: number
  startedAt: number
  endedAt: number | null
}

/** Without what the checks say, which can be megabytes: names of tests. */
export type ProofHead = Omit<Proof, 'checks'>

export type NewProof = Pick<Proof, 'id' | 'baseCommit' | keyof ProofKey>

/** Proofs of a project's base; the newest few are kept. */
export interface ProofStore {
  /** Replaces one of the same commit and settings. */
  beginProof(proof: NewProof): void
  /** Does nothing where it was dropped meanwhile. */
  endProof(id: ExecutionId, end: ProofEnd, checks: readonly BaseCheck[]): void
  /** Of one that has proved nothing. */
  dropProof(id: ExecutionId): void
  /** One that has ended; null: it was not proved yet. */
  proof(key: ProofKey): Proof | null
  /** The one of a project that has ended last. */
  lastProof(project: ProjectId): Proof | null
  /** Of one project, the newest first. */
  proofs(project: ProjectId): ProofHead[]
  /** The checks of one proof; none if it is not known any more. */
  proofChecks(id: ExecutionId): BaseCheck[]
  /** Those that the server before this one did not end. */
  unendedProofs(): Proof[]
}
