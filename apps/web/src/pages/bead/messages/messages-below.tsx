import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { Suspense } from 'react'
import css from './messages-below.module.css'
import { useRefusal } from '../../../ui/allowed.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

const { Part: MessagePanel, ahead } = lazyPart(async () => (await import('./message-panel.tsx')).MessagePanel)
export const messagesAhead = ahead

/** The messages of an execution that has started, below its output. The output does not move when the box appears. */
export function MessagesBelow({ execution }: { execution: ExecutionView }) {
  const hasBox = useRefusal('runner') === null && execution.state === 'RUNNING'
  if (execution.startedAt === null) return null
  return (
    <Suspense fallback={hasBox ? <div className={css['room']} /> : null}>
      <MessagePanel key={execution.id} execution={execution} />
    </Suspense>
  )
}
