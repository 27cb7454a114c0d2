import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { priorityWords } from '@beadloom/core/bead/priority-words.ts'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isThere, offerOf, placeOf, type Offer, type Place } from './moves.ts'
import type { BoardMoves } from './use-moves.ts'
import { watchDrag } from './watch-drag.ts'
import { lanes, parseLane, type BoardCard, type Lane } from '@beadloom/core/board/board-card.ts'
import type { Grouping } from '@beadloom/core/board/board-groups.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast } from '../../../ui/toast.tsx'

/** The `data-drop` of a column in which a card can be dropped. */
export const columnPlace = (key: string): string => `column ${key}`
const RUN = 'run'
const priorityPlace = (priority: number): string => `priority ${priority}`
/** Places offered below the board while a card is dragged. */
export const shelfPlaces: readonly { at: string; move: Exclude<Place, { to: 'nowhere' }> }[] = [
  { at: RUN, move: { to: 'queue' } },
  ...priorityWords.map((_, priority) => ({
    at: priorityPlace(priority),
    move: { to: 'priority' as const, priority },
  })),
]

export type CardDrag = {
  /** The dragged cards, and the place under them; null: none are dragged. */
  held: { items: readonly BoardCard[]; over: string | null } | null
  /** A place's effect on the dragged cards; null: they are there already, or none are dragged. */
  offer(at: string): Offer | null
}

const goneText = ([first = '', ...rest]: string[]): string =>
  rest.length === 0
    ? `${shown(first)} is no longer on this board, so nothing was moved`
    : `The ${rest.length + 1} beads are no longer on this board, so nothing was moved`

type Props = {
  /** The element that contains the cards. */
  root: HTMLElement | null
  view: ProjectView | undefined
  by: Grouping
  /** All visible cards, by lane; null: not known yet. */
  shown: Readonly<Record<Lane, readonly BoardCard[]>> | null
  /** Selected beads move together. */
  chosen: ReadonlySet<string>
  moves: BoardMoves
}

/** Drags cards to a column, or to the places offered below the board. */
export function useCardDrag({ root, view, by, shown: board, chosen, moves }: Props): CardDrag {
  const [held, setHeld] = useState<CardDrag['held']>(null)
  const within = (ids: ReadonlySet<string>): readonly BoardCard[] =>
    board === null ? [] : lanes.flatMap((lane) => board[lane].filter(({ card }) => ids.has(card.id)))

  const placeAt = (at: string): Place | null => {
    const onShelf = shelfPlaces.find((one) => one.at === at)
    if (onShelf !== undefined) return onShelf.move
    if (!at.startsWith(columnPlace(''))) return null
    const key = at.slice(columnPlace('').length)
    return placeOf({ key, lane: by === 'state' ? (parseLane(key) ?? null) : null }, by)
  }
  const offerFor = (at: string, items: readonly BoardCard[]): Offer | null => {
    const place = placeAt(at)
    const lane = parseLane(at.slice(columnPlace('').length)) ?? null
    return place === null || isThere(place, items, lane) ? null : offerOf(place, items, view)
  }
  const begin = (bead: string): boolean => {
    const wanted = chosen.has(bead) ? chosen : new Set([bead])
    const items = within(wanted)
    if (items.length > 0) setHeld({ items, over: null })
    return items.length > 0
  }
  /** The current state of the dragged cards: the server may move, change or remove them meanwhile. */
  const current = (taken: readonly BoardCard[]) => within(new Set(taken.map(({ card }) => card.id)))
  const end = (at: string | null) => {
    setHeld(null)
    if (held === null || at === null) return
    const items = current(held.items)
    const offer = offerFor(at, items)
    const place = placeAt(at)
    if (offer === null || place === null) return
    if ('why' in offer || place.to === 'nowhere') toast('why' in offer ? offer.why : '')
    else moves.move(place, items)
  }

  const latest = useRef({ begin, end })
  useLayoutEffect(() => {
    latest.current = { begin, end }
  })
  useEffect(() => {
    if (root === null) return
    return watchDrag(root, {
      begin: (bead) => latest.current.begin(bead),
      over: (over) => setHeld((old) => old && { ...old, over }),
      end: (at) => latest.current.end(at),
    })
  }, [root])
  const items = held === null ? [] : current(held.items)
  // With no card left in hand nothing can be dropped, though the pointer is still down.
  const gone = held !== null && items.length === 0 ? goneText(held.items.map(({ card }) => card.id)) : null
  useEffect(() => {
    if (gone !== null) toast(gone)
  }, [gone])
  return gone === null
    ? { held, offer: (at) => (held === null ? null : offerFor(at, items)) }
    : { held: null, offer: () => null }
}
