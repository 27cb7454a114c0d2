import { ScanSearch, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { FocusEvent, ReactNode } from 'react'
import css from './review-button.module.css'
import type { ReviewCommands } from './review-commands.tsx'
import { ReviewLink } from './review-link.tsx'
import type { ReviewState } from './review-state.ts'
import { reviewMark } from './review-marks.ts'
import tones from '../bead/tones.module.css'
import { useServerNow } from '../../feed/feed-context.tsx'
import { announce } from '../../ui/announcer.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Hint } from '../../ui/hint.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { elapsedText } from '../../ui/text/time-text.ts'

type Props = {
  commands: ReviewCommands
  /** The reviewed target, for screen readers: "wc-1a4", "the work branch". */
  what: string
  project: string
  /** Null: the work branch. */
  bead: string | null
}

/** Asks for a review, and shows the newest one's state: a link to it, with actions beside it. */
export function ReviewButton({ commands, what, project, bead }: Props) {
  const { state, refusal, busy, press, cancel, known } = commands
  const group = useKeptFocus(state, what)
  const ask = (label: string) => (
    <Button
      needs="runner"
      blockedBy={refusal}
      busy={busy || !known}
      onClick={press}
      aria-label={`${label}: ${what}`}
      icon={<ScanSearch size={16} strokeWidth={1.5} aria-hidden />}
    >
      <span className={css['label']}>{label}</span>
    </Button>
  )
  const gone = state.is === 'none' || (state.is === 'ended' && state.end === 'cancelled')
  if (gone) return <span {...group}>{ask('Review')}</span>
  const moved = state.is === 'ended' && state.moved
  const mark = moved ? { ...reviewMark(state), tone: 'queued' as const } : reviewMark(state)
  const Icon = mark.icon
  const result = (text: ReactNode, about: string) => (
    <Hint text={shown(about)}>
      <ReviewLink project={project} bead={bead} id={state.id} className={`${css['result']} ${tones[mark.tone]}`}>
        <Icon
          size={16}
          strokeWidth={1.75}
          aria-hidden
          className={state.is === 'running' ? css['turning'] : undefined}
        />
        <span className="visually-hidden">Review of {what}: </span>
        {text}
      </ReviewLink>
    </Hint>
  )
  if (state.is === 'queued' || state.is === 'running')
    return (
      <span {...group}>
        {state.is === 'queued'
          ? result(state.text, `Queued: ${state.why}`)
          : result(<Running since={state.startedAt} stopping={state.stopping} />, 'Open the live log')}
        <IconButton
          needs="runner"
          label="Cancel review"
          onClick={cancel}
          blockedBy={state.is === 'running' && state.stopping ? 'already stopping' : null}
        >
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      </span>
    )
  const usable = state.end === 'ready' || state.end === 'not_ready'
  return (
    <span {...group}>
      {result(state.text, state.moved ? `Out of date: the branch has moved. ${state.why}` : state.why)}
      {(moved || !usable) && ask('Review again')}
    </span>
  )
}

/** A result replaces the button: keyboard focus stays in place, and screen readers hear how the review ended. */
function useKeptFocus(state: ReviewState, what: string) {
  const ref = useRef<HTMLSpanElement>(null)
  const within = useRef(false)
  const before = useRef(state.is)
  const { is } = state
  const text = is === 'ended' ? state.text : ''
  useEffect(() => {
    const was = before.current
    before.current = is
    if (was === is) return
    if (within.current && document.activeElement === document.body)
      ref.current?.querySelector<HTMLElement>('a, button')?.focus()
    if (is === 'ended' && was !== 'none') announce(`Review of ${what}: ${text}`)
  }, [is, what, text])
  return {
    ref,
    className: css['group'],
    onFocus: (event: FocusEvent) => {
      within.current = event.target.matches(':focus-visible') // a mouse needs no focus
    },
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget instanceof Node && !ref.current?.contains(event.relatedTarget)) within.current = false
    },
  }
}

function Running({ since, stopping }: { since: number; stopping: boolean }) {
  const now = useServerNow()
  return stopping ? (
    'Stopping…'
  ) : (
    <span>
      Reviewing <span className="live-number">{elapsedText(now - since)}</span>
    </span>
  )
}
