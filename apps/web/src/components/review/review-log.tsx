import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import css from './review-log.module.css'
import { getExecution } from '../../api/endpoints.ts'
import type { Lines } from '../log/lines/line-selection.ts'
import { SessionOutput } from '../log/session-output.tsx'
import { PanelMessage } from '../../ui/panel-message.tsx'

type Props = { review: ReviewView; execution: ExecutionView | null; live?: boolean }

/** The reviewer's log; live while it runs. */
export function ReviewLog({ review, execution, live }: Props) {
  const fed = execution !== null && execution.sessions.length > 0
  const { data } = useQuery({
    queryKey: ['execution', review.id, review.state],
    queryFn: ({ signal }) => getExecution(review.id, signal),
    enabled: !fed && (isTerminal(review.state) || review.state === 'RUNNING'),
  })
  const sessions = (fed ? execution : data)?.sessions ?? []
  const [lines, setLines] = useState<Lines | null>(null)
  const session = sessions.findLast(({ kind }) => kind === 'work') ?? sessions.at(-1)
  if (session === undefined)
    return live === true ? (
      <PanelMessage title="No log yet">
        <p>The reviewer’s log appears here once its container has started.</p>
      </PanelMessage>
    ) : null
  return (
    <div className={css['log']}>
      <SessionOutput key={session.id} session={session} activity={null} lines={lines} onLines={setLines} />
    </div>
  )
}
