import { useEffect } from 'react'
import { useWindow, type RowWindow, type Wish } from './use-window.ts'

type Parts = Wish & {
  /** The current row: it stays in the document while scrolled away, so that the focus is not lost. */
  kept: number | null
  /** The row that the keyboard moves to, and its bead. */
  wanted: number | null
  bead: string | undefined
  /** The row has the focus. */
  focused: () => void
  /** Whether the rows can be scrolled away sideways. */
  sideways?: boolean
}
export type CardWindow = Pick<RowWindow, 'ref' | 'from'> & {
  /** The rows to draw. */
  rows: readonly number[]
  /** The current row, if it is drawn away from the others. */
  apart: number | null
}

/** The rows of cards near the window, and the current one. Moves the focus to the row that the keyboard wants. */
export function useCardWindow({ kept, wanted, bead, focused, sideways = false, ...wish }: Parts): CardWindow {
  const { ref, scroller, from, to, show } = useWindow(wish)
  useEffect(() => {
    if (wanted === null) return
    show(wanted)
    requestAnimationFrame(() => {
      const card = scroller()?.querySelector<HTMLElement>(`[data-bead="${CSS.escape(bead ?? '')}"] a[title]`)
      card?.focus({ preventScroll: true })
      if (sideways) card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      focused()
    })
  }, [wanted, bead, show, scroller, sideways, focused])

  const apart = kept !== null && kept < wish.count && (kept < from || kept >= to) ? kept : null
  const rows = Array.from({ length: to - from }, (_, index) => from + index)
  if (apart !== null && apart < from) rows.unshift(apart)
  else if (apart !== null) rows.push(apart)
  return { ref, from, rows, apart }
}
