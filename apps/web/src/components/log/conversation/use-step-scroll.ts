import type { Step } from '@beadloom/core/conversation/step.ts'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type HTMLAttributes,
  type Ref,
  type RefObject,
} from 'react'
import type { Rail } from './conversation-rail.tsx'
import type { Row } from './rows.ts'

/** Distance from an edge, in pixels, at which more is read. */
const NEAR = 800
const AT_END = 24

export type Rows = {
  /** Brings a line's step, or the head of the session, into view; `top`: at the top. */
  show(first: number | 'head', top?: boolean): void
  focus(): void
  page(by: 1 | -1): void
}
type Props = {
  rows: readonly Row[]
  /** Rows of the session being read: [begin, end). */
  begin: number
  end: number
  following: boolean
  onFollow(on: boolean): void
  onOlder(): void
  onNewer(): void
  ref: Ref<Rows>
}
export type StepScroll = {
  scroller: RefObject<HTMLDivElement | null>
  rail: RefObject<Rail | null>
  virtual: Virtualizer<HTMLDivElement, Element>
  /** Only a part of the session is read. */
  isPart: boolean
  on: Pick<HTMLAttributes<HTMLDivElement>, 'onScroll' | 'onWheel' | 'onTouchMove' | 'onPointerDown'>
}

const guess: Record<Step['is'] | Exclude<Row['is'], 'step'>, number> = {
  said: 88,
  call: 40,
  result: 40,
  section: 40,
  border: 36,
  thread: 200,
  mark: 40,
  end: 60,
  output: 40,
  gap: 36,
  head: 40,
  unread: 48,
  working: 48,
}

/** The scrolling of a conversation: follows the end, or keeps the row being read in place; near an edge, more is read. */
export function useStepScroll({ rows, begin, end, following, onFollow, onOlder, onNewer, ref }: Props): StepScroll {
  const scroller = useRef<HTMLDivElement>(null)
  const rail = useRef<Rail>(null)
  // oxlint-disable-next-line react/incompatible-library -- nothing that gets its results is memoized
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => guessOf(rows[at]),
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 4,
    paddingStart: 8,
    paddingEnd: 8,
  })
  const total = virtual.getTotalSize()
  const [above, below] = [rows[begin]?.key === 'above', rows[end - 1]?.key === 'below']
  const isPart = above || below
  /** Top and bottom of the session being read, in pixels. */
  const edges = () => {
    const all = virtual.measurementsCache
    return { from: all[begin]?.start ?? 0, to: end >= rows.length ? virtual.getTotalSize() : (all[end]?.start ?? 0) }
  }

  const scrollBy = (px: number) => {
    if (scroller.current) scroller.current.scrollTop += px
  }
  const kept = useKeptRow({ scroller, virtual, rows, following, scrollBy })
  const place = () => {
    const view = scroller.current
    if (!view || !isPart) return
    const first = lineAt(rows, virtual.getVirtualItemForOffset(view.scrollTop), view.scrollTop)
    const bottom = view.scrollTop + view.clientHeight
    const last = lineAt(rows, virtual.getVirtualItemForOffset(bottom), bottom)
    if (first !== null && last !== null) rail.current?.place(first, Math.max(first, last))
  }

  const follow = useEffectEvent(() => {
    const view = scroller.current
    if (view && following) view.scrollTop = edges().to - view.clientHeight
    place()
  })
  const fill = useEffectEvent(() => {
    const view = scroller.current
    if (view && above && end - begin > 1 && end - begin < 6 && total < view.clientHeight / 2) onOlder()
  })
  useLayoutEffect(() => follow(), [following, rows, total])
  // The part below the conversation takes room from it, and gives it back.
  useLayoutEffect(() => {
    const view = scroller.current
    if (view === null) return
    const observer = new ResizeObserver(() => follow())
    observer.observe(view)
    return () => observer.disconnect()
  }, [])
  // A short window would leave empty room, so older lines are read.
  useLayoutEffect(() => fill(), [rows.length])

  useImperativeHandle(ref, () => ({
    show: (first, top = false) => {
      const index =
        first === 'head' ? begin - 1 : rows.findIndex((row) => row.is === 'step' && row.step.first === first)
      if (index >= 0) virtual.scrollToIndex(index, { align: top ? 'start' : 'auto' })
      kept.forget()
    },
    focus: () => scroller.current?.focus(),
    page: (by) => scroller.current?.scrollBy({ top: by * scroller.current.clientHeight * 0.9 }),
  }))

  const scrolled = () => {
    const view = scroller.current
    if (!view) return
    kept.remember()
    place()
    const { from, to } = edges()
    const left = to - view.scrollTop - view.clientHeight
    if (Math.abs(left) < AT_END && !below && !following) onFollow(true)
    if (view.scrollTop - from < NEAR && above && !following) onOlder()
    if (left < NEAR && below) onNewer()
  }
  const leave = () => {
    if (!following) return
    kept.remember()
    onFollow(false)
  }

  return {
    scroller,
    rail,
    virtual,
    isPart,
    on: {
      onScroll: scrolled,
      // Below the session that is followed there may be others.
      onWheel: ({ deltaY }) => (deltaY < 0 || end < rows.length) && leave(),
      onTouchMove: leave,
      onPointerDown: ({ target, currentTarget }) => target === currentTarget && leave(),
    },
  }
}

type KeptRowParts = Pick<StepScroll, 'scroller' | 'virtual'> &
  Pick<Props, 'rows' | 'following'> & { scrollBy: (px: number) => void }

/** Keeps the row being read in place when others come above it. */
function useKeptRow({ scroller, virtual, rows, following, scrollBy }: KeptRowParts) {
  const anchor = useRef<{ key: string; line: number | null; offset: number } | null>(null)
  const remember = () => {
    const top = scroller.current?.scrollTop ?? 0
    const item = virtual.getVirtualItems().find((one) => one.end > top)
    const row = item && rows[item.index]
    anchor.current =
      item && row && row.is !== 'unread'
        ? { key: row.key, line: row.is === 'step' ? row.step.last : null, offset: item.start - top }
        : null
  }
  const keepPlace = useEffectEvent(() => {
    const top = scroller.current?.scrollTop
    const kept = anchor.current
    if (top === undefined || following || kept === null) return
    const index = rows.findIndex((row) =>
      kept.line === null ? row.key === kept.key : row.is === 'step' && row.step.last >= kept.line,
    )
    const item = virtual.measurementsCache[index]
    if (!item) return
    const moved = item.start - top - kept.offset
    if (Math.abs(moved) > 1) scrollBy(moved)
  })
  // Runs before the paint, so nothing seems to jump. Only other rows move the row that is being read.
  useLayoutEffect(() => keepPlace(), [rows])
  return {
    remember,
    forget: () => {
      anchor.current = null
    },
  }
}

const guessOf = (row: Row | undefined): number =>
  guess[row === undefined ? 'call' : row.is === 'step' ? row.step.is : row.is]

/**
 * The line at an offset, as a fraction within a step; for other rows, a nearby step's first line; null without steps.
 */
function lineAt(
  rows: readonly Row[],
  item: { index: number; start: number; size: number } | undefined,
  offset: number,
): number | null {
  const row = item && rows[item.index]
  if (!item || !row) return null
  if (row.is !== 'step') {
    const next =
      rows.slice(item.index).find((one) => one.is === 'step') ??
      rows.slice(0, item.index).findLast((one) => one.is === 'step')
    return next?.is === 'step' ? next.step.first : null
  }
  const { first, last } = row.step
  return first + ((offset - item.start) / Math.max(1, item.size)) * (last - first + 1)
}
