import type { Verification } from '@beadloom/core/execution/verification.ts'

/** From what one attempt left behind to what the next one did. */
export type AttemptRange = { attempt: number; since: number; from: string; to: string }

/** Ranges between attempts whose commits are known and differ, the newest first. The checks say which commit it was. */
export function attemptRanges(verifications: readonly Verification[]): AttemptRange[] {
  const commits = new Map<number, string>()
  for (const { attempt, purpose, commit } of verifications) if (purpose === 'attempt') commits.set(attempt, commit)
  const known = [...commits].toSorted(([a], [b]) => a - b)
  return known
    .flatMap(([attempt, to], at) => {
      const before = known[at - 1]
      return before === undefined || before[1] === to ? [] : [{ attempt, since: before[0], from: before[1], to }]
    })
    .toReversed()
}
