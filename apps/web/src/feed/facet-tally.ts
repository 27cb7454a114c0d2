import type { BeadCard } from '@beadloom/core/api/api.ts'
import type { Facet } from './board-filter.ts'

/** In which facets the cards of a board differ or have anything, kept while cards come and go. */
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

  /** A menu with nothing to choose in it is left out. */
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
