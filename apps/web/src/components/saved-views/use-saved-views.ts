import type { SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getSavedViews } from '../../api/saved-views.ts'

const none: SavedView[] = []
const keyOf = (project: string) => ['saved-views', project]

/**
 * The project's views, then those for all projects; none while unknown. Others' changes arrive when a page asks again.
 */
export function useSavedViews(project: string) {
  const client = useQueryClient()
  const { data, refetch } = useQuery({
    queryKey: keyOf(project),
    queryFn: ({ signal }) => getSavedViews(project, signal),
    staleTime: 10_000,
  })
  return {
    views: data?.items ?? none,
    isKnown: data !== undefined,
    /** Stores the server's answer to a change. */
    put: (all: { items: SavedView[] }) => client.setQueryData(keyOf(project), all),
    again: () => void refetch(),
  }
}
