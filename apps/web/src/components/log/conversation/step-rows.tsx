import type { Step } from '@beadloom/core/conversation/step.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useImperativeHandle, useLayoutEffect, useRef, type Ref } from 'react'
import { ConversationRail, type Rail } from './conversation-rail.tsx'
import css from './conversation.module.css'
import type { Row } from './rows.ts'
import type { StepTools } from './step-tools.ts'
import { StepView } from './step-view.tsx'
import { ThreadHeadRow } from './thread-head.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'

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
  session: string
  lines: number
  tools: StepTools
  label: string
  /** First line of the current step. */
  current: number | null
  following: boolean
  onFollow(on: boolean): void
  onOlder(): void
  onNewer(): void
  onChoose(step: Step): void
  onLog(step: Step): void
  onThread(session: string): void
  onLine(line: number): void
  ref: Ref<Rows>
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

/** Draws only rows in view; the row being read stays in place when steps come above it. */
export function StepRows(props: Props) {
  const { rows, begin, end, tools, current, following, ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rail = useRef<Rail>(null)
  const pane = useId()
  const anchor = useRef<{ key: string; line: number | null; offset: number } | null>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => guessOf(rows[at]),
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 4,
    paddingStart: 8,
    paddingEnd: 8,
  })
  const items = virtual.getVirtualItems()
  const total = virtual.getTotalSize()
  const [above, below] = [rows[begin]?.key === 'above', rows[end - 1]?.key === 'below']
  const isPart = above || below
  /** Top and bottom of the session being read, in pixels. */
  const edges = () => {
    const all = virtual.measurementsCache
    return { from: all[begin]?.start ?? 0, to: end >= rows.length ? virtual.getTotalSize() : (all[end]?.start ?? 0) }
  }

  const remember = () => {
    const top = scroller.current?.scrollTop ?? 0
    const item = virtual.getVirtualItems().find((one) => one.end > top)
    const row = item && rows[item.index]
    anchor.current =
      item && row && row.is !== 'unread'
        ? { key: row.key, line: row.is === 'step' ? row.step.last : null, offset: item.start - top }
        : null
  }
  const place = () => {
    const view = scroller.current
    if (!view || !isPart) return
    const first = lineAt(rows, virtual.getVirtualItemForOffset(view.scrollTop), view.scrollTop)
    const bottom = view.scrollTop + view.clientHeight
    const last = lineAt(rows, virtual.getVirtualItemForOffset(bottom), bottom)
    if (first !== null && last !== null) rail.current?.place(first, Math.max(first, last))
  }

  // Runs before the paint, so nothing seems to jump.
  useLayoutEffect(() => {
    const view = scroller.current
    const kept = anchor.current
    if (!view || following || kept === null) return
    const index = rows.findIndex((row) =>
      kept.line === null ? row.key === kept.key : row.is === 'step' && row.step.last >= kept.line,
    )
    const item = virtual.measurementsCache[index]
    if (!item) return
    const moved = item.start - view.scrollTop - kept.offset
    if (Math.abs(moved) > 1) view.scrollTop += moved
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only other rows move what is looked at
  }, [rows])
  useLayoutEffect(() => {
    const view = scroller.current
    if (view && following) view.scrollTop = edges().to - view.clientHeight
    place()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is drawn says where the end is
  }, [following, rows, total])
  // A short window would leave empty room, so older lines are read.
  const { onOlder } = props
  useLayoutEffect(() => {
    const view = scroller.current
    if (view && above && end - begin > 1 && end - begin < 6 && total < view.clientHeight / 2) onOlder()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each window that is shown
  }, [rows.length])

  useImperativeHandle(ref, () => ({
    show: (first, top = false) => {
      const index =
        first === 'head' ? begin - 1 : rows.findIndex((row) => row.is === 'step' && row.step.first === first)
      if (index >= 0) virtual.scrollToIndex(index, { align: top ? 'start' : 'auto' })
      anchor.current = null
    },
    focus: () => scroller.current?.focus(),
    page: (by) => scroller.current?.scrollBy({ top: by * scroller.current.clientHeight * 0.9 }),
  }))

  const scrolled = () => {
    const view = scroller.current
    if (!view) return
    remember()
    place()
    const { from, to } = edges()
    const left = to - view.scrollTop - view.clientHeight
    if (Math.abs(left) < AT_END && !below && !following) props.onFollow(true)
    if (view.scrollTop - from < NEAR && above && !following) props.onOlder()
    if (left < NEAR && below) props.onNewer()
  }
  const leave = () => {
    if (!following) return
    remember()
    props.onFollow(false)
  }

  return (
    <>
      <div
        ref={scroller}
        id={pane}
        className={css['scroller']}
        role="region"
        aria-label={props.label}
        tabIndex={0}
        onScroll={scrolled}
        // Below the session that is followed there may be others.
        onWheel={({ deltaY }) => (deltaY < 0 || end < rows.length) && leave()}
        onTouchMove={leave}
        onPointerDown={({ target, currentTarget }) => target === currentTarget && leave()}
      >
        <div className={css['rows']} style={{ height: total }}>
          {/* Stacked in normal flow: a row that is higher than estimated moves the next ones, and covers none. */}
          <div className={css['drawn']} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map(({ index, key }) => {
              const row = rows[index]
              if (!row) return null
              const step = row.is === 'step' ? row.step : null
              const isCurrent = step !== null && step.first === current
              return (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  data-step={step?.first}
                  aria-current={isCurrent ? 'true' : undefined}
                  className={`${css['row']} ${isCurrent ? css['current'] : ''}`}
                >
                  {step !== null ? (
                    <>
                      <button
                        type="button"
                        className={css['number']}
                        tabIndex={-1}
                        aria-label={`Select lines ${step.first + 1} to ${step.last + 1}`}
                        onClick={() => props.onChoose(step)}
                      >
                        {step.first + 1}
                      </button>
                      <div className={css['step']}>
                        <StepView step={step} tools={tools} />
                      </div>
                      {isCurrent && (
                        <button type="button" className={css['tolog']} onClick={() => props.onLog(step)}>
                          Show in log
                        </button>
                      )}
                    </>
                  ) : (
                    <div className={css['between']}>
                      <Between row={row} props={props} />
                    </div>
                  )}
                </div>
              )
            })}
          </div>
        </div>
      </div>
      {isPart && <ConversationRail ref={rail} lines={props.lines} pane={pane} onLine={props.onLine} />}
    </>
  )
}

function Between({ row, props }: { row: Row; props: Props }) {
  switch (row.is) {
    case 'head':
      return (
        <ThreadHeadRow
          head={row.head}
          open={row.head.session === props.session}
          onOpen={(one) => props.onThread(one)}
        />
      )
    case 'unread':
      return (
        <button type="button" className={css['earlier']} onClick={row.key === 'above' ? props.onOlder : props.onNewer}>
          {counted(row.lines, row.key === 'above' ? 'earlier line' : 'later line')}
        </button>
      )
    case 'working':
      return <p className={css['working']}>Working…</p>
    case 'step':
      return null
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
