import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { useQuery, useQueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { newsOf, type Known } from './review-news.ts'
import { reviewState, type ReviewState } from './review-state.ts'
import { getReview, getReviews } from '../../api/endpoints.ts'
import { useBoard, useHome, useLive } from '../../feed/feed-context.tsx'
import type { BoardView } from '../../feed/board-fold.ts'

const noQueue: never[] = []
export const reviewKeys = {
  all: (project: string) => ['reviews', project] as const,
  list: (project: string) => ['reviews', project, 'list'] as const,
  newest: (project: string, bead: string | null) => ['reviews', project, 'newest', bead] as const,
  one: (id: string) => ['review', id] as const,
}

/**
 * Reads reviews again when the feed has news of them: the feed has their executions, HTTP their results. Mounted once
 * per project, whatever page is open.
 */
export function useReviewNews(project: string): void {
  const { view } = useBoard(project)
  const { epoch, executions } = view ?? {}
  const queries = useQueryClient()
  const known = useRef<Known>({ of: '', tokens: new Map() })
  useEffect(() => {
    if (executions === undefined) return
    const news = newsOf(known.current, `${project} ${epoch}`, executions.values())
    known.current = news.known
    if (news.reviews) void queries.invalidateQueries({ queryKey: reviewKeys.all(project) })
    // Work that ended may have moved a branch, so a review may no longer be of the branch's tip.
    if (news.reviews || news.work) void queries.invalidateQueries({ queryKey: ['review'] })
  }, [project, epoch, executions, queries])
}

/** The newest execution of the kind `review` in the feed for a bead; null: for the work branch. */
function liveOf(executions: BoardView['executions'] | undefined, bead: string | null): ExecutionView | null {
  let newest: ExecutionView | null = null
  for (const one of executions?.values() ?? [])
    if (one.kind === 'review' && one.bead === (bead ?? WORK_BRANCH_BEAD))
      if (newest === null || one.queuedAt > newest.queuedAt) newest = one
  return newest
}

export type TargetReview = {
  state: ReviewState
  review: ReviewView | null
  known: boolean
  /** The error that keeps its reviews unknown. */
  error: Error | null
  retry: () => void
}

/** The state of the newest review of a bead; null: of the work branch. */
export function useTargetReview(project: string, bead: string | null): TargetReview {
  // Not the whole board, which moves all the time.
  const executions = useLive(({ topics }) => topics[`board:${project}`]?.view?.executions)
  const queue = useHome().view?.status?.queue ?? noQueue
  const live = liveOf(executions, bead)
  const list = useQuery({
    queryKey: reviewKeys.newest(project, bead),
    queryFn: ({ signal }) => getReviews(project, { of: bead, limit: 1 }, signal),
  })
  const newest = list.data?.items[0] ?? null
  const ended = newest !== null && isTerminal(newest.state)
  const one = useQuery({
    queryKey: reviewKeys.one(newest?.id ?? ''),
    queryFn: ({ signal }) => getReview(newest?.id ?? '', signal),
    enabled: ended,
  })
  const review = one.data?.id === newest?.id && ended ? (one.data ?? newest) : newest
  const current = live && (review === null || live.id === review.id || live.queuedAt > review.queuedAt) ? live : null
  const matching = current === null || current.id === review?.id ? review : null
  const statuses = useLive(({ topics }) => statusesIn(matching, topics[`board:${project}`]?.view ?? null))
  const shown = useMemo(() => withStatuses(matching, statuses), [matching, statuses])
  return {
    state: reviewState(shown, current, queue),
    review: shown,
    known: list.data !== undefined || list.isError || live !== null,
    error: list.data === undefined && live === null ? list.error : null,
    retry: () => void list.refetch(),
  }
}

export type OneReview = {
  review: ReviewView | null
  execution: ExecutionView | null
  state: ReviewState
  error: Error | null
  retry: () => void
}

/** One review with the feed's newer facts: the progress of its execution, and the state of its beads. */
export function useReview(project: string, id: string): OneReview {
  const { view } = useBoard(project)
  const queue = useHome().view?.status?.queue ?? noQueue
  const { data, error, refetch } = useQuery({
    queryKey: reviewKeys.one(id),
    queryFn: ({ signal }) => getReview(id, signal),
  })
  const execution = view?.executions.get(id) ?? null
  const review = useMemo(() => withBeads(data ?? null, view), [data, view])
  const state = reviewState(review, execution, queue)
  return { review, execution, state, error, retry: () => void refetch() }
}

/** Keeps an answer with a review's current state until the feed has a newer one. */
export function useReviewCache(project: string): (review: ReviewView) => void {
  const queries = useQueryClient()
  return (review) => {
    queries.setQueryData(reviewKeys.one(review.id), review)
    void queries.invalidateQueries({ queryKey: reviewKeys.all(project) })
  }
}

/** The review with its issues' beads as the feed has them: a bead closed elsewhere shows here. */
export const withBeads = (review: ReviewView | null, view: BoardView | null): ReviewView | null =>
  withStatuses(review, statusesIn(review, view))

type Status = BeadCard['status'] | undefined
const statusesIn = (review: ReviewView | null, view: BoardView | null): Status[] =>
  (review?.issues ?? []).map(({ bead }) => (bead === null ? undefined : view?.beads.get(bead)?.status))

function withStatuses(review: ReviewView | null, statuses: readonly Status[]): ReviewView | null {
  if (review === null) return null
  const issues = review.issues.map((issue, index) => {
    const beadStatus = statuses[index] ?? issue.beadStatus
    return beadStatus === issue.beadStatus ? issue : { ...issue, beadStatus }
  })
  // The board changes all the time; an unchanged review stays the same object.
  return issues.every((issue, index) => issue === review.issues[index]) ? review : { ...review, issues }
}

const PAGE = 50

export type ReviewRow = { review: ReviewView; state: ReviewState }

/** All reviews of a project, newest first, page by page. */
export function useReviewList(project: string) {
  const { view } = useBoard(project)
  const queue = useHome().view?.status?.queue ?? noQueue
  const query = useInfiniteQuery({
    queryKey: reviewKeys.list(project),
    queryFn: ({ signal, pageParam }) =>
      getReviews(project, { limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const rows = useMemo<ReviewRow[] | null>(
    () =>
      query.data?.pages
        .flatMap(({ items }) => items)
        .map((one) => {
          const review = withBeads(one, view) ?? one
          return { review, state: reviewState(review, view?.executions.get(one.id) ?? null, queue) }
        }) ?? null,
    [query.data, view, queue],
  )
  return { query, rows }
}
