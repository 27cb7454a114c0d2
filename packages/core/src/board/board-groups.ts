import type { BeadCard } from '../api/beads/bead-api.ts'
import { priorityText, priorityWords } from '../bead/priority-words.ts'
import { NOBODY } from './board-filter.ts'
import type { BoardCard, Lane } from './board-card.ts'
import { lanes } from './board-card.ts'

/** The properties by which a board's columns can be made. */
export const groupings = ['state', 'priority', 'epic', 'label', 'assignee'] as const
export type Grouping = (typeof groupings)[number]

/** Cards in one column. `key` names it in the address; `lane`: the state of all of them, if grouped by state. */
export type CardGroup<T extends BoardCard = BoardCard> = {
  key: string
  lane: Lane | null
  name: string
  cards: readonly T[]
}

/** Nobody looks through more columns; the smallest groups share the last one. */
export const MOST_GROUPS = 30
/**
 * The key of the column shared by groups without a column of their own: no label, epic or person begins with a comma.
 */
export const REST = ',rest'

const none: Record<Exclude<Grouping, 'state' | 'priority'>, string> = {
  epic: 'No epic',
  label: 'No label',
  assignee: 'Unassigned',
}

/** A bead is shown once: under the first of its labels. */
function valueOf({ card }: BoardCard, by: Exclude<Grouping, 'state'>): string {
  switch (by) {
    case 'priority':
      return String(card.priority)
    case 'epic':
      return card.parent ?? NOBODY
    case 'label':
      return card.labels[0] ?? NOBODY
    case 'assignee':
      return card.assignee ?? NOBODY
  }
}

/**
 * The columns of a board. By state and by priority: all of them, in order of attention. By anything else: those that
 * have cards, by name, cards without a value last; within a column by state, then in the state's order.
 */
export function groupCards(
  all: Record<Lane, BoardCard[]>,
  by: Grouping,
  beads: ReadonlyMap<string, BeadCard>,
): CardGroup[] {
  if (by === 'state') return lanes.map((lane) => ({ key: lane, lane, name: lane, cards: all[lane] }))
  const groups = new Map<string, BoardCard[]>()
  for (const lane of lanes)
    for (const item of all[lane]) {
      const value = valueOf(item, by)
      const group = groups.get(value)
      if (group === undefined) groups.set(value, [item])
      else group.push(item)
    }
  if (by === 'priority') return byPriority(groups)
  const named = [...groups].map(([key, cards]): CardGroup => {
    const name = key === NOBODY ? none[by] : by === 'epic' ? (beads.get(key)?.title ?? key) : key
    return { key, lane: null, name, cards }
  })
  const apart = named.length > MOST_GROUPS ? smallest(named, named.length - MOST_GROUPS + 1) : new Set<string>()
  const rest = named.filter(({ key }) => apart.has(key))
  return [
    ...named
      .filter(({ key }) => !apart.has(key))
      .toSorted((a, b) => Number(a.key === NOBODY) - Number(b.key === NOBODY) || compare(a.name, b.name)),
    ...(rest.length === 0 ? [] : [{ key: REST, lane: null, name: `${rest.length} more`, cards: inOrder(rest) }]),
  ]
}

/** Also those without cards, because a card can be moved there. */
const byPriority = (groups: ReadonlyMap<string, BoardCard[]>): CardGroup[] =>
  [...new Set([...priorityWords.map((_, priority) => String(priority)), ...groups.keys()])]
    .toSorted((a, b) => Number(a) - Number(b))
    .map((key) => ({ key, lane: null, name: priorityText(Number(key)), cards: groups.get(key) ?? [] }))

function smallest(groups: readonly CardGroup[], count: number): ReadonlySet<string> {
  const others = groups.filter(({ key }) => key !== NOBODY)
  return new Set(
    others
      .toSorted((a, b) => a.cards.length - b.cards.length || compare(b.name, a.name))
      .slice(0, count)
      .map(({ key }) => key),
  )
}

const inOrder = (groups: readonly CardGroup[]): BoardCard[] => {
  const cards = groups.flatMap((group) => group.cards)
  return lanes.flatMap((lane) => cards.filter((item) => item.lane === lane))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
