import { actionText } from '@beadloom/core/access/action-words.ts'
import type { ActionView } from '@beadloom/core/api/people/people-api.ts'
import { useState } from 'react'
import css from './people-list.module.css'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { exactText, sinceText } from '../../ui/text/time-text.ts'

const FEW = 5

/** People's actions on a bead and its executions, newest first. */
export function PeopleList({ actions }: { actions: readonly ActionView[] }) {
  const now = useServerNow()
  const [all, setAll] = useState(false)
  const seen = all ? actions : actions.slice(0, FEW)
  return (
    <section className={css['people']} aria-label="Who did what">
      <h2>People</h2>
      <ul>
        {seen.map(({ id, at, by, action, about, done }) => (
          <li key={id}>
            <strong>{shown(by)}</strong> {shown(actionText(action))}
            {about !== '' && action === 'bead_changed' && `: ${shown(about)}`}
            {!done && ' (the server stopped meanwhile; it may not have been done)'}{' '}
            <time title={exactText(at)}>{sinceText(now - at)}</time>
          </li>
        ))}
      </ul>
      {actions.length > FEW && (
        <Button look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${actions.length}`}
        </Button>
      )}
    </section>
  )
}
