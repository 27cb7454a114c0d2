import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { beadQuery } from '../../components/bead/bead-query.ts'
import { useFeed } from '../../feed/feed-context.tsx'

/** Who only passes over a card on the way to another one has moved on by then. */
const REST_MS = 60

/**
 * Has a bead's page and what it shows loaded ahead for somebody who is at its card, so that a click finds both. Where the
 * pointer or the focus only goes by, nothing is asked for.
 */
export function usePrepare(project: string): (bead: string, when: 'soon' | 'now') => void {
  const router = useRouter()
  const queries = useQueryClient()
  const feed = useFeed()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (bead, when) => {
      const prepare = () => {
        router.preloadRoute({ to: '/p/$project/b/$bead', params: { project, bead } }).catch(() => undefined)
        const { view } = feed.store.getState().topics[`board:${project}`] ?? { view: null }
        // Fails silently, and once: the page asks again.
        void queries.prefetchQuery({ ...beadQuery(project, bead, view), retry: false })
      }
      clearTimeout(timer.current)
      if (when === 'now') prepare()
      else timer.current = setTimeout(prepare, REST_MS)
    },
    [router, queries, feed, project],
  )
}
