import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { holdColumns, holdRows } from './held-columns.ts'
import type { Hold, ListRow, ShownColumn } from './held-columns.ts'
import type { CardGroup } from '@beadloom/core/board/board-groups.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'

/** The time for which a column waits for a person whose pointer or focus is in it. */
export const HOLD_MS = 2000

/** A value that is dropped two seconds after the last call of `keep`. */
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
  columns: readonly ShownColumn[]
  /** For the columns: the pointer has moved in one, or has left it (null). */
  onPointer(column: string | null): void
}

/**
 * Keeps the column under a moving pointer as it is for two seconds, so that a click hits the intended card; also the
 * column of the focused card, if that card moves elsewhere. `focus`: the focused bead, if any.
 */
export function useHeldColumns(all: readonly CardGroup[], focus: string | null): Held {
  const { hold, setHold, keep, release } = useHold<Hold>()
  const [before, setBefore] = useState<{ all: readonly CardGroup[]; focus: string | null }>({ all, focus: null })

  // Without a focus there is nothing to look for, so a moving board does not render twice.
  if (before.focus !== focus || (focus !== null && before.all !== all)) {
    setBefore({ all, focus })
    const left = focus === null || before.focus !== focus || hold !== null ? null : columnHaving(before.all, focus)
    const now = focus === null || left === null ? null : columnHaving(all, focus)
    if (left !== null && now !== null && now.key !== left.key) setHold({ column: left.key, ids: idsOf(left.cards) })
  }

  const columns = useMemo(() => holdColumns(all, hold), [all, hold])
  const latest = useRef({ hold, columns })
  useLayoutEffect(() => {
    latest.current = { hold, columns }
  })
  const onPointer = useCallback(
    (key: string | null) => {
      const { hold: old, columns: shown } = latest.current
      if (key === null) release()
      else if (old?.column === key) keep()
      // Set at once: the board may change again before React gets to it.
      else
        flushSync(() => setHold({ column: key, ids: idsOf(shown.find((column) => column.key === key)?.cards ?? []) }))
    },
    [keep, release, setHold],
  )
  return { columns, onPointer }
}

/** The same for list rows. */
export function useHeldRows(all: readonly ListRow[]) {
  const { hold, setHold, keep, release } = useHold<readonly ListRow[]>()
  const rows = useMemo(() => holdRows(all, hold), [all, hold])
  const onPointer = (inside: boolean) => {
    if (!inside) release()
    else if (hold !== null) keep()
    else flushSync(() => setHold(rows))
  }
  return { rows, onPointer, release }
}

const idsOf = (cards: readonly BoardCard[]): string[] => cards.map(({ card }) => card.id)
const columnHaving = (all: readonly CardGroup[], id: string): CardGroup | null =>
  all.find(({ cards }) => cards.some(({ card }) => card.id === id)) ?? null
