import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import type { SyncCause, SyncRun, SyncView } from '@beadloom/core/api/projects/sync-api.ts'
import css from './sync-page.module.css'
import { pauseProject, resumeProject, syncProject } from '../../api/endpoints.ts'
import { getSync } from '../../api/settings.ts'
import { useHome, useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { exactText, inText, sinceText, spanText } from '../../ui/text/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import page from '../../ui/facts-page.module.css'
import { FactTable, type Column } from '../../ui/fact-table.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { useSending } from '../../ui/use-sending.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/sync')

const causes: Record<SyncCause, string> = {
  start: 'server start',
  asked: 'requested',
  added: 'project added',
  execution: 'execution',
  settings: 'settings changed',
  tracker: 'tracker changed',
}

/** The state of a project's tracker and remote. */
export function SyncPage() {
  const { project } = route.useParams()
  const client = useQueryClient()
  const view = useHome().view?.projects.get(project)
  const key = ['sync', project]
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => getSync(project, signal) })
  const { busy, send } = useSending(toastError)
  usePageTitle(`Sync · ${view?.name ?? project}`)
  // Each sync changes the project's row, which the feed reports.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['sync', project] })
  }, [client, project, view])
  const sync = async () => {
    await send(async () => {
      await syncProject(project)
      toast('Synced')
    })
    void client.invalidateQueries({ queryKey: key })
  }
  const pause = () => (view?.paused ? resumeProject(project) : pauseProject(project)).catch(toastError)
  return (
    <div className={page['page']}>
      <header className={page['head']}>
        <h1>Sync</h1>
        <div className={page['buttons']}>
          <Button
            needs="runner"
            look="primary"
            busy={busy}
            icon={<RefreshCw size={16} strokeWidth={1.5} aria-hidden />}
            onClick={() => void sync()}
          >
            {busy ? 'Syncing…' : 'Sync now'}
          </Button>
          <Button needs="runner" onClick={() => void pause()}>
            {view?.paused ? 'Resume project' : 'Pause project'}
          </Button>
        </div>
      </header>
      {query.data !== undefined ? (
        <SyncFacts view={query.data} project={project} />
      ) : query.error === null ? (
        <Loading what="status" />
      ) : (
        <LoadFailure what="The sync status" error={query.error} onRetry={() => void query.refetch()} />
      )}
    </div>
  )
}

function SyncFacts({ view, project }: { view: SyncView; project: string }) {
  const now = useServerNow()
  const { remote, tracker } = view
  return (
    <>
      {view.problem !== null && (
        <div role="alert" className={page['problem']}>
          <p>{shown(view.problem)}</p>
          {view.problemKind === 'configuration' && (
            <p>
              The project’s configuration has errors. Fix <code>beadloom.json</code> on the base branch, or revert the
              change made in the{' '}
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
            <li key={warning}>
              <TriangleAlert size={16} strokeWidth={1.5} aria-hidden />
              <span>{shown(warning)}</span>
            </li>
          ))}
        </ul>
      )}
      <section aria-labelledby="tracker" className={page['section']}>
        <h2 id="tracker">Tracker</h2>
        <dl className={page['facts']}>
          <dt>Stored in</dt>
          <dd>{shown(tracker?.text ?? 'not known yet')}</dd>
          <dt>Last read</dt>
          <dd>{view.running ? 'reading…' : view.syncedAt === null ? 'never' : sinceText(now - view.syncedAt)}</dd>
          <dt>Not saved yet</dt>
          <dd>{tracker === null || tracker.waiting === 0 ? 'nothing' : counted(tracker.waiting, 'change')}</dd>
          {tracker !== null && tracker.problem !== '' && (
            <>
              <dt>Reason</dt>
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
              ? ', not created yet'
              : `, ${commits(remote.ahead)} ahead of the base branch, ${commits(remote.behind ?? 0)} behind`}
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
                    : next try {inText(push.nextAt - now)}, {push.tries} so far: {shown(push.why)}
                  </p>
                ))}
          </dd>
        </dl>
      </section>
      <History runs={view.runs} now={now} />
    </>
  )
}

const commits = (n: number): string => `${n >= 1000 ? '1000 or more' : n} ${n === 1 ? 'commit' : 'commits'}`

type Waiting = SyncView['queue'][number]

function Queue({ view, now }: { view: SyncView; now: number }) {
  const columns: Column<Waiting>[] = [
    {
      title: 'Bead',
      cell: ({ bead }) => (
        <Link to="/p/$project/b/$bead" params={{ project: view.project, bead }}>
          {shown(bead)}
        </Link>
      ),
    },
    { title: 'Change', cell: ({ kind }) => kind },
    { title: 'Tries', number: true, cell: ({ tries }) => tries },
    { title: 'Next', cell: ({ nextAt }) => (nextAt === null ? 'at the next sync' : inText(nextAt - now)) },
    { title: 'Last error', text: true, cell: ({ problem }) => shown(problem) },
  ]
  return (
    <FactTable
      label={{ text: 'Changes not saved in the tracker yet' }}
      columns={columns}
      rows={view.queue}
      keyOf={(_, at) => String(at)}
    />
  )
}

function History({ runs, now }: { runs: readonly SyncRun[]; now: number }) {
  return (
    <section aria-labelledby="history" className={page['section']}>
      <h2 id="history">Sync history</h2>
      {runs.length === 0 ? (
        <p className={page['muted']}>None since the server started.</p>
      ) : (
        <FactTable
          label={{ by: 'history' }}
          columns={historyColumns(now)}
          rows={runs}
          keyOf={({ at, cause }) => `${at} ${cause}`}
        />
      )}
    </section>
  )
}

const historyColumns = (now: number): Column<SyncRun>[] => [
  { title: 'When', cell: ({ at }) => sinceText(now - at), hint: ({ at }) => exactText(at) },
  { title: 'Trigger', cell: ({ cause }) => causes[cause] },
  { title: 'Took', cell: ({ tookMs }) => spanText(tookMs) },
  {
    title: 'Result',
    text: true,
    cell: ({ problem, warnings, waiting }) => (
      <Verdict ok={problem === null}>
        {problem === null ? 'ok' : shown(problem)}
        {warnings > 0 && `, ${counted(warnings, 'warning')}`}
        {waiting > 0 && `, ${waiting} not saved`}
      </Verdict>
    ),
  },
]
