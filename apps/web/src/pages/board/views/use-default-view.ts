import { useCallback, useEffect, useRef } from 'react'
import { defaultOf, searchOf, searchText } from './view-search.ts'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { useSavedViews } from '../../../components/saved-views/use-saved-views.ts'

/**
 * Opens the board with the default view if the address says nothing, once per visit. Later choices are in the address,
 * even "all beads": a reload and the back button show the same.
 */
export function useDefaultView(project: string, search: BoardSearch, go: (next: BoardSearch) => void) {
  const { views, isKnown } = useSavedViews(project)
  const first = defaultOf(views)
  const decided = useRef<string | null>(null)
  useEffect(() => {
    if (!isKnown || decided.current === project) return
    decided.current = project
    if (first !== null && search.saved === undefined && searchText(search) === '')
      go({ ...searchOf(first.search), lane: search.lane })
  }, [project, isKnown, first, search, go])
  const hasDefault = first !== null
  return useCallback(
    (next: BoardSearch) => {
      decided.current = project // a late answer must not override a person's choice
      go({ ...next, saved: hasDefault && searchText(next) === '' ? 'all' : undefined })
    },
    [project, hasDefault, go],
  )
}
