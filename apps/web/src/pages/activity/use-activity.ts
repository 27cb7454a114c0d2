import { isTerminal } from '@beadloom/core/records/execution.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getActivity } from '../../api/endpoints.ts'
import { useBoard, useLive } from '../../feed/feed-context.tsx'

/** Running executions grow in the meantime by the page's own clock. */
const LOOK_MS = 60_000
/** Ends close together cause a single read. */
const PAUSE_MS = 1_000

export function useActivity(project: string, days: number) {
  const isLive = useLive((state) => state.link.is === 'live')
  const query = useQuery({
    queryKey: ['activity', project, days],
    queryFn: ({ signal }) => getActivity(project, days, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? LOOK_MS : false,
  })
  const client = useQueryClient()
  const { view } = useBoard(project)
  const live = [...(view?.executions.values() ?? [])]
    .map(({ id, state }) => `${id}${isTerminal(state) ? '' : state}`)
    .toSorted()
    .join()
  const read = useRef(live)
  useEffect(() => {
    if (read.current === live) return
    read.current = live
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: ['activity', project] }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [client, project, live])
  return query
}
