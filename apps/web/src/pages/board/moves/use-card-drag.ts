import type { ProjectView } from '@beadloom/core/api/api.ts'
import { priorityWords } from '@beadloom/core/bead/priority-words.ts'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isThere, offerOf, placeOf, type Offer, type Place } from './moves.ts'
import type { BoardMoves } from './use-moves.ts'
import { watchDrag } from './watch-drag.ts'
import { lanes, parseLane, type BoardCard, type Lane } from '@beadloom/core/board/board-card.ts'
import type { Grouping } from '@beadloom/core/board/board-groups.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast } from '../../../ui/toast.tsx'

/** What a place is called where a card can be let go, as `data-drop`. */
export const columnPlace = (key: string): string => `column ${key}`
const RUN = 'run'
const priorityPlace = (priority: number): string => `priority ${priority}`
/** Those that are offered below the board while a card is in hand. */
export const shelfPlaces: readonly { at: string; move: Exclude<Place, { to: 'nowhere' }> }[] = [
  { at: RUN, move: { to: 'queue' } },
  ...priorityWords.map((_, priority) => ({
    at: priorityPlace(priority),
    move: { to: 'priority' as const, priority },
  })),
]

export type CardDrag = {
  /** The cards in hand, and where; null: none. */
  held: { items: readonly BoardCard[]; over: string | null } | null
  /** What a place does to the cards in hand; null: they are there already, or none is in hand. */
  offer(at: string): Offer | null
}

const goneText = ([first = '', ...rest]: string[]): string =>
  rest.length === 0
    ? `${shown(first)} is no longer on this board, so nothing was moved`
    : `The ${rest.length + 1} beads are no longer on this board, so nothing was moved`

type Props = {
  /** The element that has the cards in it. */
  root: HTMLElement | null
  view: ProjectView | undefined
  by: Grouping
  /** All cards that are shown, by where they are; null: not known yet. */
  shown: Readonly<Record<Lane, readonly BoardCard[]>> | null
  /** The selected beads move with any of them. */
  chosen: ReadonlySet<string>
  moves: BoardMoves
}

/** Cards that are dragged to a column, or to what is offered below the board. */
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
  /** Those in hand as they are by now: the server may move, change or remove them meanwhile. */
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
  // What is in nobody's hand cannot be let go: the pointer that still goes about drags nothing.
  const gone = held !== null && items.length === 0 ? goneText(held.items.map(({ card }) => card.id)) : null
  useEffect(() => {
    if (gone !== null) toast(gone)
  }, [gone])
  return gone === null
    ? { held, offer: (at) => (held === null ? null : offerFor(at, items)) }
    : { held: null, offer: () => null }
}
