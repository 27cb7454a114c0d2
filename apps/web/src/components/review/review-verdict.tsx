import { asSentence } from '@beadloom/core/text/sentence.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { reviewMark } from './review-marks.ts'
import css from './review-verdict.module.css'
import type { ReviewState } from './review-state.ts'
import { cancelExecution } from '../../api/endpoints.ts'
import { StateMark } from '../bead/state-mark.tsx'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { elapsedText } from '../../ui/text/time-text.ts'
import { toastError } from '../../ui/toast.tsx'

/** The result with its reasons and actions. */
export function Verdict({ review, state, children }: { review: ReviewView; state: ReviewState; children: ReactNode }) {
  const ready = state.is === 'ended' && state.end === 'ready'
  const judged = review.reasons.length > 0 && state.is === 'ended' && state.end === 'not_ready'
  return (
    <header className={css['verdict']}>
      <div className={css['word']}>
        <StateMark mark={{ ...reviewMark(state), ...(ready ? { word: 'Ready for a pull request' } : {}) }} />
      </div>
      <div className={css['actions']}>{children}</div>
      {judged ? (
        <ul className={css['reasons']} aria-label="Reasons">
          {review.reasons.map((reason) => (
            <li key={reason}>{shown(asSentence(reason))}</li>
          ))}
        </ul>
      ) : (
        !ready && review.detail !== '' && <p className={css['reasons']}>{shown(review.detail)}</p>
      )}
    </header>
  )
}

/** The state of a review that has not ended. */
export function Live({ review, state, activity }: { review: ReviewView; state: ReviewState; activity: string | null }) {
  const now = useServerNow()
  const stopping = state.is === 'running' && state.stopping
  return (
    <header className={css['verdict']}>
      <div className={css['word']}>
        <StateMark mark={reviewMark(state)} live={state.is === 'running'} />
        {state.is === 'running' && <span className="live-number">{elapsedText(now - state.startedAt)}</span>}
      </div>
      <div className={css['actions']}>
        <Button
          needs="runner"
          blockedBy={stopping ? 'already stopping' : null}
          onClick={() => void cancelExecution(review.id).catch(toastError)}
          icon={<X size={16} strokeWidth={1.5} aria-hidden />}
        >
          {stopping ? 'Stopping…' : 'Cancel review'}
        </Button>
      </div>
      <p className={css['reasons']}>
        {state.is === 'queued'
          ? `Waiting: ${shown(state.why)}.`
          : shown(activity ?? 'The result appears here when it is done.')}
      </p>
    </header>
  )
}
