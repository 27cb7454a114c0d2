import type { BeadCard } from '@beadloom/core/api.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import css from '../../ui/form.module.css'
import { shown } from '../../ui/hostile-text.ts'

/** Queues a bead with a text for its agent. */
export function RunDialog({
  card,
  onRun,
  onClose,
}: {
  card: BeadCard
  onRun: (context: string) => void
  onClose: () => void
}) {
  const [context, setContext] = useState('')
  return (
    <Dialog title={`Run ${card.id}`} onClose={onClose}>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault()
          onRun(context.trim())
        }}
      >
        <p>{shown(card.title)}</p>
        <label>
          A note for the agent (optional)
          <textarea rows={5} maxLength={20_000} value={context} onChange={(event) => setContext(event.target.value)} />
        </label>
        <p className={css['hint']}>It stands in the prompt below the description, for this run only.</p>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit">
            Run
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
