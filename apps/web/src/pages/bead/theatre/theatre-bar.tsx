import { isTerminal } from '@beadloom/core/records/execution.ts'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import css from './attempt-theatre.module.css'
import type { Scene } from './scene.ts'
import { causeOf } from '../attempts/attempt-compare.ts'
import { markOfAttempt } from '../attempts/attempt-mark.ts'
import { attemptTitle } from '../attempts/attempts.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'

export type TheatrePane = 'log' | 'diff'

type Props = {
  scene: Scene
  /** There is room for both panes. */
  roomy: boolean
  pane: TheatrePane
  onPane: (pane: TheatrePane) => void
  /** Undefined: back to all attempts. */
  goTo: (attempt: number | undefined) => void
}

/** The attempt's name and end, with the steps to its neighbours. */
export function TheatreBar({ scene, roomy, pane, onPane, goTo }: Props) {
  const { execution, attempt, before, after } = scene
  const live = !isTerminal(execution.state) && after === null
  const mark = markOfAttempt(attempt, live)
  const cause = causeOf(attempt)
  return (
    <header className={css['bar']}>
      <IconButton
        label="Previous attempt"
        keys="←"
        blockedBy={before === null ? 'this is the first' : null}
        onClick={() => before && goTo(before.number)}
      >
        <ChevronLeft size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
      <h2 aria-live="polite">
        {attemptTitle(attempt, execution.inPhases)} <span className={css['of']}>of {scene.of}</span>
      </h2>
      <IconButton
        label="Next attempt"
        keys="→"
        blockedBy={after === null ? 'this is the last' : null}
        onClick={() => after && goTo(after.number)}
      >
        <ChevronRight size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
      <StateMark mark={mark} bare={!roomy} live={mark.tone === 'running'} />
      {cause !== null && (
        <span className={css['cause']} title={shown(cause)}>
          {shown(cause)}
        </span>
      )}
      {!roomy && (
        <span className={css['panes']} role="group" aria-label="View">
          <button type="button" aria-pressed={pane === 'log'} onClick={() => onPane('log')}>
            Output
          </button>
          <button type="button" aria-pressed={pane === 'diff'} onClick={() => onPane('diff')}>
            Diff
          </button>
        </span>
      )}
      <IconButton label="Back to all attempts" keys="Esc" className={css['close']} onClick={() => goTo(undefined)}>
        <X size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </header>
  )
}
