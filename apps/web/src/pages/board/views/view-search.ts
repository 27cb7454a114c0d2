import type { SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import { parseBoardSearch, type BoardSearch } from '@beadloom/core/board/board-search.ts'
import { facets } from '@beadloom/core/board/board-filter.ts'

/** The parts of a view, in the order in which they are written. A small screen's column is not one of them. */
const parts = ['q', ...facets, 'group', 'view', 'sort'] as const

/** The address as a view keeps it: `state=failed&group=priority`; '' for all beads in their usual columns. */
export function searchText(search: BoardSearch): string {
  const text = new URLSearchParams()
  for (const part of parts) {
    const value = search[part]
    if (value !== undefined && value !== '') text.set(part, value)
  }
  return text.toString()
}

export const searchOf = (text: string): BoardSearch => parseBoardSearch(Object.fromEntries(new URLSearchParams(text)))

/** The view that matches the board, however its parts were written. */
export function viewOf(views: readonly SavedView[], search: BoardSearch): SavedView | null {
  const now = searchText(search)
  return views.find((view) => searchText(searchOf(view.search)) === now) ?? null
}

/** The view for an address that says nothing: the project's own default before the one for all projects. */
export const defaultOf = (views: readonly SavedView[]): SavedView | null =>
  views.find(({ isDefault, forAll }) => isDefault && !forAll) ?? views.find(({ isDefault }) => isDefault) ?? null
