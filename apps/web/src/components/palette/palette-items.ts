import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { Findable } from './rank.ts'
import { marks, type Mark } from '../bead/states.ts'
import type { BoardView } from '../../feed/board-fold.ts'
import { laneOf } from '@beadloom/core/board/board-card.ts'

export const kinds = {
  page: 'page',
  action: 'action',
  view: 'view',
  review: 'review',
  project: 'project',
  bead: 'bead',
} as const
/** The heading above the items of a kind, while nothing is typed. */
export const headings: Record<keyof typeof kinds, string> = {
  page: 'Go to',
  action: 'Actions',
  view: 'Views',
  review: 'Reviews',
  project: 'Projects',
  bead: 'Beads',
}
export type PaletteItem = Findable & {
  kind: keyof typeof kinds
  key: string
  /** The keys for the same command without the palette. */
  keys?: string
  mark?: Mark
  run: () => void
}

type Open = (id: string) => void

/** All beads, last moved first; those hidden on the board at the end. */
export function beadItems(view: BoardView | null, open: Open): PaletteItem[] {
  if (view === null) return []
  return [...view.beads.values()]
    .toSorted((a, b) => Number(a.hidden) - Number(b.hidden) || b.updatedAt - a.updatedAt)
    .map((card) => {
      const execution = card.execution === null ? null : (view.executions.get(card.execution) ?? null)
      return {
        kind: 'bead',
        key: `bead ${card.id}`,
        name: card.id,
        title: card.title,
        also: `${card.type} ${card.labels.join(' ')}`,
        mark: marks[laneOf(card, execution)],
        run: () => open(card.id),
      }
    })
}

export const projectItems = (projects: Iterable<ProjectView>, current: string | null, open: Open): PaletteItem[] =>
  [...projects]
    .filter(({ id }) => id !== current)
    .map(({ id, name }) => ({
      kind: 'project',
      key: `project ${id}`,
      name: name === id ? '' : id,
      title: name,
      also: 'project go to',
      run: () => open(id),
    }))

export const viewItems = (views: readonly SavedView[], open: (search: string) => void): PaletteItem[] =>
  views.map(({ id, name, search }) => ({
    kind: 'view',
    key: `view ${id}`,
    name: '',
    title: name,
    also: 'view board saved filter',
    run: () => open(search),
  }))

const verdicts: Record<NonNullable<ReviewView['verdict']>, string> = {
  ready: 'ready',
  not_ready: 'not ready',
  unparseable: 'no usable answer',
}

export const reviewItems = (reviews: readonly ReviewView[], open: (review: ReviewView) => void): PaletteItem[] =>
  reviews.map((review) => ({
    kind: 'review',
    key: `review ${review.id}`,
    name: review.bead ?? '',
    title: `Review of ${review.branch}: ${
      review.verdict === null ? review.state.toLowerCase() : verdicts[review.verdict]
    }`,
    also: review.id,
    run: () => open(review),
  }))
