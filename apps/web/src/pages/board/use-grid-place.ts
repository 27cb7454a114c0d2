import { useCallback, useMemo, useState } from 'react'
import type { ShownCard } from './columns/held-columns.ts'
import { moveInGrid, type GridStep } from './grid-move.ts'
import { lastCard } from '../../components/bead/board-memory.ts'

type Columns = readonly (readonly ShownCard[])[]
export type GridPlace = { column: number; row: number }

/** The current card, and moving from it to its neighbours. */
export function useGridPlace(project: string, columns: Columns) {
  const [active, setActive] = useState(() => lastCard(project))
  const [wantedId, setWanted] = useState(active)
  const at = useMemo(() => find(columns, active), [columns, active])
  const current = at === null ? null : (columns[at.column]?.[at.row] ?? null)

  const neighbour = (direction: GridStep): ShownCard | null => {
    const lengths = columns.map((cards) => cards.length)
    const next = moveInGrid(lengths, at, direction)
    return next === null ? null : (columns[next.column]?.[next.row] ?? null)
  }
  const step = (direction: GridStep): ShownCard | null => {
    const target = neighbour(direction)
    if (target === null) return null
    setActive(target.card.id)
    setWanted(target.card.id)
    return target
  }
  return {
    at,
    current,
    /** The place to which the keyboard moves the focus. */
    wanted: wantedId !== null && wantedId === active ? at : null,
    step,
    setActive,
    focused: useCallback(() => setWanted(null), []),
  }
}

function find(columns: Columns, id: string | null): GridPlace | null {
  if (id === null) return null
  for (const [column, cards] of columns.entries()) {
    const row = cards.findIndex(({ card }) => card.id === id)
    if (row >= 0) return { column, row }
  }
  return null
}
