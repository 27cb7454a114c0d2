import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getExecutions } from '../../api/endpoints.ts'
import { useLive } from '../../feed/feed-context.tsx'

const none: ReadonlyMap<string, ExecutionView> = new Map()

/** The feed has live executions only; the ends of others are fetched once, for the lines on the cards. */
export function useKnownExecutions(project: string): ReadonlyMap<string, ExecutionView> {
  const epoch = useLive(({ topics }) => topics[`board:${project}`]?.view?.epoch)
  const { data } = useQuery({
    queryKey: ['executions', project, epoch],
    queryFn: ({ signal }) => getExecutions(project, signal),
    enabled: epoch !== undefined,
    staleTime: 60_000,
  })
  return useMemo(() => (data ? new Map(data.items.map((one) => [one.id, one])) : none), [data])
}
