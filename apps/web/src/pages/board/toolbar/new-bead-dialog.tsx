import { useNavigate } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import css from '../../../ui/form.module.css'
import { addBead } from '../../../api/endpoints.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useHome } from '../../../feed/feed-context.tsx'
import { toast } from '../../../ui/toast.tsx'

export function NewBeadDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [priority, setPriority] = useState(2)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [noTitle, setNoTitle] = useState(false)
  const titleField = useRef<HTMLInputElement>(null)
  const noteId = useId()
  const autopilot = useHome().view?.projects.get(project)?.autopilot
  const navigate = useNavigate()
  const submit = async () => {
    if (title.trim() === '') {
      setNoTitle(true)
      titleField.current?.focus()
      return
    }
    setBusy(true)
    try {
      const bead = await addBead(project, { title: title.trim(), description, priority })
      toast(`${bead.id} filed`, {
        action: {
          label: 'Open',
          run: () => void navigate({ to: '/p/$project/b/$bead', params: { project, bead: bead.id } }),
        },
      })
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title="New bead" onClose={onClose}>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <label>
          Title
          <input
            ref={titleField}
            value={title}
            onChange={(event) => {
              setTitle(event.target.value)
              setNoTitle(false)
            }}
            maxLength={500}
            aria-invalid={noTitle || undefined}
            aria-describedby={noTitle ? noteId : undefined}
          />
          {noTitle && (
            <span id={noteId} className={css['error']} role="alert">
              Enter a title.
            </span>
          )}
        </label>
        <label>
          Description and acceptance criteria
          <textarea rows={6} value={description} onChange={(event) => setDescription(event.target.value)} />
        </label>
        <label>
          Priority
          <select value={priority} onChange={(event) => setPriority(Number(event.target.value))}>
            {['P0 critical', 'P1 high', 'P2 normal', 'P3 low', 'P4 someday'].map((text, value) => (
              <option key={text} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        {autopilot !== undefined && (
          <p className={css['hint']}>
            {autopilot
              ? 'Autopilot is on: starts automatically when a slot frees up.'
              : 'Autopilot is off: starts when you press Run.'}
          </p>
        )}
        {problem && (
          <p className={css['error']} role="alert">
            {problem}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy}>
            Create bead
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
