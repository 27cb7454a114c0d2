import { shown } from '../../../ui/text/hostile-text.ts'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { useId } from 'react'
import type { TextField } from './edit-drafts.ts'
import css from './text-editor.module.css'
import { useTextDraft } from './use-text-draft.ts'
import { Button } from '../../../ui/button.tsx'
import form from '../../../ui/form.module.css'
import { keyText } from '../../../ui/keys/key-text.ts'
import { typedKey } from '../../../ui/keys/typed-key.ts'

type Props = {
  bead: BeadView
  field: TextField
  /** The current text. */
  now: string
  /** An agent works on the bead. */
  live: boolean
  onClose: () => void
}

const labels: Record<TextField, string> = {
  title: 'Title',
  description: 'Description',
  acceptance: 'Acceptance criteria',
}
/** The server refuses a longer text with its limit; a field that cuts what is pasted would lose it unseen. */
const MOST_OF_TITLE = 500

/** An editor for one text of a bead. Escape closes it and keeps the typed text for the next time. */
export function TextEditor({ bead, field, now, live, onClose }: Props) {
  const { text, change, discard, submit, busy, problem } = useTextDraft({ bead, field, now, onClose })
  const note = useId()
  const shared = {
    value: text,
    'aria-label': labels[field],
    'aria-describedby': note,
    'aria-invalid': problem !== null || undefined,
    autoFocus: true,
  }
  return (
    <form
      className={`${form['form']} ${css['editor']}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => {
        const key = typedKey(event)
        if (key === 'Escape') {
          event.stopPropagation()
          onClose()
        }
        if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          submit()
        }
      }}
    >
      {field === 'title' ? (
        <input {...shared} maxLength={MOST_OF_TITLE} onChange={(event) => change(event.target.value)} />
      ) : (
        <textarea
          {...shared}
          rows={field === 'description' ? 12 : 6}
          onChange={(event) => change(event.target.value)}
        />
      )}
      <div id={note} className={css['notes']}>
        {problem && (
          <p className={form['error']} role="alert">
            {problem.changed ? 'This was changed by somebody else meanwhile. It is now:' : problem.text}
          </p>
        )}
        {problem?.changed && (
          <blockquote className={css['theirs']} tabIndex={0} aria-label="Their text">
            {now === '' ? <em>empty</em> : shown(now)}
          </blockquote>
        )}
        {live && field !== 'title' && (
          <p className={form['hint']}>
            Its agent is working from the text it was given. The new text applies to the next run, and this run will not
            close the bead.
          </p>
        )}
      </div>
      <div className={css['buttons']}>
        {problem?.changed ? (
          <>
            <Button look="primary" busy={busy} onClick={() => submit('mine')}>
              Replace it with mine
            </Button>
            <Button onClick={discard}>Keep theirs</Button>
          </>
        ) : (
          <>
            <Button look="primary" type="submit" busy={busy} title={keyText('Mod+Enter')}>
              Save
            </Button>
            <Button onClick={discard}>Cancel</Button>
          </>
        )}
        {field !== 'title' && <span className={form['hint']}>Markdown</span>}
      </div>
    </form>
  )
}
