import { useCallback, useEffect, useRef } from 'react'
import { defaultOf, searchOf, searchText } from './view-search.ts'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { useSavedViews } from '../../../components/saved-views/use-saved-views.ts'

/**
 * Begins the board with the default view where the address says nothing, once for each visit. What a person chooses
 * afterwards is in the address, also that it is all beads: a reload and the way back show the same.
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
      decided.current = project // whoever has chosen something is not led elsewhere by a late answer
      go({ ...next, saved: hasDefault && searchText(next) === '' ? 'all' : undefined })
    },
    [project, hasDefault, go],
  )
}
