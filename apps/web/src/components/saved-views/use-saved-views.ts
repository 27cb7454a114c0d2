import type { SavedView } from '@beadloom/core/api/saved-views-api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getSavedViews } from '../../api/saved-views.ts'

const none: SavedView[] = []
const keyOf = (project: string) => ['saved-views', project]

/** Those of a project, then those for all; none while they are not known. Another person's come when a page asks again. */
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
    /** What an answer to a change says. */
    put: (all: { items: SavedView[] }) => client.setQueryData(keyOf(project), all),
    again: () => void refetch(),
  }
}
