import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { useState } from 'react'
import { placeText } from './issues.ts'
import { dismissIssue, pressKey } from '../../../api/endpoints.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useSending } from '../../../ui/use-sending.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { typedKey } from '../../../ui/keys/typed-key.ts'

type Props = {
  review: string
  issue: ReviewIssueView
  onDone: (view: ReviewView) => void
  onClose: () => void
}

/** Dismisses an issue with a reason: later reviews will not file it again. */
export function DismissDialog({ review, issue, onDone, onClose }: Props) {
  const [note, setNote] = useState('')
  const { busy, problem, send } = useSending()
  const submit = () =>
    send(async () => {
      onDone(await dismissIssue(review, issue.number, note.trim(), pressKey()))
      onClose()
    })
  return (
    <Dialog title="Dismiss this issue?" onClose={onClose}>
      <form
        className={form['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>
          {shown(issue.title)} ({shown(placeText(issue))})
        </p>
        <label>
          Reason (optional)
          <textarea
            rows={3}
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            onKeyDown={(event) => {
              if (typedKey(event) === 'Enter' && (event.ctrlKey || event.metaKey))
                event.currentTarget.form?.requestSubmit()
            }}
          />
        </label>
        <p className={form['hint']}>
          {issue.bead === null ? '' : `Closes its bead, ${shown(issue.bead)}. `}Later reviews will not file this issue
          again (same title and file). You can reopen it at any time.
        </p>
        <FormProblem text={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy}>
            Dismiss
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
