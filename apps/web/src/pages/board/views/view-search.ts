import type { SavedView } from '@beadloom/core/api/saved-views-api.ts'
import { parseBoardSearch, type BoardSearch } from '@beadloom/core/board/board-search.ts'
import { facets } from '@beadloom/core/board/board-filter.ts'

/** What a view is made of, in the order in which it is written. The column of a small screen is none of it. */
const parts = ['q', ...facets, 'group', 'view', 'sort'] as const

/** As a view keeps it: `state=failed&group=priority`; '' for all beads in their usual columns. */
export function searchText(search: BoardSearch): string {
  const text = new URLSearchParams()
  for (const part of parts) {
    const value = search[part]
    if (value !== undefined && value !== '') text.set(part, value)
  }
  return text.toString()
}

export const searchOf = (text: string): BoardSearch => parseBoardSearch(Object.fromEntries(new URLSearchParams(text)))

/** The view that is shown, however its parts were once written. */
export function viewOf(views: readonly SavedView[], search: BoardSearch): SavedView | null {
  const now = searchText(search)
  return views.find((view) => searchText(searchOf(view.search)) === now) ?? null
}

/** What the board begins with where its address says nothing: the project's own before one for all. */
export const defaultOf = (views: readonly SavedView[]): SavedView | null =>
  views.find(({ isDefault, forAll }) => isDefault && !forAll) ?? views.find(({ isDefault }) => isDefault) ?? null
