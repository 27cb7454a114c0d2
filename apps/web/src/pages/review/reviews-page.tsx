import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef } from 'react'
import css from './reviews-page.module.css'
import { countsOf, openCount } from '../../components/review/issues/issues.ts'
import { reviewMark } from '../../components/review/review-marks.ts'
import { SeverityMark } from '../../components/review/issues/severity.tsx'
import { useReviewList, type ReviewRow } from '../../components/review/use-reviews.ts'
import { WorkBranchActions } from '../../components/review/pull-request/work-branch-actions.tsx'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { useBoard, useHome, useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { useKeys } from '../../ui/keys/keys.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { exactText, sinceText } from '../../ui/text/time-text.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/reviews')

/** Every review of a project, newest first. */
export function ReviewsPage() {
  const { project } = route.useParams()
  const view = useHome().view?.projects.get(project)
  const { query, rows } = useReviewList(project)
  const list = useRef<HTMLUListElement>(null)
  usePageTitle(`Reviews · ${view?.name ?? project}`)

  const step = (by: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a[data-review]') ?? [])]
    const at = links.findIndex((link) => link === document.activeElement)
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
  }
  useKeys('Reviews', [
    { keys: ['j', 'ArrowDown'], does: 'Next review', run: () => step(1) },
    { keys: ['k', 'ArrowUp'], does: 'Previous review', run: () => step(-1) },
    {
      keys: ['o'],
      does: 'Open the review',
      run: () => (document.activeElement instanceof HTMLElement ? document.activeElement.click() : undefined),
    },
  ])

  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <h1>Reviews</h1>
        {view && <WorkBranchActions project={view} />}
      </header>
      {view?.pullRequest && <PullRequestNote view={view.pullRequest} />}
      {query.error && rows === null ? (
        <LoadFailure what="The reviews" error={query.error} onRetry={() => void query.refetch()} />
      ) : rows === null ? (
        <Loading what="reviews" />
      ) : rows.length === 0 ? (
        <PanelMessage title="No reviews yet">
          <p>
            A separate agent reads committed work and reports problems. Press Review above for{' '}
            {shown(view?.workBranch ?? 'the work branch')}, on a bead’s page for that bead, or run:
          </p>
          <pre>npx beadloom review --project {project}</pre>
        </PanelMessage>
      ) : (
        <>
          <ul ref={list} className={css['list']} aria-label="Reviews, newest first">
            {rows.map((row) => (
              <Row key={row.review.id} row={row} project={project} />
            ))}
          </ul>
          {query.hasNextPage && (
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** The outcome of the last pull request, in the server's words. */
function PullRequestNote({ view }: { view: PullRequestView }) {
  const now = useServerNow()
  const at = view.endedAt ?? view.askedAt
  if (view.detail === '') return null
  return (
    <p className={css['note']} role="note">
      <strong>Pull request</strong> <span title={exactText(at)}>({sinceText(now - at)})</span>: {shown(view.detail)}
    </p>
  )
}

function Row({ row: { review, state }, project }: { row: ReviewRow; project: string }) {
  const now = useServerNow()
  const { bead, branch, to, issues, queuedAt, endedAt } = review
  const title = useBoard(project).view?.beads.get(bead ?? '')?.title
  const at = endedAt ?? queuedAt
  return (
    <li className={css['row']}>
      <span className={css['state']}>
        <StateMark mark={reviewMark(state)} live={state.is === 'running'} />
      </span>
      <Link
        to="/p/$project/reviews/$review"
        params={{ project, review: review.id }}
        className={css['what']}
        data-review={review.id}
      >
        {bead === null ? (
          <span className={css['title']}>{shown(branch)}</span>
        ) : (
          <>
            <span className={css['id']}>{shown(bead)}</span>{' '}
            <span className={css['title']}>{shown(title ?? branch)}</span>
          </>
        )}
      </Link>
      <span className={css['counts']}>
        {countsOf(issues).map(({ severity, count }) => (
          <SeverityMark key={severity} severity={severity} count={count} />
        ))}
        {state.is === 'ended' && issues.length > 0 && (
          <span className={css['muted']}>{openCount(issues) === 0 ? 'none open' : `${openCount(issues)} open`}</span>
        )}
        {state.is === 'ended' && issues.length === 0 && (state.end === 'ready' || state.end === 'not_ready') && (
          <span className={css['muted']}>no issues</span>
        )}
      </span>
      <code className={css['commit']}>{to.slice(0, 7)}</code>
      <span className={`${css['age']} live-number`} title={exactText(at)}>
        {sinceText(now - at)}
      </span>
    </li>
  )
}
