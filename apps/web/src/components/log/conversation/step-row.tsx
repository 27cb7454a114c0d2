import type { Step } from '@beadloom/core/conversation/step.ts'
import css from './conversation.module.css'
import type { Row } from './rows.ts'
import type { StepTools } from './step-tools.ts'
import { StepView } from './step-view.tsx'
import { ThreadHeadRow } from './thread-head.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'

export type StepRowProps = {
  session: string
  tools: StepTools
  onOlder(): void
  onNewer(): void
  onChoose(step: Step): void
  onLog(step: Step): void
  onThread(session: string): void
}

/** A step with the number of its first line. */
export function StepLine({ step, current, props }: { step: Step; current: boolean; props: StepRowProps }) {
  return (
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
        <StepView step={step} tools={props.tools} />
      </div>
      {current && (
        <button type="button" className={css['tolog']} onClick={() => props.onLog(step)}>
          Show in log
        </button>
      )}
    </>
  )
}

/** A row between steps: the head of a session, lines not read yet, or work in progress. */
export function Between({ row, props }: { row: Row; props: StepRowProps }) {
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
