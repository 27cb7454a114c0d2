import type { ReviewView } from '@beadloom/core/api/api.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reviewState, type ReviewState } from './review-state.ts'
import { reviewKeys, withBeads } from './use-reviews.ts'
import { getReviews } from '../../api/endpoints.ts'
import { useBoard, useHome } from '../../feed/feed-context.tsx'

const PAGE = 50
const noQueue: never[] = []

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
