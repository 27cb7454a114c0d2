import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useRef, useState } from 'react'
import { askPullRequest, pressKey } from '../../../api/endpoints.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useSending } from '../../../ui/use-sending.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'

/** Says what will be pushed and where, before anything leaves this machine. */
export function PullRequestDialog({ project, onClose }: { project: ProjectView; onClose: () => void }) {
  const [title, setTitle] = useState('')
  const { busy, problem, send } = useSending()
  /** One key per title: sent again, even after a lost answer, it is the same request. */
  const key = useRef({ title: '', name: pressKey() })
  const base = project.baseBranch ?? 'the base branch'
  const submit = () =>
    send(async () => {
      const wanted = title.trim()
      if (key.current.title !== wanted) key.current = { title: wanted, name: pressKey() }
      const { detail } = await askPullRequest(project.id, wanted === '' ? {} : { title: wanted }, key.current.name)
      announce(detail || 'Pull request requested')
      onClose()
    })
  return (
    <Dialog title="Open a pull request" onClose={onClose}>
      <form
        className={form['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>
          <strong>{shown(project.workBranch)}</strong> is reviewed first, unless its newest commit already has been. If
          the review calls it ready, the branch is pushed to <strong>{shown(project.source)}</strong> and a pull request
          into <strong>{shown(base)}</strong> is opened. Otherwise nothing is pushed.
        </p>
        <label>
          Title (optional)
          <input
            value={title}
            maxLength={200}
            placeholder="Generated from the beads"
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <p className={form['hint']}>
          Runs without further questions. Without a supported forge, only the branch is pushed.
        </p>
        <FormProblem text={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy}>
            Review and open
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
