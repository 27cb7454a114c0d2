import type { Grouping } from './issues/issues.ts'

/** The open parts of a review, as in the address. */
export type ReviewSearch = {
  by?: Grouping | undefined
  /** The issue that the keys act on, by its number. */
  issue?: number | undefined
  /** Shown beside the list, or instead of it. */
  show?: 'diff' | 'log' | undefined
}

export const parseReviewSearch = (search: Record<string, unknown>): ReviewSearch => ({
  by: search['by'] === 'file' ? 'file' : undefined, // the other grouping is by severity
  issue: typeof search['issue'] === 'number' && Number.isInteger(search['issue']) ? search['issue'] : undefined,
  show: search['show'] === 'diff' || search['show'] === 'log' ? search['show'] : undefined,
})
