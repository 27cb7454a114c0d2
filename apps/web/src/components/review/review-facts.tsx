import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import css from './review-facts.module.css'
import { getDiff } from '../../api/endpoints.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { exactText, sinceText, spanText } from '../../ui/text/time-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { LineChange } from '../../ui/line-change.tsx'

/** The reviewed commits, the reviewer, and the time. */
export function ReviewFacts({ review }: { review: ReviewView }) {
  const { project, bead, branch, from, to, model, queuedAt, startedAt, endedAt } = review
  const now = useServerNow()
  const took = lasted(review)
  const { data } = useQuery({ queryKey: ['diff', review.id], queryFn: ({ signal }) => getDiff(review.id, signal) })
  const facts: [string, ReactNode][] = [
    [
      endedAt === null ? 'Reviewing' : 'Reviewed',
      <>
        {bead !== null && (
          <>
            <Link to="/p/$project/b/$bead" params={{ project, bead }}>
              {shown(bead)}
            </Link>
            ,{' '}
          </>
        )}
        <code>{shown(branch)}</code>, <code title={`${from}..${to}`}>{`${from.slice(0, 7)}..${to.slice(0, 7)}`}</code>
      </>,
    ],
    ...(data && data.files.length > 0
      ? ([['Change', <Sum key="sum" files={data.files} />]] as [string, ReactNode][])
      : []),
    ['Reviewer', model === null ? (startedAt === null ? 'not started' : 'the reviewer’s own command') : shown(model)],
    [
      'When',
      <span key="when" title={exactText(endedAt ?? queuedAt)}>
        {endedAt === null ? `requested ${sinceText(now - queuedAt)}` : sinceText(now - endedAt)}
        {took !== null && `, took ${spanText(took)}`}
      </span>,
    ],
  ]
  return (
    <dl className={css['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Sum({ files }: { files: readonly { added: number | null; removed: number | null }[] }) {
  const added = files.reduce((sum, one) => sum + (one.added ?? 0), 0)
  const removed = files.reduce((sum, one) => sum + (one.removed ?? 0), 0)
  return (
    <>
      {counted(files.length, 'file')}, <LineChange added={added} removed={removed} />
    </>
  )
}
