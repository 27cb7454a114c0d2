import type { Refused } from '../records/bead.ts'
import type { ExecutionState } from '../records/execution.ts'
import type { ExecutionId, ProjectId, PullRequestId } from '../records/ids.ts'
import type { ReviewVerdict } from './review.ts'

/**
 * The state of a request for a pull request of the work branch.
 *
 * - `reviewing`: the review that comes first is queued or runs.
 * - `opening`: the review called the commit ready; the branch is being pushed and the forge asked, with retries.
 * - `open`: the pull request is at `url`.
 * - `pushed`: the branch is on the remote, but the remote is not a forge that Beadloom knows, or there is no token for
 *   it; `url` is the compare link if there is one.
 * - `not_ready`: the review said no; nothing was opened.
 * - `failed`: something else; `detail` says what to do.
 */
export const pullRequestStates = ['reviewing', 'opening', 'open', 'pushed', 'not_ready', 'failed'] as const
export type PullRequestState = (typeof pullRequestStates)[number]

/*
 * A wish for a pull request of a project's work branch: its record, its next step, and its moves. Only a commit that a
 * review has called ready is pushed, and a pull request opened for it.
 */

/** The work branch may move during its review; then it is reviewed again. The most reviews in all. */
export const MOST_REVIEWS = 3
/** Beadloom retries a remote or forge that does not answer for a night and a working day. */
export const LONGEST_AWAY_MS = 24 * 3_600_000
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** A wait for the remote or the forge. Times are milliseconds UTC. */
export type Away = { since: number; tries: number; nextAt: number; why: string }

export type PullRequest = {
  id: PullRequestId
  project: ProjectId
  state: PullRequestState
  branch: string
  base: string
  /**
   * The offered change: `from` is the commit where the work branch left the base branch. `commit` is the reviewed one,
   * or differs from it only in the tracker's file.
   */
  from: string
  commit: string
  title: string
  /** A person chose the title; else it comes from the beads. */
  ownTitle: boolean
  review: ExecutionId
  /** The number of reviews of this wish. */
  reviews: number
  /** The commit that the remote is known to have. */
  pushed: string | null
  forge: string | null
  url: string | null
  number: number | null
  away: Away | null
  cancelRequestedAt: number | null
  /** A sentence: its progress, or what to do. */
  detail: string
  askedAt: number
  endedAt: number | null
}

const live: readonly PullRequestState[] = ['reviewing', 'opening']
export const isLivePullRequest = (state: PullRequestState): boolean => live.includes(state)

/** Facts in addition to the stored row. */
export type PullRequestFacts = {
  now: number
  /** The work branch's commit; null: the branch is gone. */
  tip: string | null
  /** The tip is the reviewed commit, or differs from it only in the tracker's file. */
  sameWork: boolean
  /** The review that the row names; null: it no longer exists. */
  review: { state: ExecutionState; detail: string; verdict: ReviewVerdict | null; commit: string } | null
}

export type PullRequestStep =
  | { do: 'wait_for_review' }
  | { do: 'wait'; until: number }
  /** A review of the work branch's present commit. */
  | { do: 'review' }
  /** Stored before anything is pushed. */
  | { do: 'move'; move: PullRequestMove }
  | { do: 'push'; commit: string }
  | { do: 'open'; commit: string }

/** The next step of a live wish, only from stored and known facts: so a restart continues in the same way. */
export function pullRequestStep(row: PullRequest, facts: PullRequestFacts): PullRequestStep {
  const { review, tip, now } = facts
  if (row.cancelRequestedAt !== null) return failed('Cancelled; nothing was opened.')
  if (row.away !== null) {
    if (now - row.away.since >= LONGEST_AWAY_MS)
      return failed(`Given up after a day. ${sentence(row.away.why)} Ask again once that is fixed.`)
    // If it is before `since`, the clock has jumped back, and `nextAt` means nothing.
    if (now < row.away.nextAt && now >= row.away.since) return { do: 'wait', until: row.away.nextAt }
  }
  if (review === null) return failed('Its review no longer exists; ask again.')
  if (review.state === 'QUEUED' || review.state === 'RUNNING') return { do: 'wait_for_review' }
  if (review.state !== 'COMPLETED') return failed(withoutReview(row, review.state, review.detail))
  if (tip === null) return failed(`The work branch ${row.branch} is gone; run a bead, and ask again.`)
  const ready = review.verdict === 'ready'
  if (!facts.sameWork) {
    if (row.reviews < MOST_REVIEWS) return { do: 'review' }
    return ready
      ? failed(
          `${row.branch} moved during each of ${MOST_REVIEWS} reviews. Pause the project (beadloom pause), or wait until its executions have ended, and ask again.`,
        )
      : notReady(review)
  }
  if (!ready) return notReady(review)
  if (row.state === 'reviewing') return { do: 'move', move: { type: 'ready' } }
  if (tip !== row.commit) return { do: 'move', move: { type: 'carried', commit: tip } }
  return { do: row.pushed === tip ? 'open' : 'push', commit: tip }
}

const failed = (detail: string): PullRequestStep => ({ do: 'move', move: { type: 'failed', detail } })

