import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { RotateCcw, ScrollText } from 'lucide-react'
import { FixedIssues } from './issues/fixed-issues.tsx'
import { IssueList } from './issues/issue-list.tsx'
import { countsOf, openCount, statusOf } from './issues/issues.ts'
import { ReviewFacts } from './review-facts.tsx'
import { ReviewLog } from './review-log.tsx'
import css from './review-panel.module.css'
import type { ReviewSearch } from './review-search.ts'
import { Live, Verdict } from './review-verdict.tsx'
import { SafeText } from './safe-text.tsx'
import { SeverityMark } from './issues/severity.tsx'
import { useReview } from './use-reviews.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'

type Props = {
  project: string
  id: string
  search: ReviewSearch
  onSearch: (patch: ReviewSearch) => void
  /** Asks for another review of the same target. */
  onAgain: () => void
  againBusy: boolean
  againRefusal: string | null
}

/** One review: its progress, or its result and the actions on it. */
export function ReviewPanel({ project, id, search, onSearch, onAgain, againBusy, againRefusal }: Props) {
  const { review, execution, state, error, retry } = useReview(project, id)
  if (review === null) return error ? <LoadFailure what="The review" error={error} onRetry={retry} /> : <Skeleton />
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
      blockedBy={review.session === null ? 'there is no log yet' : null}
      onClick={() => onSearch({ show: search.show === 'log' ? undefined : 'log' })}
      icon={<ScrollText size={16} strokeWidth={1.5} aria-hidden />}
    >
      {search.show === 'log' ? 'Hide log' : 'Log'}
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
        {again('Review again')}
      </Verdict>
      {state.moved && (
        <p className={css['note']} role="note">
          Out of date: newer commits on {shown(review.branch)} are not reviewed.
        </p>
      )}
      {!state.moved && state.end === 'not_ready' && review.issues.length > 0 && openCount(review.issues) === 0 && (
        <p className={css['note']} role="note">
          All issues are closed. The verdict is about this commit; fixes made since are on the work branch. Review the
          work branch to see both.
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
                ? 'No issues found, and the project’s checks passed on the same commit.'
                : 'No issues found. See above for why it isn’t ready.'}
            </p>
          </PanelMessage>
        )
      )}
      <FixedIssues review={review} />
    </div>
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

const Skeleton = () => (
  <div className={css['skeleton']} role="status" aria-busy="true" aria-label="Loading review">
    {[40, 70, 100, 100].map((width, index) => (
      <div key={index} data-width={width} />
    ))}
  </div>
)
