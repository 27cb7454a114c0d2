import type { SortKey } from '@beadloom/core/board/card-sort.ts'

/** `from`: the list's width at which the column appears. */
export type ListColumn = { by: SortKey; word: string; number?: true; from?: 'medium' | 'wide' }

export const listColumns: readonly ListColumn[] = [
  { by: 'state', word: 'State' },
  { by: 'id', word: 'ID' },
  { by: 'title', word: 'Title' },
  { by: 'priority', word: 'Priority' },
  { by: 'type', word: 'Type', from: 'wide' },
  { by: 'labels', word: 'Labels', from: 'medium' },
  { by: 'age', word: 'Age', number: true },
  { by: 'run', word: 'Started', number: true, from: 'medium' },
  { by: 'took', word: 'Duration', number: true },
  { by: 'tokens', word: 'Tokens', number: true, from: 'medium' },
  { by: 'changes', word: 'Changes', number: true },
  { by: 'review', word: 'Review', from: 'wide' },
]
