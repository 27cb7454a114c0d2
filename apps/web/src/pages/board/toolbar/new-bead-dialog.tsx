import { priorityText, priorityWords } from '@beadloom/core/bead/priority-words.ts'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { DependsOnField } from '../../../components/fields/depends-on-field.tsx'
import { beadTypes, emptyDraft } from './new-bead-draft.ts'
import css from './new-bead-dialog.module.css'
import { useNewBead, type NewBead } from './use-new-bead.ts'
import { isDemo } from '../../../feed/demo.ts'
import { useHome } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { keyText } from '../../../ui/keys/key-text.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { typedKey } from '../../../ui/keys/typed-key.ts'

type Props = { project: string; onClose: () => void }

/** Creates a bead, and runs it if wanted. Typed text stays when the dialog is closed. */
export function NewBeadDialog({ project, onClose }: Props) {
  const { busy, problem, draft, change, clear, dependsOn, titleField, noTitle, submit } = useNewBead(project, onClose)
  const noteId = useId()
  return (
    <Dialog title="New bead" onClose={onClose}>
      <form
        className={form['form']}
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
        onKeyDown={(event) => {
          if (typedKey(event) !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit(event.shiftKey)
        }}
      >
        <label>
          Title
          <input
            ref={titleField}
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
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
        <Facts draft={draft} change={change} />
        <DependsOnField of={dependsOn} />
        <StartHints project={project} />
        <FormProblem text={problem} />
        <DialogActions>
          {draft !== emptyDraft && (
            <Button look="quiet" onClick={clear}>
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

const Facts = ({ draft, change }: Pick<NewBead, 'draft' | 'change'>) => (
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
)

/** When the bead starts, and what an agent of the demo does with it. */
function StartHints({ project }: { project: string }) {
  const view = useHome().view?.projects.get(project)
  if (view === undefined) return null
  return (
    <>
      <p className={form['hint']}>
        {view.autopilot
          ? 'Autopilot is on: starts automatically when a slot frees up.'
          : 'Autopilot is off: starts when you press Run.'}
      </p>
      {isDemo(view) && (
        <p className={form['hint']}>
          Demo: agents here replay recordings of the beads that came with it. One of your own asks a question, and any
          answer ends it with a note. <Link to="/setup">Add your own repository</Link> to have such beads worked on.
        </p>
      )}
    </>
  )
}
