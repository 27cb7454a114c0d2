import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { allTokens } from '@beadloom/core/budget/token-use.ts'
import { Pause, Play, RefreshCw } from 'lucide-react'
import css from './board-toolbar.module.css'
import { pauseProject, resumeProject, setAutopilot, syncProject } from '../../../api/endpoints.ts'
import { moneyText, tokensInFull } from '../../../components/bead/token-words.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { useRefusal } from '../../../ui/allowed.ts'
import { IconButton } from '../../../ui/button.tsx'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { sinceText } from '../../../ui/text/time-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'

/** Autopilot, pause, and whether the tracker was read. */
export function ProjectControls({ project, view }: { project: string; view: ProjectView }) {
  const now = useServerNow()
  const refused = useRefusal('admin')
  const attempt = async (work: Promise<unknown>, done?: string) => {
    try {
      await work
      if (done) toast(done)
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <div className={css['controls']}>
      <TokensToday view={view} />
      <label
        className={css['autopilot']}
        title={`On: every ready bead is queued, by priority and then age. Off: beads start when you press Run.${refused === null ? '' : ` Changing it ${refused}.`}`}
      >
        <input
          type="checkbox"
          role="switch"
          checked={view.autopilot}
          disabled={refused !== null}
          onChange={(event) => void attempt(setAutopilot(project, event.target.checked))}
        />
        Autopilot
      </label>
      <IconButton
        needs="runner"
        label={view.paused ? 'Resume: start beads again' : 'Pause: start nothing new'}
        onClick={() => void attempt(view.paused ? resumeProject(project) : pauseProject(project))}
      >
        {view.paused ? (
          <Play size={16} strokeWidth={1.5} aria-hidden />
        ) : (
          <Pause size={16} strokeWidth={1.5} aria-hidden />
        )}
      </IconButton>
      <IconButton
        needs="runner"
        label={syncLabel(view, now)}
        onClick={() => void attempt(syncProject(project), 'Synced')}
      >
        <RefreshCw size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </div>
  )
}

/** Nothing until tokens are used or limited: a project without a model needs no figure. */
function TokensToday({ view: { tokens } }: { view: ProjectView }) {
  if (tokens === undefined || (tokens.perDay === null && allTokens(tokens.today) === 0)) return null
  const { today, perDay, currency } = tokens
  const used = shortCount(allTokens(today))
  const money = today.costMicros === undefined ? '' : `, ${moneyText(today.costMicros, currency)}`
  return (
    <span className={css['tokens']} title={`Used by this project today (UTC): ${tokensInFull(today, currency)}`}>
      today <span className="live-number">{perDay === null ? used : `${used} of ${shortCount(perDay)}`}</span> tok
      {money}
    </span>
  )
}

/** The tracker's name, what it does not have yet, and when it was last read. */
function syncLabel({ tracker, syncedAt }: ProjectView, now: number): string {
  const what = tracker === null ? '' : `: ${tracker.text}`
  const waits = tracker === null || tracker.waiting === 0 || !tracker.writable ? '' : `, ${tracker.waiting} waiting`
  return `Sync with the tracker${what}${waits}${syncedAt === null ? '' : ` (last ${sinceText(now - syncedAt)})`}`
}
