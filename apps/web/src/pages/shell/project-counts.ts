import type { ProjectView } from '@beadloom/core/api/api.ts'
import { useQuery } from '@tanstack/react-query'
import { getProjects } from '../../api/endpoints.ts'

/**
 * How many beads each project has in each status. Asked for when it is shown: the feed tells of a project when the
 * project changes, and not with every bead of it.
 */
export function useProjectCounts(shown: boolean): ReadonlyMap<string, ProjectView['beadCounts']> {
  const { data } = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => getProjects(signal),
    enabled: shown,
    staleTime: 0,
    gcTime: 0,
  })
  return new Map(data?.items.map(({ id, beadCounts }) => [id, beadCounts]))
}
