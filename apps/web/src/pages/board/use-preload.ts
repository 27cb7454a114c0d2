import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { beadQuery } from '../../components/bead/bead-query.ts'
import { useFeed } from '../../feed/feed-context.tsx'

/** A pointer that only passes over a card has left it within this time. */
const REST_MS = 60

/**
 * Loads a bead's page and its data ahead for somebody at its card, so that a click finds both. If the pointer or the
 * focus only passes by, nothing is loaded.
 */
export function usePreload(project: string): (bead: string, when: 'soon' | 'now') => void {
  const router = useRouter()
  const queries = useQueryClient()
  const feed = useFeed()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (bead, when) => {
      const preload = () => {
        router.preloadRoute({ to: '/p/$project/b/$bead', params: { project, bead } }).catch(() => undefined)
        const { view } = feed.store.getState().topics[`board:${project}`] ?? { view: null }
        // Fails silently, and without a retry: the page will ask again.
        void queries.prefetchQuery({ ...beadQuery(project, bead, view), retry: false })
      }
      clearTimeout(timer.current)
      if (when === 'now') preload()
      else timer.current = setTimeout(preload, REST_MS)
    },
    [router, queries, feed, project],
  )
}
