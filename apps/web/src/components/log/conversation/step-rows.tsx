import { useId, type Ref } from 'react'
import { ConversationRail } from './conversation-rail.tsx'
import css from './conversation.module.css'
import type { Row } from './rows.ts'
import { Between, StepLine, type StepRowProps } from './step-row.tsx'
import { useStepScroll, type Rows } from './use-step-scroll.ts'

type Props = StepRowProps & {
  rows: readonly Row[]
  /** Rows of the session being read: [begin, end). */
  begin: number
  end: number
  lines: number
  label: string
  /** First line of the current step. */
  current: number | null
  following: boolean
  onFollow(on: boolean): void
  onLine(line: number): void
  ref: Ref<Rows>
}

/** Draws only rows in view; the row being read stays in place when steps come above it. */
export function StepRows(props: Props) {
  const { rows, current } = props
  const pane = useId()
  const { scroller, rail, virtual, isPart, on } = useStepScroll(props)
  const items = virtual.getVirtualItems()
  return (
    <>
      <div
        ref={scroller}
        id={pane}
        className={css['scroller']}
        role="region"
        aria-label={props.label}
        tabIndex={0}
        {...on}
      >
        <div className={css['rows']} style={{ height: virtual.getTotalSize() }}>
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
                    <StepLine step={step} current={isCurrent} props={props} />
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
