import type { Digest } from '../digest/compose.ts'
import { isSilent } from '../digest/tests-run.ts'
import type { KnownFailures } from '../digest/known-failures.ts'
import type { BaseCheck } from '../environment/proof.ts'
import type { VerifyStep } from './verification.ts'

/** The same check on the base, if it fails there. */
export const failingOnBase = (
  base: readonly BaseCheck[],
  { name, command }: Pick<VerifyStep, 'name' | 'command'>,
): BaseCheck | null => base.find((check) => !check.passed && check.name === name && check.command === command) ?? null

/** What a digest may leave out; null where the base's own output names nothing. */
export const knownOf = (check: BaseCheck | null): KnownFailures | null => (check && namesFailures(check) ? check : null)

const namesFailures = ({ tool, findings }: BaseCheck): boolean => tool !== 'generic' && findings.length > 0

/**
 * Whether a check that failed shows no more than the base does. Where its tool named what fails on the base, all that fails now
 * is compared with that. Where none did, nobody can tell one failure from another: a linter then says nothing about the work.
 * Of tests that says nothing either, but that what they cover is not checked, unless some are known to have run.
 */
export function isOnBase(
  check: BaseCheck | null,
  { exitCode, digest }: { exitCode: number | null; digest: Pick<Digest, 'known' | 'tests'> },
): boolean {
  if (check === null) return false
  if (exitCode === null && check.exitCode !== null) return false // it hangs, which it did not before
  if (namesFailures(check)) return digest.known?.only === true
  // Of tests that ran, one that fails without a name may be any.
  return check.type !== 'test' || (isSilent(check.tests) && isSilent(digest.tests))
}
