import type { BranchView, ExecutionView } from '@beadloom/core/api/api.ts'
import { useQuery } from '@tanstack/react-query'
import { getBranch } from '../../api/endpoints.ts'

/** The commits of a branch as it is at `tip`, and what they conflict with; null as long as that is not known. */
export function useBranch(
  execution: ExecutionView | null,
  tip: string | null,
): { branch: BranchView | null; loading: boolean } {
  const id = execution?.id ?? ''
  const { data, isLoading } = useQuery({
    queryKey: ['diff', id, 'commits', tip, execution?.state],
    queryFn: ({ signal }) => getBranch(id, signal),
    enabled: execution !== null && tip !== null,
    staleTime: Infinity,
    // The menu does not come and go while the branch moves.
    placeholderData: (before: BranchView | undefined, query) => (query?.queryKey[1] === id ? before : undefined),
  })
  return { branch: data ?? null, loading: isLoading }
}
