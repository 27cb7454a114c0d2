import { failuresOf } from '../execution/next-step.ts'
import type { Verification } from '../execution/verification.ts'

/** How many tests the same checks found in an attempt that failed, and how many now. `commit`: that of the former. */
export type Collected = { before: number; after: number | null; commit: string }

/**
 * Compares how many tests a check finds with what it found in the first attempt that it failed in, for where nobody knows what ran
 * on the base. Each check is compared with itself alone: others cover other paths, and an attempt may have other checks.
 *
 * @param former of the execution, all that is known
 * @param now checks of this attempt
 */
export function collectedBefore(former: readonly Verification[], now: readonly Verification[]): Collected | null {
  const attempt = now[0]?.attempt ?? 1
  for (let earlier = 1; earlier < attempt; earlier++) {
    const failures = failuresOf(former, earlier).filter((row) => now.some(isSame(row)))
    const before = countOf(failures)
    const commit = failures[0]?.commit
    if (before !== null && commit)
      return { before, after: countOf(now.filter((row) => failures.some(isSame(row)))), commit }
  }
  return null
}

const isSame =
  ({ name, command }: Verification) =>
  (other: Verification): boolean =>
    other.name === name && other.command === command

const countOf = (rows: readonly Verification[]): number | null => {
  const counts = rows.flatMap(({ type, collected }) => (type === 'test' && collected !== null ? [collected] : []))
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}
