import { marks } from '../../../components/bead/states.ts'
import { parseLane } from '@beadloom/core/board/board-card.ts'
import { NOBODY } from '@beadloom/core/board/board-filter.ts'
import type { Facet } from '@beadloom/core/board/board-filter.ts'

export const facetWords: Record<Facet, string> = {
  state: 'State',
  label: 'Label',
  type: 'Type',
  priority: 'Priority',
  assignee: 'Assignee',
  epic: 'Epic',
}
const none: Partial<Record<Facet, string>> = { label: 'no label', assignee: 'nobody', epic: 'no epic' }

/** A facet's value in words: "P1", "Failed", "no label". */
export function facetValueText(facet: Facet, value: string): string {
  if (facet === 'priority') return `P${value}`
  const lane = facet === 'state' ? parseLane(value) : undefined
  return lane ? marks[lane].word : value === NOBODY ? (none[facet] ?? value) : value
}
