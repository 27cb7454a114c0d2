import {
  defaultRangeExtractor,
  observeElementOffset,
  useVirtualizer,
  type Range,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { Fling } from './fling.ts'
import type { DiffRow } from './lines/diff-rows.ts'
import { columnsOf, rowHeight, type Columns } from './lines/row-height.ts'

/** Measures the width of a character of code. */
export const PROBE = '0'.repeat(50)

export type DrawnRows = {
  scroller: RefObject<HTMLDivElement | null>
  /** The element with the text `PROBE`. */
  probe: RefObject<HTMLSpanElement | null>
  virtual: Virtualizer<HTMLDivElement, Element>
  fling: Fling
  /** The reader passes by: rows are drawn without colours. Once scrolling rests, they are drawn again. */
  plain: boolean
  /** The file head that stays at the top. */
  sticky: RefObject<number>
  /** The row being read: the first one below the sticky head; -1: none. */
  top(): number
  /** The offset that puts a row below the head of its file; undefined: it is not laid out. */
  offsetOf(row: number): number | undefined
  scrollTo(offset: number): void
}

/** The rows near the window of a surface, with their heights. */
export function useDrawnRows(rows: readonly DiffRow[]): DrawnRows {
  const scroller = useRef<HTMLDivElement>(null)
  const heads = useRef<number[]>([])
  heads.current = useMemo(() => rows.flatMap((row, at) => (row.is === 'head' ? [at] : [])), [rows])
  const sticky = useRef(0)
  const [columns, setColumns] = useState<Columns | null>(null)
  const [fling] = useState(() => new Fling())
  // A new function has all rows laid out again, so it changes only with the rows or their heights.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const keyOf = useCallback((at: number) => rows[at]?.key ?? at, [rows, columns])
  // oxlint-disable-next-line react/incompatible-library -- nothing that gets its results is memoized
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => rowHeight(rows[at], columns),
    getItemKey: keyOf,
    overscan: 6,
    observeElementOffset: useCallback(
      (pane: Virtualizer<HTMLDivElement, Element>, said: (offset: number, moving: boolean) => void) =>
        observeElementOffset(pane, (offset, moving) => {
          fling.step(offset, moving, pane.scrollRect?.height ?? Infinity)
          said(offset, moving)
        }),
      [fling],
    ),
    rangeExtractor: useCallback(
      (range: Range) => {
        sticky.current = heads.current.findLast((head) => head <= range.startIndex) ?? 0
        // Rows are drawn ahead for readers who stop, not for those who pass by.
        const shown = defaultRangeExtractor(fling.flung ? { ...range, overscan: 0 } : range)
        return [...new Set([sticky.current, ...shown])].toSorted((a, b) => a - b)
      },
      [fling],
    ),
  })
  const plain = virtual.isScrolling && fling.flung
  const width = Math.round(virtual.scrollRect?.width ?? 0)
  const probe = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    setColumns(columnsOf(width, (probe.current?.getBoundingClientRect().width ?? 0) / PROBE.length))
  }, [width])
  // A long path takes more than one line, so the heights of heads differ.
  const headHeight = (head: number) => virtual.measurementsCache[head]?.size ?? rowHeight(rows[head], columns)
  const top = () => {
    const from = (scroller.current?.scrollTop ?? 0) + headHeight(sticky.current)
    let at = firstAfter(virtual.measurementsCache, from)
    while (rows[at]?.is === 'head') at++
    return at < rows.length ? at : -1
  }
  const offsetOf = (at: number) => {
    const start = virtual.measurementsCache[at]?.start
    const head = heads.current.findLast((one) => one <= at) ?? 0
    return start === undefined || head === at ? start : start - headHeight(head)
  }
  const scrollTo = (offset: number) => {
    if (scroller.current) scroller.current.scrollTop = offset
  }
  return { scroller, probe, virtual, fling, plain, sticky, top, offsetOf, scrollTo }
}

/** Index of the first item that ends below a position. */
function firstAfter(stacked: readonly { end: number }[], place: number): number {
  let [from, to] = [0, stacked.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((stacked[middle]?.end ?? 0) > place) to = middle
    else from = middle + 1
  }
  return from
}
