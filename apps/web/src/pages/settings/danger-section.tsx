import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import css from './settings-page.module.css'
import { pauseProject, resumeProject } from '../../api/endpoints.ts'
import { removeProject } from '../../api/settings.ts'
import { useProjectCounts } from '../shell/project-counts.ts'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

export function DangerSection({ project }: { project: string }) {
  const view = useHome().view?.projects.get(project)
  const [asking, setAsking] = useState(false)
  if (!view) return null
  const pause = () => (view.paused ? resumeProject(project) : pauseProject(project)).catch(toastError)
  return (
    <section id="danger" className={css['section']} aria-labelledby="danger-title">
      <h2 id="danger-title">Pause and remove</h2>
      <ul className={css['card']}>
        <li className={css['entry']}>
          <span className={css['what']}>
            {view.paused
              ? 'The project is paused: nothing new starts.'
              : 'Pause: nothing new starts; running work continues.'}
          </span>
          <Button needs="runner" onClick={() => void pause()}>
            {view.paused ? 'Resume' : 'Pause'}
          </Button>
        </li>
        <li className={css['entry']}>
          <span className={css['what']}>
            Remove from Beadloom. The repository, its branches and its tracker are not touched; the history here is
            deleted.
          </span>
          <Button needs="admin" look="danger" onClick={() => setAsking(true)}>
            Remove…
          </Button>
        </li>
      </ul>
      {asking && <RemoveDialog project={project} name={view.name} onClose={() => setAsking(false)} />}
    </section>
  )
}

function RemoveDialog({ project, name, onClose }: { project: string; name: string; onClose: () => void }) {
  const view = useHome().view?.projects.get(project)
  const counts = useProjectCounts(true).get(project) ?? view?.beadCounts
  const navigate = useNavigate()
  const { busy, problem, send } = useSending()
  const beads = counts ? Object.entries(counts).reduce((sum, [key, n]) => (key === 'ready' ? sum : sum + n), 0) : 0
  const remove = () =>
    send(async () => {
      await removeProject(project)
      onClose()
      toast(`${name} removed`)
      await navigate({ to: '/' })
    })
  return (
    <Dialog title={`Remove ${shown(name)}?`} onClose={onClose}>
      <p>
        This deletes what Beadloom stores about it: {counted(beads, 'bead')}, every execution with its logs and
        attempts, reviews, and the settings changed here. The repository, its branches and its tracker are not touched.
      </p>
      {problem !== null && (
        <p role="alert" className={css['problem']}>
          {shown(problem)}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose} data-first>
          Keep
        </Button>
        <Button look="danger" busy={busy} onClick={() => void remove()}>
          {busy ? 'Removing…' : 'Remove'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
