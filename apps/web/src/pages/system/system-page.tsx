import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy, RefreshCw } from 'lucide-react'
import { AgentsSection } from './agents-section.tsx'
import { ConnectionSection } from './connection-section.tsx'
import { diagnosticsText, type SocketFacts } from './diagnostics.ts'
import { FirstStepList } from './first-step-list.tsx'
import { KeptSection } from './kept-section.tsx'
import { RunnerSection } from './runner-section.tsx'
import { ServerSection } from './server-section.tsx'
import { StepList } from './step-list.tsx'
import { ApiFailure } from '../../api/client.ts'
import { getSystem } from '../../api/server.ts'
import { useFeed, useHome, useLive, useNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { wallClockText } from '../../ui/text/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import page from '../../ui/facts-page.module.css'

const LOOK_MS = 5_000

/** The state of the server and the connection: what is in place, what runs, and a text about it for a report. */
export function SystemPage() {
  usePageTitle('System')
  const home = useHome().view
  const status = home?.status ?? null
  const link = useLive((state) => state.link)
  const live = link.is === 'live'
  const query = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => getSystem(signal),
    refetchInterval: live ? LOOK_MS : false,
    staleTime: LOOK_MS,
  })
  const socket = useSocketFacts()
  const system = query.data ?? null
  const copy = () =>
    void navigator.clipboard
      .writeText(diagnosticsText(socket, system, navigator.userAgent))
      .then(() => toast('Diagnostics copied'), toastError)
  const checks = system?.checks ?? []
  const wrong = checks.filter(({ ok }) => !ok).length
  return (
    <div className={page['page']}>
      <header className={page['head']}>
        <h1>Server and connection</h1>
        <div className={page['buttons']}>
          <Button icon={<RefreshCw size={16} strokeWidth={1.5} aria-hidden />} onClick={() => void query.refetch()}>
            Refresh
          </Button>
          <Button icon={<Copy size={16} strokeWidth={1.5} aria-hidden />} onClick={copy}>
            Copy diagnostics
          </Button>
        </div>
      </header>
      {query.error !== null && (
        <div role="alert" className={page['problem']}>
          <p>
            {system === null
              ? 'The server’s state could not be loaded.'
              : `Data from ${wallClockText(query.dataUpdatedAt)}; it could not be refreshed.`}{' '}
            {shown(query.error.message)}
            {query.error instanceof ApiFailure && query.error.code !== 'no_answer' && ` (${query.error.code})`}
          </p>
        </div>
      )}
      {!live && query.error === null && system !== null && (
        <p role="status" className={page['muted']}>
          Data from {wallClockText(query.dataUpdatedAt)}.
        </p>
      )}
      <section aria-labelledby="steps" className={page['section']}>
        <h2 id="steps">First steps</h2>
        <FirstStepList />
        <p className={page['muted']}>
          Add projects in <Link to="/setup">Setup</Link>.
        </p>
      </section>
      <KeptSection />
      {status === null ? <Loading what="status" /> : <RunnerSection status={status} system={system} />}
      <ServerSection status={status} system={system} />
      <section aria-labelledby="checks" className={page['section']}>
        <h2 id="checks">Checks</h2>
        {system === null && query.error === null && <Loading what="checks" />}
        {system !== null && (
          <>
            <p className={page['muted']}>
              {wrong === 0 ? 'All passed.' : `${wrong} of ${checks.length} failed.`} In a terminal:{' '}
              <code>npx beadloom doctor</code>.
            </p>
            <StepList
              label="Checks"
              steps={checks.map(({ name, ok, text, fix }) => ({
                id: name,
                title: name,
                text,
                done: ok,
                ...(fix !== undefined && { children: <p>→ {shown(fix)}</p> }),
              }))}
            />
          </>
        )}
      </section>
      <AgentsSection />
      <ConnectionSection socket={socket} system={system} />
    </div>
  )
}

/** Updated once a second, like everything with an age. */
function useSocketFacts(): SocketFacts {
  const { socket } = useFeed()
  const now = useNow()
  return {
    link: socket.link,
    welcome: socket.welcome,
    skew: socket.skew,
    age: Math.max(0, now - socket.lastFrameAt),
    cursors: socket.cursors(),
  }
}
