import type { Step, StepOf } from '@beadloom/core/conversation/step.ts'
import {
  Bot,
  CircleX,
  Flag,
  Layers,
  RefreshCw,
  RotateCcw,
  Scissors,
  Terminal,
  TextQuote,
  TriangleAlert,
} from 'lucide-react'
import { memo } from 'react'
import { BodyView, sizeOf } from './body-view.tsx'
import { CallView } from './call-view.tsx'
import css from './conversation.module.css'
import inside from './step-body.module.css'
import { plain } from './plain.ts'
import { Fold } from './fold.tsx'
import type { StepTools } from './step-tools.ts'
import { Words } from './words.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'

type Props<K extends Step['is'] = Step['is']> = { step: StepOf<K>; tools: StepTools }

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

export const StepView = memo(function StepView({ step, tools }: { step: Step; tools: StepTools }) {
  switch (step.is) {
    case 'said':
      return <Said step={step} tools={tools} />
    case 'call':
      return <CallView step={step} tools={tools} />
    case 'result':
      return (
        <Inside
          step={step}
          tools={tools}
          glyph={<TextQuote {...icon} />}
          body={step.result.body}
          indent={2}
          failed={!step.result.ok}
          title={`result of ${step.tool}`}
          end={step.result.took}
        />
      )
    case 'section':
      return <Section step={step} tools={tools} />
    case 'border':
      return <Border step={step} />
    case 'thread':
      return <Thread step={step} tools={tools} />
    case 'mark':
      return <Mark step={step} tools={tools} />
    case 'end':
      return (
        <div className={css['end']}>
          <Flag {...icon} />
          <div>
            <Words text={step.text} />
          </div>
        </div>
      )
    case 'output':
      return step.body.lines <= 3 ? (
        <div className={inside['bare']}>
          <BodyView body={step.body} indent={0} tools={tools} />
        </div>
      ) : (
        <Inside
          step={step}
          tools={tools}
          glyph={<Terminal {...icon} />}
          body={step.body}
          indent={0}
          failed={false}
          title="output"
          end=""
        />
      )
    case 'gap':
      return (
        <p className={inside['gap']} aria-busy="true">
          Loading {counted(step.last - step.first + 1, 'line')}…
        </p>
      )
  }
})

function Said({ step, tools }: Props<'said'>) {
  return (
    <div className={css['said']}>
      <Words text={step.text} />
      {step.cut > 0 && (
        <button type="button" className={inside['rest']} onClick={() => tools.toLog(step.first, step.last)}>
          The rest is in the log
        </button>
      )}
    </div>
  )
}

type InsideProps = {
  step: Step
  tools: StepTools
  glyph: React.ReactNode
  body: StepOf<'output'>['body']
  indent: number
  failed: boolean
  title: string
  end: string
}

/** Lines inside a head that says how many they are. */
function Inside({ step, tools, glyph, body, indent, failed, title, end }: InsideProps) {
  const open = tools.isOpen(step.first) ?? false
  return (
    <Fold
      open={open && body.lines > 0}
      onFlip={body.lines > 0 ? () => tools.flip(step.first, !open) : null}
      tone={failed ? 'failed' : 'quiet'}
      glyph={glyph}
      head={<span className={css['verb']}>{plain(title)}</span>}
      end={[body.lines > 0 ? sizeOf(body) : '', end].filter(Boolean).join(' · ')}
    >
      <BodyView body={body} indent={indent} tools={tools} />
    </Fold>
  )
}

function Section({ step, tools }: Props<'section'>) {
  const { end, body, title, command } = step
  const failed = end !== null && end.exit !== null && end.exit !== 0
  const open = tools.isOpen(step.first) ?? failed
  return (
    <Fold
      open={open && body.lines > 0}
      onFlip={body.lines > 0 ? () => tools.flip(step.first, !open) : null}
      tone={failed ? 'failed' : end === null ? 'running' : 'quiet'}
      glyph={failed ? <CircleX {...icon} /> : <Layers {...icon} />}
      head={
        <>
          <span className={css['verb']}>{plain(title)}</span>
          {command !== '' && <code className={css['what']}> {plain(command.slice(0, 300))}</code>}{' '}
          {failed && <span className={css['bad']}>exit {end.exit}</span>}
          {end === null && <span className={css['outcome']}>{tools.live ? 'running' : 'not finished'}</span>}
        </>
      }
      end={[body.lines > 0 ? sizeOf(body) : '', end?.took ?? ''].filter(Boolean).join(' · ')}
    >
      <BodyView body={body} indent={0} tools={tools} />
    </Fold>
  )
}

function Border({ step: { title, end } }: { step: StepOf<'border'> }) {
  const bad = end !== null && end.exit !== null && end.exit !== 0
  return (
    <p className={css['border']}>
      <span className={bad ? css['bad'] : undefined}>
        {plain(title)}
        {end !== null && (bad ? ` failed with exit ${end.exit}, ${end.took}` : ` finished, ${end.took}`)}
      </span>
    </p>
  )
}

/** A sub-agent's conversation, within that of its agent. */
function Thread({ step, tools }: Props<'thread'>) {
  const open = tools.isOpen(step.first) ?? true
  return (
    <Fold
      open={open}
      onFlip={() => tools.flip(step.first, !open)}
      tone="quiet"
      glyph={<Bot {...icon} />}
      head={
        <>
          <span className={css['verb']}>{plain(step.agent)}</span>{' '}
          <span className={css['outcome']}>sub-agent {step.sub}</span>
        </>
      }
      end={step.end === '' ? '' : plain(step.end.split('\n')[0]!.slice(0, 80))}
    >
      <div className={css['thread']}>
        {step.task !== '' && <div className={css['task']}>{plain(step.task)}</div>}
        {step.steps.slice(0, MOST_NESTED).map((one) => (
          <StepView key={`${one.is}${one.first}`} step={one} tools={tools} />
        ))}
        {step.steps.length > MOST_NESTED && (
          <button
            type="button"
            className={inside['rest']}
            onClick={() => tools.toLog(step.steps[MOST_NESTED]!.first, step.last)}
          >
            {counted(step.steps.length - MOST_NESTED, 'more step')} in the log
          </button>
        )}
      </div>
    </Fold>
  )
}

/** Steps drawn of a thread: it is one row of the list, however long. */
const MOST_NESTED = 60

const marks = {
  round: RefreshCw,
  fresh: RotateCcw,
  handover: Scissors,
  compaction: Scissors,
  retry: RefreshCw,
  warning: TriangleAlert,
  note: Flag,
}

function Mark({ step, tools }: Props<'mark'>) {
  const { of, text, body } = step
  if (of === 'round') return <p className={css['round']}>{text}</p>
  const Glyph = marks[of]
  const words = of === 'fresh' ? `Fresh start: ${text.replace(/^\[REACT\] /, '').replace(/ for task$/, '')}` : text
  const open = tools.isOpen(step.first) ?? false
  return (
    <div className={`${css['mark']} ${of === 'note' || of === 'fresh' ? '' : css['warned']}`}>
      <Glyph {...icon} />
      <div className={css['words']}>
        {plain(words)}
        {body !== null && (
          <button
            type="button"
            className={inside['rest']}
            aria-expanded={open}
            onClick={() => tools.flip(step.first, !open)}
          >
            {open ? 'Hide' : 'Show'} the handover, {sizeOf(body)}
          </button>
        )}
        {body !== null && open && <BodyView body={body} indent={2} tools={tools} />}
      </div>
    </div>
  )
}
