import { parseSort } from './card-sort.ts'
import type { ListSort } from './card-sort.ts'
import { facets } from './board-filter.ts'
import type { BoardFilter, Facet } from './board-filter.ts'
import { groupings } from './board-groups.ts'
import type { Grouping } from './board-groups.ts'
import { lanes } from './board-card.ts'

/** The board in its address. Lists are written `a,b`, with commas of their own as %2C. */
export type BoardSearch = {
  q?: string | undefined
  /** The column that a narrow screen shows. */
  lane?: string | undefined
  /** The grouping of the columns, or of a list's parts; states by default. */
  group?: Exclude<Grouping, 'state'> | undefined
  view?: 'list' | undefined
  /** "age" or, the other way round, "-age". */
  sort?: string | undefined
  /** Somebody wants to see all beads, not the default view. */
  saved?: 'all' | undefined
} & { [facet in Facet]?: string | undefined }

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.slice(0, 2000)
    : typeof value === 'number'
      ? String(value)
      : undefined

export function parseBoardSearch(search: Record<string, unknown>): BoardSearch {
  const sort = text(search['sort'])
  return {
    q: text(search['q']),
    lane: text(search['lane']),
    group: parseGroup(search['group']),
    view: search['view'] === 'list' ? 'list' : undefined,
    saved: search['saved'] === 'all' ? 'all' : undefined,
    sort: sort === undefined || parseSort(sort) === null ? undefined : sort,
    ...Object.fromEntries(facets.map((facet) => [facet, joined(split(facet, text(search[facet])))])),
  }
}

/** The grouping by agent is by assignee: an agent that works on a bead is its assignee. */
function parseGroup(value: unknown): BoardSearch['group'] {
  const by = value === 'agent' ? 'assignee' : groupings.find((one) => one === value)
  return by === 'state' ? undefined : by
}

export const filterOfSearch = (search: BoardSearch): BoardFilter => ({
  words: search.q?.trim() ?? '',
  on: {
    state: split('state', search.state),
    label: split('label', search.label),
    type: split('type', search.type),
    priority: split('priority', search.priority),
    assignee: split('assignee', search.assignee),
    epic: split('epic', search.epic),
  },
})

export const sortOfSearch = ({ sort }: BoardSearch): ListSort | null => (sort === undefined ? null : parseSort(sort))

/** The same search with other values in a facet; no value removes the facet. */
export const withFacet = (search: BoardSearch, facet: Facet, values: readonly string[]): BoardSearch => ({
  ...search,
  [facet]: joined(values),
})

/** View, order and columns stay. */
export const withoutFilter = ({ lane, view, sort, group }: BoardSearch): BoardSearch => ({ lane, view, sort, group })

function split(facet: Facet, value: string | undefined): string[] {
  const all = [...new Set((value ?? '').split(',').filter(Boolean).map(decoded))]
  if (facet === 'state') return lanes.filter((lane) => all.includes(lane))
  return facet === 'priority' ? all.filter((one) => /^[0-4]$/.test(one)) : all
}

const joined = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')

const decoded = (value: string): string => value.replaceAll('%2C', ',').replaceAll('%25', '%')
