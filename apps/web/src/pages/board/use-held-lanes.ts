import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { holdLanes, holdRows } from './held-lanes.ts'
import type { Hold, ShownLanes } from './held-lanes.ts'
import type { BoardCard, Lane } from '../../feed/lanes.ts'
import { lanes } from '../../feed/lanes.ts'

/** How long a column waits for a person who has the pointer on it, or the focus in it. */
export const HOLD_MS = 2000

/** Something that is let go two seconds after `keep` was last called for it. */
function useHold<T>() {
  const [hold, setHold] = useState<T | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const release = useCallback(() => {
    clearTimeout(timer.current)
    setHold(null)
  }, [])
  const keep = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(release, HOLD_MS)
  }, [release])
  useEffect(() => {
    if (hold !== null) keep()
  }, [hold, keep])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { hold, setHold, keep, release }
}

type Held = {
  lanes: ShownLanes
  /** For the columns: the pointer has moved in one, or has left it. */
  onPointer(lane: Lane | null): void
}

/**
 * Keeps the column under a moving pointer as it is for two seconds, so that a click hits the card it was aimed at; and
 * the column of the focused card, when that card goes elsewhere. `focus` is the bead that has the focus, if one has.
 */
export function useHeldLanes(all: Record<Lane, BoardCard[]>, focus: string | null): Held {
  const { hold, setHold, keep, release } = useHold<Hold>()
  const [before, setBefore] = useState(all)

  if (before !== all) {
    setBefore(all)
    const left = focus === null || hold !== null ? null : laneHaving(before, focus)
    if (left !== null && focus !== null && !has(all[left], focus) && laneHaving(all, focus) !== null)
      setHold({ lane: left, ids: idsOf(before[left]) })
  }

  const shown = useMemo(() => holdLanes(all, hold), [all, hold])
  const onPointer = (lane: Lane | null) => {
    if (lane === null) release()
    else if (hold?.lane === lane) keep()
    // At once: the next change of the board may come before React's own turn.
    else flushSync(() => setHold({ lane, ids: idsOf(shown[lane]) }))
  }
  return { lanes: shown, onPointer }
}

/** The same for the rows of a list. */
export function useHeldRows(cards: readonly BoardCard[]) {
  const { hold, setHold, keep, release } = useHold<readonly string[]>()
  const rows = useMemo(() => holdRows(cards, hold), [cards, hold])
  const onPointer = (inside: boolean) => {
    if (!inside) release()
    else if (hold !== null) keep()
    else flushSync(() => setHold(idsOf(rows)))
  }
  return { rows, onPointer }
}

const idsOf = (cards: readonly BoardCard[]): string[] => cards.map(({ card }) => card.id)
const has = (cards: readonly BoardCard[], id: string): boolean => cards.some(({ card }) => card.id === id)
const laneHaving = (all: Record<Lane, BoardCard[]>, id: string): Lane | null =>
  lanes.find((lane) => has(all[lane], id)) ?? null
