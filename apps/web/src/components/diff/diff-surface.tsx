import {
  defaultRangeExtractor,
  observeElementOffset,
  useVirtualizer,
  type Range,
  type Virtualizer,
} from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type Ref,
} from 'react'
import { DiffRowView, type RowActions } from './lines/diff-row-view.tsx'
import type { DiffRow, FileShape } from './lines/diff-rows.ts'
import css from './diff-surface.module.css'
import { Fling } from './fling.ts'
import { columnsOf, rowHeight, type Columns } from './lines/row-height.ts'
import type { Colours } from './lines/use-colours.ts'
import { placeOf, samePlace, type Place } from './same-place.ts'

/** The distance above and below the window in which patches are read ahead, in pixels. */
const NEAR = 400

/** Measures the width of a character of code. */
const PROBE = '0'.repeat(50)

const scrollKeys = new Set([' ', 'PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown'])

export type Surface = {
  /** The row being read: the first one below the sticky head. */
  top: () => number
  show: (row: number) => void
  focus: () => void
}

type Props = {
  ref: Ref<Surface>
  rows: readonly DiffRow[]
  shapes: readonly FileShape[]
  actions: RowActions
  colours: Colours
  /** The row to mark: the hunk that a key went to, or the linked line. */
  current: string | null
  onSeen: (files: readonly number[]) => void
  /** Called when the reader scrolls by hand. */
  onMoved: () => void
  /** Reports the file of the row being read. */
  onTop: (file: number) => void
  label: string
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

/** Every row of every file on one surface; the document contains only those near the window. */
export function DiffSurface({ ref, rows, shapes, actions, colours, current, onSeen, onMoved, onTop, label }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const heads = useRef<number[]>([])
  heads.current = useMemo(() => rows.flatMap((row, at) => (row.is === 'head' ? [at] : [])), [rows])
  const sticky = useRef(0)
  const [columns, setColumns] = useState<Columns | null>(null)
  const [fling] = useState(() => new Fling())
  // A new function has all rows laid out again, so it changes only with the rows or their heights.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const keyOf = useCallback((at: number) => rows[at]?.key ?? at, [rows, columns])
  // oxlint-disable-next-line react/incompatible-library -- its results stay in this component
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
  const items = virtual.getVirtualItems()
  // Once scrolling rests, the rows are drawn again.
  const plain = virtual.isScrolling && fling.flung
  const width = Math.round(virtual.scrollRect?.width ?? 0)
  const probe = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    setColumns(columnsOf(width, (probe.current?.getBoundingClientRect().width ?? 0) / PROBE.length))
  }, [width])

  // The row at the top stays there for the reader, whatever changes above it.
  const place = useRef<{ place: Place; delta: number } | null>(null)
  // A long path takes more than one line, so the heights of heads differ.
  const headHeight = (head: number) => virtual.measurementsCache[head]?.size ?? rowHeight(rows[head], columns)
  const top = () => {
    const from = (scroller.current?.scrollTop ?? 0) + headHeight(sticky.current)
    let at = firstAfter(virtual.measurementsCache, from)
    while (rows[at]?.is === 'head') at++
    return at < rows.length ? at : -1
  }
  const remember = (at = top()) => {
    const pane = scroller.current
    const [row, item] = [rows[at], virtual.measurementsCache[at]]
    if (!pane || !row || !item || pane.scrollTop === 0) place.current = null
    else
      place.current = {
        place: placeOf(row, shapes[row.file]?.file.path ?? ''),
        delta: pane.scrollTop - item.start,
      }
  }
  useLayoutEffect(() => {
    const pane = scroller.current
    const kept = place.current
    if (!pane || kept === null) return
    const at = samePlace(rows, (file) => shapes[file]?.file.path ?? '', kept.place)
    const start = virtual.measurementsCache[at]?.start
    if (start === undefined) return
    // The row was folded away: put its head at the top.
    const next = rows[at]?.is === 'head' ? start : start + kept.delta
    // Reading the pane's own offset would force a layout for each patch that arrives.
    if (Math.abs((virtual.scrollOffset ?? 0) - next) >= 1) pane.scrollTop = next
    // Runs only when the rows change: in between, scrolling is the reader's.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows])

  // The overscan counts rows, and one row may be a whole file: only patches near the window are requested.
  const from = (virtual.scrollOffset ?? 0) - NEAR
  const to = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0) + NEAR
  const near = plain ? [] : items.filter(({ start, end }) => end > from && start < to)
  const seen = [...new Set(near.flatMap(({ index }) => (rows[index]?.is === 'waiting' ? [rows[index].file] : [])))]
  const seenKey = seen.join()
  useEffect(() => {
    if (seenKey !== '') onSeen(seenKey.split(',').map(Number))
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [seenKey])

  const tell = () => {
    const row = rows[top()]
    if (row) onTop(row.file)
  }
  useEffect(() => {
    if (!plain) tell()
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [plain])

  useImperativeHandle(ref, () => ({
    top,
    show: (at) => {
      const pane = scroller.current
      const start = virtual.measurementsCache[at]?.start
      if (!pane || start === undefined) return
      fling.leap()
      const head = heads.current.findLast((one) => one <= at) ?? 0
      pane.scrollTop = head === at ? start : start - headHeight(head)
      remember()
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
  }))

  return (
    <div
      ref={scroller}
      className={css['surface']}
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={() => {
        remember()
        if (!plain) tell()
      }}
      onWheel={onMoved}
      onPointerDown={onMoved}
      onTouchMove={onMoved}
      onKeyDown={({ key }) => {
        if (!scrollKeys.has(key)) return
        fling.leap()
        onMoved()
      }}
      data-diff-surface
    >
      <span ref={probe} className={css['probe']} aria-hidden>
        {PROBE}
      </span>
      <div className={css['space']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index]
          const shape = row && shapes[row.file]
          if (!row || !shape) return null
          const stuck = index === sticky.current
          return (
            <div
              key={key}
              data-index={index}
              ref={plain ? undefined : virtual.measureElement}
              className={stuck ? css['stuck'] : css['item']}
              style={stuck ? undefined : { transform: `translateY(${start}px)` }}
            >
              <DiffRowView
                row={row}
                shape={shape}
                marked={row.key === current}
                actions={actions}
                colours={colours}
                plain={plain}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}