function notReady({ verdict, detail: why }: NonNullable<PullRequestFacts['review']>): PullRequestStep {
  const next =
    verdict === 'unparseable'
      ? 'Ask again to get another review.'
      : 'Each issue is a bead: fix it, or dismiss it and review again (beadloom review --again); then ask again.'
  const detail = `${sentence(why || 'The review says it is not ready.')} Nothing was opened. ${next}`
  return { do: 'move', move: { type: 'not_ready', detail } }
}

function withoutReview({ review }: PullRequest, state: ExecutionState, why: string): string {
  const how = state === 'CANCELLED' ? 'was cancelled' : `ended ${state}`
  return `Its review ${review} ${how}, and nothing is opened without a review${why === '' ? '.' : `: ${sentence(why)}`} Ask again.`
}

export type PullRequestMove =
  /** Another review, of the branch's present commit. */
  | { type: 'reviewed_again'; review: ExecutionId; from: string; commit: string }
  | { type: 'ready' }
  /** Beads have been written to the branch since. */
  | { type: 'carried'; commit: string }
  | { type: 'pushed'; commit: string }
  | { type: 'away'; why: string; retryAt: number | null }
  | { type: 'opened'; forge: string; url: string; number: number; title: string; existed: boolean }
  /** The branch is pushed, and a person does the rest. */
  | { type: 'left'; forge: string | null; url: string | null; detail: string }
  | { type: 'not_ready'; detail: string }
  | { type: 'failed'; detail: string; forge?: string; url?: string }
  | { type: 'cancel' }

const allowedFrom: Record<PullRequestMove['type'], readonly PullRequestState[]> = {
  reviewed_again: live,
  ready: ['reviewing'],
  carried: ['opening'],
  pushed: ['opening'],
  away: live,
  opened: ['opening'],
  left: ['opening'],
  not_ready: live,
  failed: live,
  cancel: live,
}

/** The only place that changes a wish's state; only the store applies it. `at`: now, milliseconds UTC. */
export function movePullRequest(row: PullRequest, move: PullRequestMove, at: number): PullRequest | Refused {
  if (!allowedFrom[move.type].includes(row.state))
    return { refused: `the pull request ${row.id} is ${row.state}; it cannot be ${move.type}` }
  switch (move.type) {
    case 'reviewed_again':
      if (row.reviews >= MOST_REVIEWS) return { refused: `the pull request ${row.id} has used its reviews` }
      return {
        ...row,
        state: 'reviewing',
        review: move.review,
        reviews: row.reviews + 1,
        from: move.from,
        commit: move.commit,
        pushed: null,
        away: null,
        detail: `${row.branch} has moved, so the review ${move.review} of ${short(move.commit)} comes first.`,
      }
    case 'ready':
      return { ...row, state: 'opening', away: null, detail: `Reviewed and ready: publishing ${short(row.commit)}.` }
    case 'carried':
      return { ...row, commit: move.commit, pushed: null }
    case 'pushed':
      if (move.commit !== row.commit) return { refused: `${short(move.commit)} is not what was reviewed` }
      return { ...row, pushed: move.commit, away: null, detail: `Published ${short(move.commit)}; asking the forge.` }
    case 'away':
      return {
        ...row,
        away: awayAgain(row.away, move, at),
        detail: `${sentence(move.why)} Beadloom keeps trying.`,
      }
    case 'opened':
      if (row.pushed !== row.commit) return unpublished(row)
      return {
        ...ended(row, 'open', at),
        forge: move.forge,
        url: move.url,
        number: move.number,
        title: move.title,
        detail: move.existed
          ? `It was already open; its text is now up to date with ${short(row.commit)}.`
          : `Opened with ${short(row.commit)}.`,
      }
    case 'left':
      if (row.pushed !== row.commit) return unpublished(row)
      return { ...ended(row, 'pushed', at), forge: move.forge, url: move.url, detail: move.detail }
    case 'not_ready':
      return { ...ended(row, 'not_ready', at), detail: move.detail }
    case 'failed':
      return {
        ...ended(row, 'failed', at),
        detail: move.detail,
        forge: move.forge ?? row.forge,
        url: move.url ?? row.url,
      }
    case 'cancel':
      return { ...row, cancelRequestedAt: row.cancelRequestedAt ?? at, detail: 'Cancelling.' }
  }
}

const ended = (row: PullRequest, state: PullRequestState, at: number): PullRequest => ({
  ...row,
  state,
  away: null,
  endedAt: at,
})

const unpublished = ({ id, commit }: PullRequest): Refused => ({
  refused: `the pull request ${id} cannot end: ${short(commit)} is not published`,
})

/** The wait grows each time. A forge that asks for more time gets it, but no wait exceeds the day. */
function awayAgain(before: Away | null, { why, retryAt }: { why: string; retryAt: number | null }, at: number): Away {
  const since = before?.since ?? at
  const tries = (before?.tries ?? 0) + 1
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 20), LONGEST_PAUSE_MS)
  return { since, tries, nextAt: Math.min(Math.max(at + pause, retryAt ?? 0), since + LONGEST_AWAY_MS), why }
}

const short = (commit: string): string => commit.slice(0, 12)
const sentence = (text: string): string => `${text.replace(/[.\s]+$/, '')}.`
