import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useQuery } from '@tanstack/react-query'
import { getProjects } from '../../api/endpoints.ts'

/**
 * The number of beads of each project in each status. Fetched when shown: the feed reports a project when the project
 * changes, not with each of its beads.
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
