import type { Step } from '@beadloom/core/conversation/step.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useImperativeHandle, useLayoutEffect, useRef, type ReactNode, type Ref } from 'react'
import css from './conversation.module.css'
import type { StepTools } from './step-tools.ts'
import { StepView } from './step-view.tsx'

/** Pixels from an edge within which more is read. */
const NEAR = 800
const AT_END = 24

export type Rows = { show(first: number): void; focus(): void; page(by: 1 | -1): void }
type Props = {
  steps: readonly Step[]
  tools: StepTools
  label: string
  /** First line of the step that a person is at. */
  current: number | null
  following: boolean
  /** More lines are above, or below. */
  above: boolean
  below: boolean
  onFollow(on: boolean): void
  onOlder(): void
  onNewer(): void
  onChoose(step: Step): void
  onLog(step: Step): void
  head: ReactNode
  foot: ReactNode
  ref: Ref<Rows>
}

const rowKey = (step: Step | undefined, at: number): string | number => (step ? `${step.is}${step.first}` : at)

const guess: Record<Step['is'], number> = {
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
}

/** Only what is seen is drawn; what is looked at stays where it is when steps come above it. */
export function StepRows(props: Props) {
  const { steps, tools, current, following, above, below, ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const anchor = useRef<{ line: number; offset: number } | null>(null)
  const virtual = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => guess[steps[at]?.is ?? 'call'],
    getItemKey: (at) => rowKey(steps[at], at),
    overscan: 4,
    paddingStart: above ? 48 : 8,
  })
  const items = virtual.getVirtualItems()
  const total = virtual.getTotalSize()

  const remember = () => {
    const top = scroller.current?.scrollTop ?? 0
    const item = virtual.getVirtualItems().find(({ end }) => end > top)
    const step = item && steps[item.index]
    anchor.current = item && step ? { line: step.last, offset: item.start - top } : null
  }

  // Before it is painted, so that nothing is seen to jump.
  useLayoutEffect(() => {
    const pane = scroller.current
    const kept = anchor.current
    if (!pane || following || kept === null) return
    const index = steps.findIndex(({ last }) => last >= kept.line)
    const item = virtual.measurementsCache[index]
    if (!item) return
    const moved = item.start - pane.scrollTop - kept.offset
    if (Math.abs(moved) > 1) pane.scrollTop += moved
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only other steps move what is looked at
  }, [steps])
  useLayoutEffect(() => {
    const pane = scroller.current
    if (pane && following) pane.scrollTop = pane.scrollHeight
  }, [following, steps, total])
  // A short window leaves room for what is above it.
  const { onOlder } = props
  useLayoutEffect(() => {
    const pane = scroller.current
    if (pane && above && steps.length > 0 && steps.length < 4 && total < pane.clientHeight / 2) onOlder()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each window that is shown
  }, [steps.length])

  useImperativeHandle(ref, () => ({
    show: (first) => {
      const index = steps.findIndex((step) => step.first === first)
      if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
      anchor.current = null
    },
    focus: () => scroller.current?.focus(),
    page: (by) => scroller.current?.scrollBy({ top: by * scroller.current.clientHeight * 0.9 }),
  }))

  const scrolled = () => {
    const pane = scroller.current
    if (!pane) return
    remember()
    const left = pane.scrollHeight - pane.scrollTop - pane.clientHeight
    if (left < AT_END && !below && !following) props.onFollow(true)
    if (pane.scrollTop < NEAR && above && !following) props.onOlder()
    if (left < NEAR && below) props.onNewer()
  }
  const leave = () => {
    if (!following) return
    remember()
    props.onFollow(false)
  }

  return (
    <div
      ref={scroller}
      className={css['scroller']}
      role="region"
      aria-label={props.label}
      tabIndex={0}
      onScroll={scrolled}
      onWheel={({ deltaY }) => deltaY < 0 && leave()}
      onTouchMove={leave}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && leave()}
    >
      <div className={css['rows']} style={{ height: total }}>
        {above && <div className={css['top']}>{props.head}</div>}
        {items.map(({ index, key, start }) => {
          const step = steps[index]
          if (!step) return null
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-step={step.first}
              aria-current={step.first === current ? 'true' : undefined}
              className={`${css['row']} ${step.first === current ? css['current'] : ''}`}
              style={{ transform: `translateY(${start}px)` }}
            >
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
              {step.first === current && (
                <button type="button" className={css['tolog']} onClick={() => props.onLog(step)}>
                  Show in log
                </button>
              )}
            </div>
          )
        })}
      </div>
      {props.foot}
    </div>
  )
}
