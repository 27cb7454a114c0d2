import type { ProjectView } from '@beadloom/core/api/api.ts'
import { useRef, useState } from 'react'
import { askPullRequest, pressKey } from '../../../api/endpoints.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/hostile-text.ts'

/** Says what will happen, and where to, before anything leaves this machine. */
export function PullRequestDialog({ project, onClose }: { project: ProjectView; onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** One name for one title: sent again, whatever happened to the first answer, it is one wish. */
  const key = useRef({ title: '', name: pressKey() })
  const base = project.baseBranch ?? 'the base branch'
  const submit = async () => {
    setBusy(true)
    const wanted = title.trim()
    if (key.current.title !== wanted) key.current = { title: wanted, name: pressKey() }
    try {
      const { detail } = await askPullRequest(project.id, wanted === '' ? {} : { title: wanted }, key.current.name)
      announce(detail || 'The pull request is asked for')
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Pull request of ${project.workBranch}?`} onClose={onClose}>
      <form
        className={form['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <p>
          First <strong>{shown(project.workBranch)}</strong> is reviewed, unless its newest commit has been. When the
          review calls it ready, the branch is pushed to <strong>{shown(project.source)}</strong>, and a pull request
          into <strong>{shown(base)}</strong> is opened there. When it does not, nothing is pushed for it.
        </p>
        <label>
          Title (optional)
          <input
            value={title}
            maxLength={200}
            placeholder="Made of the beads"
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <p className={form['hint']}>
          Nobody is asked again in between. Where the remote is no forge that is known here, the branch is pushed and
          the rest is yours.
        </p>
        {problem !== null && (
          <p className={form['error']} role="alert">
            {shown(problem)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" busy={busy}>
            Review, then open it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
