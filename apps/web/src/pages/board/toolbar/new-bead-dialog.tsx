import { priorityText, priorityWords } from '@beadloom/core/bead/priority-words.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useMemo, useRef, useState } from 'react'
import { DependsOnField, useDependsOn } from '../../../components/fields/depends-on-field.tsx'
import { beadOf, beadTypes, draftOf, emptyDraft, forgetDraft, keepDraft, type BeadDraft } from './new-bead-draft.ts'
import css from './new-bead-dialog.module.css'
import { addBead, getBead, pressKey, queueExecution } from '../../../api/endpoints.ts'
import { isDemo } from '../../../feed/demo.ts'
import { useHome } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { keyText } from '../../../ui/keys/key-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

type Props = { project: string; onClose: () => void }

/** Creates a bead, and runs it if wanted. Typed text stays when the dialog is closed. */
export function NewBeadDialog({ project, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(project))
  const { busy, problem, send } = useSending()
  const [noTitle, setNoTitle] = useState(false)
  const titleField = useRef<HTMLInputElement>(null)
  const noteId = useId()
  const view = useHome().view?.projects.get(project)
  const autopilot = view?.autopilot
  const navigate = useNavigate()
  const change = (part: Partial<BeadDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    keepDraft(project, next)
  }
  const dependsOn = useDependsOn({
    project,
    own: null,
    value: draft.dependsOn,
    onChange: (ids) => change({ dependsOn: ids }),
  })
  // One press creates one bead, even if the answer was lost; a changed text creates another.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new name for each text
  const key = useMemo(pressKey, [draft, dependsOn.typed])
  const submit = (andRun: boolean) => {
    if (busy) return
    if (draft.title.trim() === '') {
      setNoTitle(true)
      titleField.current?.focus()
      return
    }
    const ids = dependsOn.all()
    if (ids === null) return
    void send(async () => {
      const bead = await addBead(project, beadOf({ ...draft, dependsOn: ids }), key)
      forgetDraft(project)
      const open = {
        label: 'Open',
        run: () => void navigate({ to: '/p/$project/b/$bead', params: { project, bead: bead.id } }),
      }
      if (!andRun) toast(`${bead.id} created`, { action: open })
      else
        await queueExecution(project, bead.id, {}, pressKey()).then(
          () => toast(`${bead.id} created and queued`, { action: open }),
          async (error: unknown) =>
            (await hasBegun(project, bead.id))
              ? toast(`${bead.id} created and queued`, { action: open })
              : toastError(`${bead.id} was created, but cannot run yet: ${messageOf(error)}`),
        )
      onClose()
    })
  }
  return (
    <Dialog title="New bead" onClose={onClose}>
      <form
        className={form['form']}
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit(event.shiftKey)
        }}
      >
        <label>
          Title
          <input
            ref={titleField}
            value={draft.title}
            onChange={(event) => {
              change({ title: event.target.value })
              setNoTitle(false)
            }}
            maxLength={500}
            aria-invalid={noTitle || undefined}
            aria-describedby={noTitle ? noteId : undefined}
          />
          {noTitle && (
            <span id={noteId} className={form['error']} role="alert">
              Enter a title.
            </span>
          )}
        </label>
        <label>
          Description and acceptance criteria
          <textarea
            rows={6}
            value={draft.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        </label>
        <div className={css['row']}>
          <label>
            Type
            <select value={draft.type} onChange={(event) => change({ type: event.target.value })}>
              {beadTypes.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          </label>
          <label>
            Priority
            <select value={draft.priority} onChange={(event) => change({ priority: Number(event.target.value) })}>
              {priorityWords.map((word, value) => (
                <option key={word} value={value}>
                  {priorityText(value)}
                </option>
              ))}
            </select>
          </label>
          <label className={css['wide']}>
            Labels
            <input
              value={draft.labels}
              placeholder="Separated by commas"
              maxLength={2_000}
              onChange={(event) => change({ labels: event.target.value })}
            />
          </label>
        </div>
        <DependsOnField of={dependsOn} />
        {autopilot !== undefined && (
          <p className={form['hint']}>
            {autopilot
              ? 'Autopilot is on: starts automatically when a slot frees up.'
              : 'Autopilot is off: starts when you press Run.'}
          </p>
        )}
        {view && isDemo(view) && (
          <p className={form['hint']}>
            Demo: agents here replay recordings of the beads that came with it. One of your own asks a question, and any
            answer ends it with a note. <Link to="/setup">Add your own repository</Link> to have such beads worked on.
          </p>
        )}
        {problem && (
          <p className={form['error']} role="alert">
            {problem}
          </p>
        )}
        <DialogActions>
          {draft !== emptyDraft && (
            <Button
              look="quiet"
              onClick={() => {
                forgetDraft(project)
                setDraft(emptyDraft)
                dependsOn.type('')
                titleField.current?.focus()
              }}
            >
              Clear
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={busy} onClick={() => submit(true)} aria-keyshortcuts="Control+Shift+Enter">
            Create and run
          </Button>
          <Button look="primary" type="submit" busy={busy} title={keyText('Mod+Enter')}>
            Create bead
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Autopilot may be faster than the second request; then the bead runs as wanted. */
const hasBegun = (project: string, id: string): Promise<boolean> =>
  getBead(project, id, AbortSignal.timeout(BEGUN_MS)).then(
    ({ executions }) => executions.length > 0,
    () => false,
  )
const BEGUN_MS = 5_000
