import { failuresOf } from '../execution/next-step.ts'
import type { Verification } from '../records/verification.ts'

/** The number of tests that the same checks found in a failed attempt, and now. `commit` is the former one's. */
export type Collected = { before: number; after: number | null; commit: string }

/**
 * Compares a check's number of tests with that of the first attempt in which it failed, if it is unknown what ran on
 * the base. Each check is compared only with itself: others cover other paths, and an attempt may have others.
 *
 * @param former all known ones of the execution
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
