import { useEffect, useEffectEvent, useImperativeHandle, type Ref } from 'react'
import { DiffRowView, type RowActions } from './lines/diff-row-view.tsx'
import type { DiffRow, FileShape } from './lines/diff-rows.ts'
import css from './diff-surface.module.css'
import type { Colours } from './lines/use-colours.ts'
import { PROBE, useDrawnRows } from './use-drawn-rows.ts'
import { useKeptPlace } from './use-kept-place.ts'

/** The distance above and below the window in which patches are read ahead, in pixels. */
const NEAR = 400

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

/** Every row of every file on one surface; the document contains only those near the window. */
export function DiffSurface({ ref, rows, shapes, actions, colours, current, onSeen, onMoved, onTop, label }: Props) {
  const drawn = useDrawnRows(rows)
  const { scroller, probe, virtual, fling, plain, sticky, top, offsetOf, scrollTo } = drawn
  const remember = useKeptPlace(drawn, rows, shapes)
  const items = virtual.getVirtualItems()

  // The overscan counts rows, and one row may be a whole file: only patches near the window are requested.
  const from = (virtual.scrollOffset ?? 0) - NEAR
  const to = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0) + NEAR
  const near = plain ? [] : items.filter(({ start, end }) => end > from && start < to)
  const seen = [...new Set(near.flatMap(({ index }) => (rows[index]?.is === 'waiting' ? [rows[index].file] : [])))]
  const seenKey = seen.join()
  const see = useEffectEvent(onSeen)
  useEffect(() => {
    if (seenKey !== '') see(seenKey.split(',').map(Number))
  }, [seenKey])

  const tell = () => {
    const row = rows[top()]
    if (row && !plain) onTop(row.file)
  }
  const tellOnceAtRest = useEffectEvent(tell)
  useEffect(() => tellOnceAtRest(), [plain])

  useImperativeHandle(ref, () => ({
    top,
    show: (at) => {
      const offset = offsetOf(at)
      if (offset === undefined) return
      fling.leap()
      scrollTo(offset)
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
        tell()
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
