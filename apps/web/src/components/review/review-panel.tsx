import type { ReviewView } from '@beadloom/core/api.ts'
import { Link } from '@tanstack/react-router'
import { Check, RotateCcw, ScrollText, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IssueList } from './issue-list.tsx'
import { countsOf, statusOf } from './issues.ts'
import { ReviewFacts } from './review-facts.tsx'
import { ReviewLog } from './review-log.tsx'
import { reviewMark } from './review-marks.ts'
import css from './review-panel.module.css'
import type { ReviewSearch } from './review-search.ts'
import type { ReviewState } from './review-state.ts'
import { SafeText } from './safe-text.tsx'
import { SeverityMark } from './severity.tsx'
import { useReview } from './use-reviews.ts'
import { changeBead, cancelExecution } from '../../api/endpoints.ts'
import { StateMark } from '../bead/state-mark.tsx'
import { marks } from '../bead/states.ts'
import { useLanes } from '../bead/use-lanes.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { clockText } from '../../ui/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'

type Props = {
  project: string
  id: string
  search: ReviewSearch
  onSearch: (patch: ReviewSearch) => void
  /** Asks for another review of the same. */
  onAgain: () => void
  againBusy: boolean
  againRefusal: string | null
}

/** One review: how it goes, or what it came to and what is to be done about it. */
export function ReviewPanel({ project, id, search, onSearch, onAgain, againBusy, againRefusal }: Props) {
  const { review, execution, state, error, retry } = useReview(project, id)
  if (review === null)
    return error ? (
      <PanelMessage title="The review could not be read" role="alert">
        <p>{error.message}</p>
        <Button onClick={retry}>Try again</Button>
      </PanelMessage>
    ) : (
      <Skeleton />
    )
  const again = (label: string) => (
    <Button
      busy={againBusy}
      blockedBy={againRefusal}
      onClick={onAgain}
      icon={<RotateCcw size={16} strokeWidth={1.5} aria-hidden />}
    >
      {label}
    </Button>
  )
  const log = (
    <Button
      look="quiet"
      aria-pressed={search.show === 'log'}
      blockedBy={review.session === null ? 'it has no log yet' : null}
      onClick={() => onSearch({ show: search.show === 'log' ? undefined : 'log' })}
      icon={<ScrollText size={16} strokeWidth={1.5} aria-hidden />}
    >
      {search.show === 'log' ? 'Hide the log' : 'Log'}
    </Button>
  )
  if (state.is !== 'ended')
    return (
      <div className={css['panel']}>
        <Live review={review} state={state} activity={execution?.activity ?? null} />
        <ReviewFacts review={review} />
        <ReviewLog review={review} execution={execution} live />
      </div>
    )
  return (
    <div className={css['panel']}>
      <Verdict review={review} state={state}>
        {log}
        {again(state.moved || state.end === 'failed' || state.end === 'cancelled' ? 'Review again' : 'Look again')}
      </Verdict>
      {state.moved && (
        <p className={css['note']} role="note">
          {shown(review.branch)} has moved since this commit: what stands here may be mended already, and what is new
          has not been looked at.
        </p>
      )}
      <ReviewFacts review={review} />
      {review.summary !== '' && <SafeText text={review.summary} />}
      {search.show === 'log' && <ReviewLog review={review} execution={execution} />}
      {review.issues.length > 0 ? (
        <>
          <Counts review={review} />
          <IssueList review={review} search={search} onSearch={onSearch} />
        </>
      ) : (
        (state.end === 'ready' || state.end === 'not_ready') && (
          <PanelMessage title="No issues">
            <p>
              {state.end === 'ready'
                ? 'The reviewer named nothing, and the project’s checks passed on the same commit.'
                : 'The reviewer named nothing in the change; what keeps it from being ready stands above.'}
            </p>
          </PanelMessage>
        )
      )}
      <Fixed review={review} />
    </div>
  )
}

function Verdict({ review, state, children }: { review: ReviewView; state: ReviewState; children: ReactNode }) {
  const ready = state.is === 'ended' && state.end === 'ready'
  const judged = review.reasons.length > 0 && state.is === 'ended' && state.end === 'not_ready'
  return (
    <header className={css['verdict']}>
      <div className={css['word']}>
        <StateMark mark={{ ...reviewMark(state), ...(ready ? { word: 'Ready for a pull request' } : {}) }} />
      </div>
      <div className={css['actions']}>{children}</div>
      {judged ? (
        <ul className={css['reasons']} aria-label="Why">
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

const asSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

function Live({ review, state, activity }: { review: ReviewView; state: ReviewState; activity: string | null }) {
  const now = useServerNow()
  const stopping = state.is === 'running' && state.stopping
  return (
    <header className={css['verdict']}>
      <div className={css['word']}>
        <StateMark mark={reviewMark(state)} live={state.is === 'running'} />
        {state.is === 'running' && <span className="live-number">{clockText(now - state.startedAt)}</span>}
      </div>
      <div className={css['actions']}>
        <Button
          blockedBy={stopping ? 'it is being stopped' : null}
          onClick={() => void cancelExecution(review.id).catch(toastError)}
          icon={<X size={16} strokeWidth={1.5} aria-hidden />}
        >
          {stopping ? 'Stopping…' : 'Cancel the review'}
        </Button>
      </div>
      <p className={css['reasons']}>
        {state.is === 'queued'
          ? `It waits: ${shown(state.why)}.`
          : shown(activity ?? 'Its result is here when it has ended.')}
      </p>
    </header>
  )
}

function Counts({ review: { issues } }: { review: ReviewView }) {
  const count = (status: ReturnType<typeof statusOf>) => issues.filter((one) => statusOf(one) === status).length
  const rest = [`${count('open')} open`, `${count('fixed')} fixed`, `${count('dismissed')} dismissed`]
  return (
    <div className={css['counts']}>
      <ul aria-label="Issues by severity">
        {countsOf(issues).map(({ severity, count: n }) => (
          <li key={severity}>
            <SeverityMark severity={severity} count={n} />
          </li>
        ))}
      </ul>
      <span>{rest.filter((text) => !text.startsWith('0 ')).join(' · ')}</span>
    </div>
  )
}

/** What earlier reviews had found and this one does not: to the reviewed work's credit, and for a person to close. */
function Fixed({ review: { fixed, project } }: { review: ReviewView }) {
  const lane = useLanes(project)
  if (fixed.length === 0) return null
  return (
    <section className={css['fixed']} aria-labelledby="not-found-any-more">
      <h2 id="not-found-any-more">Not found any more</h2>
      <p>Earlier reviews had named these. Close what is mended.</p>
      <ul>
        {fixed.map(({ bead, title }) => {
          const at = lane(bead, 'open') ?? 'open'
          return (
            <li key={bead}>
              <StateMark mark={marks[at]} bare />
              <Link to="/p/$project/b/$bead" params={{ project, bead }}>
                <span className={css['id']}>{shown(bead)}</span> {shown(title)}
              </Link>
              {at !== 'completed' && (
                <IconButton
                  label={`Close ${bead}`}
                  onClick={() => void changeBead(project, bead, 'done').then(() => toast(`${bead} closed`), toastError)}
                >
                  <Check size={16} strokeWidth={1.5} aria-hidden />
                </IconButton>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const Skeleton = () => (
  <div className={css['skeleton']} aria-busy="true" aria-label="Loading the review">
    {[40, 70, 100, 100].map((width, index) => (
      <div key={index} data-width={width} />
    ))}
  </div>
)
