import type { Verification } from '../records/verification.ts'
import { failedAttempts, failuresOf } from './next-step.ts'

/**
 * The commits of a failed attempt and of the failed one before it, if both failed in the same way: without a change
 * between the two, more attempts would only cost. Null: it is the first, or failed in another way.
 *
 * @param told attempts in which a person asked for something: an agent that did only that says nothing about the next
 */
export function sameFailureTwice(
  verifications: readonly Verification[],
  attempt: number,
  told: ReadonlySet<number> = new Set(),
): { from: string; to: string } | null {
  if (told.has(attempt)) return null
  const former = failedAttempts(verifications).find((one) => one < attempt && !told.has(one))
  if (former === undefined) return null
  const [before, after] = [failuresOf(verifications, former), failuresOf(verifications, attempt)]
  const marks = (failures: readonly Verification[]) =>
    failures.map((row) => `${row.name}:${row.fingerprint}`).join('\n')
  return marks(before) === marks(after) ? { from: before[0]?.commit ?? '', to: after[0]?.commit ?? '' } : null
}
