import { Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { SystemDialog } from './system-dialog.tsx'
import { TabBadge } from './tab-badge.tsx'
import { TopBar } from './top-bar.tsx'
import { useStaleMark } from './connection.ts'
import { useHome, useLive } from '../../feed/feed-context.tsx'
import { Announcer } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { KeySheet } from '../../ui/key-sheet.tsx'
import { useKeys } from '../../ui/keys.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { nextTheme } from '../../ui/theme.ts'
import { toast, Toasts } from '../../ui/toast.tsx'
import css from './shell.module.css'

export function Shell() {
  const home = useHome()
  const link = useLive((state) => state.link)
  const navigate = useNavigate()
  const { project } = useParams({ strict: false })
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [open, setOpen] = useState<'keys' | 'system' | null>(null)
  useStaleMark()

  useKeys('Everywhere', [
    { keys: ['?'], does: 'Show the keys', run: () => setOpen('keys') },
    {
      keys: ['g b'],
      does: 'Go to the board',
      run: () => void (project ? navigate({ to: '/p/$project', params: { project } }) : navigate({ to: '/' })),
    },
    {
      keys: ['g s'],
      does: 'Go to the settings',
      run: () =>
        void (project ? navigate({ to: '/p/$project/settings', params: { project } }) : navigate({ to: '/setup' })),
    },
    {
      keys: ['g y'],
      does: 'Go to the sync status',
      run: () => (project ? void navigate({ to: '/p/$project/sync', params: { project } }) : setOpen('system')),
    },
    { keys: ['g a'], does: 'Go to set-up and all projects', run: () => void navigate({ to: '/setup' }) },
    { keys: ['g c'], does: 'Show server and connection', run: () => setOpen('system') },
    { keys: ['t d'], does: 'Change the theme: system, light, dark', run: () => toast(`Theme: ${nextTheme()}`) },
  ])

  return (
    <div className={css['shell']}>
      <a className={css['skip']} href="#main">
        Skip to the content
      </a>
      <TopBar
        project={project ?? null}
        home={home.view}
        onKeys={() => setOpen('keys')}
        onSystem={() => setOpen('system')}
      />
      <main id="main" className={css['main']} tabIndex={-1}>
        {link.is === 'signed-out' ? (
          <PanelMessage title="You are signed out" role="alert" alone>
            <p>
              Open the link with <code>?token=…</code> that the server printed when it started, or that{' '}
              <code>npx beadloom status</code> prints; it signs this browser in.
            </p>
          </PanelMessage>
        ) : link.is === 'outdated' && home.view === null ? (
          <PanelMessage title="This page is older than the server" role="alert" alone>
            <Button onClick={() => location.reload()}>Reload</Button>
          </PanelMessage>
        ) : (
          <ErrorBoundary key={path} what="This page">
            <Outlet />
          </ErrorBoundary>
        )}
      </main>
      {project && <TabBadge project={project} />}
      {open === 'keys' && <KeySheet onClose={() => setOpen(null)} />}
      {open === 'system' && <SystemDialog onClose={() => setOpen(null)} />}
      <Toasts />
      <Announcer />
    </div>
  )
}
