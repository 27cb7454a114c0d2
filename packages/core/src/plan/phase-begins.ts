import type { PhaseRow } from './phase-step.ts'

/** A phase that an earlier execution has done, and whether two branches have its commit. */
type Before = {
  done: { preCommit: string } | null
  /** The bead's branch has its commit. */
  isOnBranch: boolean
  /** The work branch has it, so it cannot be taken back. */
  isMerged: boolean
}

/**
 * `taken`: the phase is done. `tip`: it begins at the tip of the branch. `back`: a person wants it again, so the branch
 * moves back to this commit first.
 */
export type PhaseBegins = { is: 'taken' } | { is: 'tip' } | { is: 'back'; to: string }

/**
 * Where a phase begins.
 *
 * @param fromPhase the phase from which a person wants all done again; Infinity: none
 * @param phases the execution's own, so far
 */
export function phaseBegins(
  phase: number,
  fromPhase: number,
  { done, isOnBranch, isMerged }: Before,
  phases: readonly Pick<PhaseRow, 'number' | 'commit'>[],
): PhaseBegins {
  if (done === null || !isOnBranch) return { is: 'tip' }
  if (phase < fromPhase) return { is: 'taken' }
  // Later phases begin where the one that is done again ended.
  if (phase > fromPhase || isMerged) return { is: 'tip' }
  const before = phases.find(({ number }) => number === phase - 1)?.commit
  return { is: 'back', to: before ?? done.preCommit }
}
