import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'

/** The tab's title has two authors: the page says what it shows; the badge in front counts what needs a person. */
const store = createStore<{ page: string; badge: string }>(() => ({ page: '', badge: '' }))

/** The badge may change with every bead, and each new title is work for the whole browser. */
const AGAIN_AFTER_MS = 500
let timer: ReturnType<typeof setTimeout> | null = null

function write(): void {
  const { page, badge } = store.getState()
  const title = [badge, page, page === '' ? 'Beadloom' : '· Beadloom'].filter(Boolean).join(' ')
  if (title !== document.title) document.title = title
}

store.subscribe(() => {
  if (timer !== null) return
  write()
  timer = setTimeout(() => {
    timer = null
    write()
  }, AGAIN_AFTER_MS)
})

export function usePageTitle(page: string): void {
  useEffect(() => store.setState({ page }), [page])
}

export function useTitleBadge(badge: string): void {
  useEffect(() => store.setState({ badge }), [badge])
  useEffect(() => () => store.setState({ badge: '' }), [])
}
