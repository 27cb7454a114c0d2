import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { openCount } from './issues/issues.ts'
import type { Tone } from '../bead/states.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

/** The state of the newest review of a bead, or of the work branch, with the words of its button. */
export type ReviewState =
  | { is: 'none' }
  | { is: 'queued'; id: string; text: string; why: string }
  | { is: 'running'; id: string; startedAt: number; stopping: boolean }
  | {
      is: 'ended'
      id: string
      end: ReviewEnd
      /** The button's text: "5 issues", "Ready". */
      text: string
      tone: Tone
      /** The full sentence. */
      why: string
      /** The branch has moved since it was reviewed. */
      moved: boolean
    }

export type ReviewEnd = 'ready' | 'not_ready' | 'unparseable' | 'failed' | 'cancelled'

/** `execution`: the feed's, which is newer than the answer over HTTP; null if the feed has none. */
export function reviewState(
  review: ReviewView | null,
  execution: ExecutionView | null,
  queue: ServerStatus['queue'],
): ReviewState {
  if (execution && !isTerminal(execution.state)) return liveState(execution, queue)
  if (review === null) return { is: 'none' }
  // The feed reports its end; its result is still being loaded.
  if (!isTerminal(review.state)) return liveState(execution ?? review, queue)
  const end = endOf(review)
  return { is: 'ended', id: review.id, end, ...wordsOf(review, end), moved: review.current === false }
}

type Live = Pick<ExecutionView, 'id' | 'state' | 'queuedAt' | 'startedAt'> & { cancelRequestedAt?: number | null }

function liveState(live: Live | ReviewView, queue: ServerStatus['queue']): ReviewState {
  const { id, state, startedAt, queuedAt } = live
  if (state !== 'QUEUED')
    return {
      is: 'running',
      id,
      startedAt: startedAt ?? queuedAt,
      stopping: 'cancelRequestedAt' in live && typeof live.cancelRequestedAt === 'number',
    }
  const entry = queue.find(({ execution }) => execution === id)
  const why = entry?.reason?.text ?? ('reason' in live && typeof live.reason === 'object' ? live.reason?.text : null)
  return {
    is: 'queued',
    id,
    text: entry ? `Queued ${ordinal(entry.position)}` : 'Queued',
    why: why ?? 'starts as soon as a slot is free',
  }
}

export function endOf({ state, verdict }: Pick<ReviewView, 'state' | 'verdict'>): ReviewEnd {
  if (state === 'CANCELLED') return 'cancelled'
  return state === 'COMPLETED' ? (verdict ?? 'failed') : 'failed'
}

function wordsOf(review: ReviewView, end: ReviewEnd): { text: string; tone: Tone; why: string } {
  const why = review.detail
  switch (end) {
    case 'ready':
      return { text: 'Ready', tone: 'completed', why }
    case 'not_ready':
      return { text: review.issues.length === 0 ? 'Not ready' : issuesText(review), tone: 'blocked', why }
    case 'unparseable':
      return { text: 'No usable answer', tone: 'failed', why }
    case 'failed':
      return { text: 'Review failed', tone: 'failed', why }
    case 'cancelled':
      return { text: 'Cancelled', tone: 'queued', why }
  }
}

/** "5 issues", "2 of 5 issues open": the work that is left. */
function issuesText({ issues }: ReviewView): string {
  const open = openCount(issues)
  const all = counted(issues.length, 'issue')
  return open === issues.length ? all : open === 0 ? `${all}, none open` : `${open} of ${issues.length} issues open`
}

/** "2nd". */
export function ordinal(n: number): string {
  const suffix = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${suffix}`
}

/** The reason why a bead cannot be reviewed now, or null. `work` undefined: unknown here. The server decides again. */
export function reviewRefusal(bead: string, work: ExecutionView | null | undefined): string | null {
  if (work === undefined) return null
  if (work === null || (work.startedAt === null && isTerminal(work.state)))
    return `${bead} has not run yet, so there is nothing to review`
  if (!isTerminal(work.state)) return `${bead} is still running; review it afterwards`
  return null
}
