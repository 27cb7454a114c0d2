import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { DiffRow, FileShape } from './lines/diff-rows.ts'
import { placeOf, samePlace, type Place } from './same-place.ts'
import type { DrawnRows } from './use-drawn-rows.ts'

/** Keeps the row at the top there for the reader, whatever changes above it. Call the result after scrolling. */
export function useKeptPlace(
  { scroller, virtual, top, scrollTo }: DrawnRows,
  rows: readonly DiffRow[],
  shapes: readonly FileShape[],
): () => void {
  const place = useRef<{ place: Place; delta: number } | null>(null)
  const remember = () => {
    const pane = scroller.current
    const at = top()
    const [row, item] = [rows[at], virtual.measurementsCache[at]]
    if (!pane || !row || !item || pane.scrollTop === 0) place.current = null
    else
      place.current = {
        place: placeOf(row, shapes[row.file]?.file.path ?? ''),
        delta: pane.scrollTop - item.start,
      }
  }
  const restore = useEffectEvent(() => {
    const kept = place.current
    if (kept === null) return
    const at = samePlace(rows, (file) => shapes[file]?.file.path ?? '', kept.place)
    const start = virtual.measurementsCache[at]?.start
    if (start === undefined) return
    // The row was folded away: put its head at the top.
    const next = rows[at]?.is === 'head' ? start : start + kept.delta
    // Reading the pane's own offset would force a layout for each patch that arrives.
    if (Math.abs((virtual.scrollOffset ?? 0) - next) >= 1) scrollTo(next)
  })
  // In between, scrolling is the reader's.
  useLayoutEffect(() => restore(), [rows])
  return remember
}
