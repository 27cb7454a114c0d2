import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getBudget } from '../../api/budget.ts'
import { tickStore, useHome, useLive } from '../../feed/feed-context.tsx'

/**
 * Minimum time between reads. Agents call models all the time, but a long period's sum is slow to read and changes
 * little.
 */
const pauseOf = (days: number): number => (days > 31 ? 60_000 : 5_000)
/** The last hour moves on even without news. */
const LOOK_MS = 60_000

/** A project's use, read again when the feed has news of it, but at most once per pause. */
export function useBudget(project: string, days: number) {
  const live = useLive((state) => state.link.is === 'live')
  const home = useHome().view
  const query = useQuery({
    queryKey: ['budget', project, days],
    queryFn: ({ signal }) => getBudget(project, days, signal),
    placeholderData: keepPreviousData,
    refetchInterval: live ? LOOK_MS : false,
    staleTime: pauseOf(days),
  })
  const client = useQueryClient()
  // Every counted call changes the project's row; every start and end changes the queue.
  const view = home?.projects.get(project)
  const waiting = home?.status?.queue.filter((one) => one.project === project).length ?? 0
  const { dataUpdatedAt } = query
  useEffect(() => {
    const { now } = tickStore.getState()
    // Not read at all yet.
    if (dataUpdatedAt === 0) return
    const timer = setTimeout(
      () => void client.invalidateQueries({ queryKey: ['budget', project, days] }),
      Math.max(0, dataUpdatedAt + pauseOf(days) - now),
    )
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- that it was read again is no news
  }, [client, project, days, view, waiting])
  return query
}
