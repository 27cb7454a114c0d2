import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SyncCause, SyncRun, SyncView } from '@beadloom/core/api/sync-api.ts'
import css from './sync-page.module.css'
import { pauseProject, resumeProject, syncProject } from '../../api/endpoints.ts'
import { getSync } from '../../api/settings.ts'
import { isConfiguration } from '../shell/sync-state.ts'
import { useHome, useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { exactText, inText, sinceText, spanText } from '../../ui/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import page from '../../ui/facts-page.module.css'

const route = getRouteApi('/p/$project/sync')

const causes: Record<SyncCause, string> = {
  start: "the server's start",
  asked: 'a person asked',
  added: 'the project was added',
  execution: 'an execution',
  settings: 'a change of settings',
  tracker: 'the tracker changed',
}

/** How a project stands with its tracker and its remote. */
export function SyncPage() {
  const { project } = route.useParams()
  const client = useQueryClient()
  const view = useHome().view?.projects.get(project)
  const key = ['sync', project]
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => getSync(project, signal) })
  const [busy, setBusy] = useState(false)
  usePageTitle(`Sync · ${view?.name ?? project}`)
  // Each reading changes the project's row, and the feed tells of that.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['sync', project] })
  }, [client, project, view])
  const sync = async () => {
    setBusy(true)
    try {
      await syncProject(project)
      toast('Synced.')
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: key })
    }
  }
  const pause = () => (view?.paused ? resumeProject(project) : pauseProject(project)).catch(toastError)
  return (
    <div className={page['page']}>
      <header className={page['head']}>
        <h1>Sync</h1>
        <div className={page['buttons']}>
          <Button
            look="primary"
            busy={busy}
            icon={<RefreshCw size={16} strokeWidth={1.5} aria-hidden />}
            onClick={() => void sync()}
          >
            {busy ? 'Syncing…' : 'Sync now'}
          </Button>
          <Button onClick={() => void pause()}>{view?.paused ? 'Resume the project' : 'Pause the project'}</Button>
        </div>
      </header>
      {query.data !== undefined ? (
        <Standing view={query.data} project={project} />
      ) : query.error === null ? (
        <Loading what="the status" />
      ) : (
        <PanelMessage title="The status could not be read" role="alert">
          <p>{shown(query.error.message)}</p>
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </PanelMessage>
      )}
    </div>
  )
}

function Standing({ view, project }: { view: SyncView; project: string }) {
  const now = useServerNow()
  const { remote, tracker } = view
  return (
    <>
      {view.problem !== null && (
        <div role="alert" className={page['problem']}>
          <p>{shown(view.problem)}</p>
          {isConfiguration(view.problem) && (
            <p>
              This is about the project’s configuration, not about reading it. Mend it in <code>beadloom.json</code> on
              the base branch, or take back what was chosen in the{' '}
              <Link to="/p/$project/settings" params={{ project }}>
                settings
              </Link>
              ; then press Sync now.
            </p>
          )}
        </div>
      )}
      {view.warnings.length > 0 && (
        <ul className={css['warnings']} aria-label="Warnings">
          {view.warnings.map((warning) => (
            <li key={warning}>{shown(warning)}</li>
          ))}
        </ul>
      )}
      <section aria-labelledby="tracker" className={page['section']}>
        <h2 id="tracker">Tracker</h2>
        <dl className={page['facts']}>
          <dt>Kept in</dt>
          <dd>{shown(tracker?.text ?? 'not looked at yet')}</dd>
          <dt>Last read</dt>
          <dd>{view.running ? 'reading now' : view.syncedAt === null ? 'never' : sinceText(now - view.syncedAt)}</dd>
          <dt>Not written yet</dt>
          <dd>{tracker === null || tracker.waiting === 0 ? 'nothing' : `${tracker.waiting} changes`}</dd>
          {tracker !== null && tracker.problem !== '' && (
            <>
              <dt>Why</dt>
              <dd className={css['verbatim']}>{shown(tracker.problem)}</dd>
            </>
          )}
        </dl>
        {view.queue.length > 0 && <Queue view={view} now={now} />}
      </section>
      <section aria-labelledby="remote" className={page['section']}>
        <h2 id="remote">Repository</h2>
        <dl className={page['facts']}>
          <dt>Remote</dt>
          <dd className={css['verbatim']}>{shown(remote.source)}</dd>
          <dt>Base branch</dt>
          <dd>
            {shown(remote.baseBranch ?? 'not known yet')}
            {remote.baseCommit !== null && <code> {remote.baseCommit.slice(0, 12)}</code>}
          </dd>
          <dt>Work branch</dt>
          <dd>
            {shown(remote.workBranch)}
            {remote.ahead === null
              ? ', not begun'
              : `, ${commits(remote.ahead)} ahead of the base branch, ${commits(remote.behind ?? 0)} behind it`}
          </dd>
          <dt>Not pushed yet</dt>
          <dd>
            {view.pushes.length === 0
              ? 'nothing'
              : view.pushes.map((push) => (
                  <p key={push.execution}>
                    <Link to="/p/$project/b/$bead" params={{ project: view.project, bead: push.bead }}>
                      {shown(push.bead)}
                    </Link>
                    : next try {inText(push.nextAt - now)} ({push.tries} so far): {shown(push.why)}
                  </p>
                ))}
          </dd>
        </dl>
      </section>
      <Runs runs={view.runs} now={now} />
    </>
  )
}

const commits = (n: number): string => `${n >= 1000 ? '1000 or more' : n} ${n === 1 ? 'commit' : 'commits'}`

function Queue({ view, now }: { view: SyncView; now: number }) {
  return (
    <div className={css['wide']} tabIndex={0} role="group" aria-labelledby="tracker">
      <table>
        <caption className="visually-hidden">Changes that the tracker does not have yet</caption>
        <thead>
          <tr>
            <th scope="col">Bead</th>
            <th scope="col">Change</th>
            <th scope="col">Tries</th>
            <th scope="col">Next</th>
            <th scope="col">Last error</th>
          </tr>
        </thead>
        <tbody>
          {view.queue.map((change, at) => (
            <tr key={at}>
              <td>
                <Link to="/p/$project/b/$bead" params={{ project: view.project, bead: change.bead }}>
                  {shown(change.bead)}
                </Link>
              </td>
              <td>{change.kind}</td>
              <td>{change.tries}</td>
              <td>{change.nextAt === null ? 'at the next reading' : inText(change.nextAt - now)}</td>
              <td className={css['verbatim']}>{shown(change.problem)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Runs({ runs, now }: { runs: readonly SyncRun[]; now: number }) {
  return (
    <section aria-labelledby="runs" className={page['section']}>
      <h2 id="runs">Last readings</h2>
      {runs.length === 0 ? (
        <p className={page['muted']}>None since the server was started.</p>
      ) : (
        <div className={css['wide']} tabIndex={0} role="group" aria-labelledby="runs">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Because of</th>
                <th scope="col">Took</th>
                <th scope="col">Came to</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={`${run.at} ${run.cause}`}>
                  <td title={exactText(run.at)}>{sinceText(now - run.at)}</td>
                  <td>{causes[run.cause]}</td>
                  <td>{spanText(run.tookMs)}</td>
                  <td className={run.problem === null ? undefined : css['bad']}>
                    {run.problem === null ? '✓ ok' : `✕ ${shown(run.problem)}`}
                    {run.warnings > 0 && `, ${run.warnings} ${run.warnings === 1 ? 'warning' : 'warnings'}`}
                    {run.waiting > 0 && `, ${run.waiting} not written`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
