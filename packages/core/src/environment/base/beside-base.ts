import type { Digest } from '../../digest/compose.ts'
import { isSilent } from '../../digest/tests-run.ts'
import type { KnownFailures } from '../../digest/known-failures.ts'
import type { BaseCheck } from './proof.ts'
import { namesFailures } from './unnamed-failure.ts'
import type { VerifyStep } from '../../records/verification.ts'

/** The failed check on the base with the same name and command; null: it does not fail there. */
export const failingOnBase = (
  base: readonly BaseCheck[],
  { name, command }: Pick<VerifyStep, 'name' | 'command'>,
): BaseCheck | null => base.find((check) => !check.passed && check.name === name && check.command === command) ?? null

/** The known failures that a digest may leave out; null if the base's own output names none. */
export const knownOf = (check: BaseCheck | null): KnownFailures | null => (check && namesFailures(check) ? check : null)

/**
 * Whether a failed check shows no more than the base does. If its tool named the failures on the base, the present
 * failures are compared with them. If not, failures cannot be told apart, and a linter says nothing about the work.
 * Tests say nothing either, except that their code is not checked, unless some are known to have run.
 */
export function isOnBase(
  check: BaseCheck | null,
  { exitCode, digest }: { exitCode: number | null; digest: Pick<Digest, 'known' | 'tests'> },
): boolean {
  if (check === null) return false
  if (exitCode === null && check.exitCode !== null) return false // it hangs now, and did not on the base
  if (namesFailures(check)) return digest.known?.only === true
  // If tests ran, a failure without a name may be any of them.
  return check.type !== 'test' || (isSilent(check.tests) && isSilent(digest.tests))
}
