import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { useState } from 'react'
import { MessageBox } from './message-box.tsx'
import { loadDraft, saveDraft, type MessageDraft } from './message-drafts.ts'
import { MessageList } from './message-list.tsx'
import css from './message-panel.module.css'
import { useMessages } from './use-messages.ts'
import { useRefusal } from '../../../ui/allowed.ts'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'

/**
 * The messages of people to the agents of an execution, and while it runs a box to say more. Nothing if there is
 * neither. A text that was typed too late stays until it is discarded.
 */
export function MessagePanel({ execution }: { execution: ExecutionView }) {
  const { messages, error, retry, add } = useMessages(execution)
  const [draft, setDraft] = useState(() => loadDraft(execution.id))
  const isAllowed = useRefusal('runner') === null
  const hasBox = isAllowed && (execution.state === 'RUNNING' || draft.text !== '')
  const hasList = messages !== null && messages.length > 0
  if (!hasBox && !hasList && error === null) return null
  const keep = (next: MessageDraft) => {
    setDraft(next)
    saveDraft(execution.id, next)
  }
  return (
    <section className={css['panel']} aria-label="Messages">
      {error !== null && (
        <p className={css['failure']} role="alert">
          Its messages could not be loaded: {shown(error.message)}
          <Button look="quiet" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {hasList && <MessageList messages={messages} />}
      {hasBox && <MessageBox execution={execution} draft={draft} onDraft={keep} onSaid={add} />}
    </section>
  )
}
