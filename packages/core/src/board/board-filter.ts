import type { BoardCard, Lane } from './board-card.ts'
import { lanes } from './board-card.ts'
import type { BeadCard } from '../api/beads/bead-api.ts'

/** Properties by which cards can be filtered, in addition to words. */
export const facets = ['state', 'label', 'type', 'priority', 'assignee', 'epic'] as const
export type Facet = (typeof facets)[number]

/** Within a facet one of the values is enough; each active facet must match. */
export type BoardFilter = { words: string; on: Readonly<Record<Facet, readonly string[]>> }

/** The choice that finds beads without a value in the facet. */
export const NOBODY = '-'

export const noFilter: BoardFilter = {
  words: '',
  on: { state: [], label: [], type: [], priority: [], assignee: [], epic: [] },
}

export const isFiltered = ({ words, on }: BoardFilter): boolean =>
  words !== '' || facets.some((facet) => on[facet].length > 0)

/** The values of a card in a facet. */
export function valuesOf({ card, lane }: BoardCard, facet: Facet): readonly string[] {
  switch (facet) {
    case 'state':
      return [lane]
    case 'label':
      return card.labels.length === 0 ? [NOBODY] : card.labels
    case 'type':
      return [card.type]
    case 'priority':
      return [String(card.priority)]
    case 'assignee':
      return [card.assignee ?? NOBODY]
    case 'epic':
      return [card.parent ?? NOBODY]
  }
}

/** Every word must be somewhere in the id, the title, a label, the type or the assignee. */
function hasWords({ card }: BoardCard, words: readonly string[]): boolean {
  const { id, title, type, labels, priority, assignee = '', parent = '' } = card
  const text = `${id} ${title} ${type} ${labels.join(' ')} p${priority} ${assignee} ${parent}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

export function filterOf({ words, on }: BoardFilter): (card: BoardCard) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const active = facets.filter((facet) => on[facet].length > 0)
  return (card) =>
    active.every((facet) => valuesOf(card, facet).some((value) => on[facet].includes(value))) && hasWords(card, wanted)
}

export function filterLanes(all: Record<Lane, BoardCard[]>, filter: BoardFilter): Record<Lane, BoardCard[]> {
  const passes = filterOf(filter)
  const result = { ...all }
  for (const lane of lanes) result[lane] = all[lane].filter(passes)
  return result
}

/**
 * The choices in a facet, each with the number of cards that it would show together with the other facets. Active
 * choices stay in the list, so that they can be switched off.
 */
export function choicesIn(
  cards: readonly BoardCard[],
  filter: BoardFilter,
  facet: Facet,
): { value: string; count: number }[] {
  const passes = filterOf({ ...filter, on: { ...filter.on, [facet]: [] } })
  const counts = new Map<string, number>(filter.on[facet].map((value) => [value, 0]))
  for (const card of cards) {
    if (!passes(card)) continue
    for (const value of valuesOf(card, facet)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const rows = [...counts].map(([value, count]) => ({ value, count }))
  if (facet === 'state') return lanes.flatMap((lane) => rows.filter(({ value }) => value === lane))
  if (facet === 'priority') return rows.toSorted((a, b) => Number(a.value) - Number(b.value))
  return rows.toSorted(
    (a, b) =>
      Number(a.value === NOBODY) - Number(b.value === NOBODY) || b.count - a.count || (a.value < b.value ? -1 : 1),
  )
}

/** The facets in which the cards of a board differ or have a value, kept up to date while cards come and go. */
export class FacetTally {
  #labelled = 0
  #assigned = 0
  #below = 0
  readonly #types = new Map<string, number>()

  add(card: BeadCard): void {
    this.#count(card, 1)
  }

  remove(card: BeadCard): void {
    this.#count(card, -1)
  }

  /** Leaves out menus with nothing to choose. */
  used(): Facet[] {
    const used: Facet[] = ['state']
    if (this.#labelled > 0) used.push('label')
    if (this.#types.size > 1) used.push('type')
    used.push('priority')
    if (this.#assigned > 0) used.push('assignee')
    if (this.#below > 0) used.push('epic')
    return used
  }

  #count({ labels, assignee, parent, type }: BeadCard, by: 1 | -1): void {
    if (labels.length > 0) this.#labelled += by
    if (assignee !== undefined) this.#assigned += by
    if (parent !== undefined) this.#below += by
    const left = (this.#types.get(type) ?? 0) + by
    if (left === 0) this.#types.delete(type)
    else this.#types.set(type, left)
  }
}
