import { capital } from '@beadloom/core/text/sentence.ts'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { waitText, type BudgetWait } from '@beadloom/core/budget/wait.ts'
import { Coins } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { ApiFailure } from '../../../api/client.ts'
import { grantBudget, pressKey } from '../../../api/endpoints.ts'
import type { BeadCommands } from '../../../components/bead/bead-commands.tsx'
import { readGrant, usualGrant } from '../../../components/bead/grant-words.ts'
import tones from '../../../components/bead/tones.module.css'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import form from '../../../ui/form.module.css'
import { elapsedText, inText, wallClockText } from '../../../ui/text/time-text.ts'
import { toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'
import css from './budget-note.module.css'
import banner from './end-banner.module.css'

type Props = { bead: BeadCard; execution: ExecutionView; commands: Pick<BeadCommands, 'cancel'> }

/** An execution that waits at a limit, and the two possible answers. Nothing if none waits. */
export function BudgetNote({ bead, execution, commands }: Props) {
  const { waits: wait, cancelRequestedAt } = execution
  if (wait?.kind !== 'budget' || cancelRequestedAt !== null) return null
  if (wait.granted) return <Granted wait={wait} />
  // Another limit is another question, with its own default amount.
  return (
    <Waiting
      key={`${execution.id} ${wait.since}`}
      wait={wait}
      id={execution.id}
      stop={() => commands.cancel(bead, execution)}
    />
  )
}

/** The grant is given, but other beads have the slot. */
function Granted({ wait }: { wait: BudgetWait }) {
  const text = waitText(wait)
  return (
    <div className={`${banner['banner']} ${tones['queued']}`} role="note">
      <Coins size={16} strokeWidth={1.75} aria-hidden />
      <p>{capital(text)}.</p>
    </div>
  )
}

function Waiting({ wait, id, stop }: { wait: BudgetWait; id: string; stop: () => void }) {
  const now = useServerNow()
  const field = useId()
  const [typed, setTyped] = useState(usualGrant(wait))
  const [wrong, setWrong] = useState('')
  const { busy, send } = useSending((error) => {
    // Somebody else was faster, or it has ended.
    if (!(error instanceof ApiFailure && ['nothing_to_grant', 'not_now'].includes(error.code))) toastError(error)
  })
  const text = waitText(wait)
  const grant = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const read = readGrant(typed, wait.unit)
    setWrong('wrong' in read ? read.wrong : '')
    if ('wrong' in read) return
    void send(() => grantBudget(id, read, pressKey()))
  }
  return (
    <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
      <Coins size={16} strokeWidth={1.75} aria-hidden />
      <div>
        <p className="live-number">
          {capital(text)}. Its agent has been waiting for you for {elapsedText(now - wait.since)}; without an answer it
          ends at {wallClockText(wait.until)} ({inText(wait.until - now)}), and its work is saved.
        </p>
        <form
          className={css['grant']}
          data-unsaved={typed !== usualGrant(wait) || undefined}
          onSubmit={(event) => void grant(event)}
          noValidate
        >
          <label htmlFor={field}>
            {wait.unit === 'tokens' ? 'Tokens' : wait.currency}
            <input
              id={field}
              inputMode={wait.unit === 'tokens' ? 'numeric' : 'decimal'}
              autoComplete="off"
              value={typed}
              aria-invalid={wrong !== '' || undefined}
              aria-describedby={wrong === '' ? undefined : `${field}-wrong`}
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
          <Button needs="admin" type="submit" look="primary" busy={busy}>
            Grant more
          </Button>
          <Button needs="runner" onClick={stop}>
            Stop
          </Button>
        </form>
        {wrong !== '' && (
          <p id={`${field}-wrong`} className={form['error']} role="alert">
            {wrong}
          </p>
        )}
      </div>
    </div>
  )
}
