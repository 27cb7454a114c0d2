import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'

/** The tab's title has two authors: the page says what it shows, the badge in front of it what needs a person. */
const store = createStore<{ page: string; badge: string }>(() => ({ page: '', badge: '' }))

store.subscribe(({ page, badge }) => {
  document.title = [badge, page, page === '' ? 'Beadloom' : '· Beadloom'].filter(Boolean).join(' ')
})

export function usePageTitle(page: string): void {
  useEffect(() => store.setState({ page }), [page])
}

export function useTitleBadge(badge: string): void {
  useEffect(() => {
    store.setState({ badge })
    return () => store.setState({ badge: '' })
  }, [badge])
}
