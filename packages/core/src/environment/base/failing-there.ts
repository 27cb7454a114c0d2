import type { VerifyStep } from '../../records/verification.ts'
import type { BaseCheck, ProofEnd } from './proof.ts'

/** A proof that has ended. */
type Proof = { commit: string; state: 'proving' | ProofEnd['is'] }

const isOf = (step: VerifyStep) => (check: BaseCheck) => check.name === step.name && check.command === step.command

/**
 * The checks that fail on the commit where work began, and so do not count against it. A check without a result there
 * has that of the newest proof.
 *
 * @param said the known results there
 * @param proofs with the same settings, the newest first
 */
export function failingThere<P extends Proof>(
  commit: string | null,
  steps: readonly VerifyStep[],
  said: readonly BaseCheck[],
  proofs: readonly P[],
  checksOf: (proof: P) => readonly BaseCheck[],
): BaseCheck[] {
  const exact = proofs.find((proof) => proof.commit === commit)
  // On a broken base no work should have begun: all of it counts.
  if (exact !== undefined && exact.state !== 'red') return []
  const open = steps.filter((step) => !said.some(isOf(step)))
  const [last] = open.length === 0 ? [] : proofs
  const former = last?.state === 'red' ? checksOf(last) : []
  return [...said, ...former.filter((check) => open.some((step) => isOf(step)(check)))].filter(({ passed }) => !passed)
}
