import type { CommitView } from '@beadloom/core/api/executions/diff-api.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'

/** A part of the branch, as the address names it. Without one, the whole branch is shown. */
export type RangeName = { range: number | undefined; commit: string | undefined }

export type DiffRange = { key: string; from: string; to: string; name: RangeName; label: string }

const SHORT = 7
const MOST_SUBJECT = 72

export const shortCommit = (commit: string): string => commit.slice(0, SHORT)

/** Choices besides the whole branch. A commit without a parent is left out: it changed nothing. */
export function diffRanges(attempts: readonly AttemptRange[], commits: readonly CommitView[]): DiffRange[] {
  return [
    ...attempts.map(({ attempt, since, from, to }) => ({
      key: `attempt ${attempt}`,
      from,
      to,
      name: { range: attempt, commit: undefined },
      label: `Attempt ${attempt} vs. attempt ${since}`,
    })),
    ...commits.flatMap(({ commit, parent, subject }) =>
      parent === null
        ? []
        : [
            {
              key: `commit ${commit}`,
              from: parent,
              to: commit,
              name: { range: undefined, commit: shortCommit(commit) },
              label: `${shortCommit(commit)} ${subject.length > MOST_SUBJECT ? `${subject.slice(0, MOST_SUBJECT)}…` : subject}`,
            },
          ],
    ),
  ]
}

/** The range in the address; null: the whole branch, also if the branch no longer has the range. */
export function rangeOf(ranges: readonly DiffRange[], { range, commit }: RangeName): DiffRange | null {
  if (range !== undefined) return ranges.find(({ name }) => name.range === range) ?? null
  if (commit === undefined || commit.length < SHORT) return null
  return ranges.find(({ name, to }) => name.commit !== undefined && to.startsWith(commit)) ?? null
}

/** From the commit that one attempt left to the next one's. */
export type AttemptRange = { attempt: number; since: number; from: string; to: string }

/** Ranges between attempts whose commits are known and differ, newest first. The checks tell the commits. */
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
