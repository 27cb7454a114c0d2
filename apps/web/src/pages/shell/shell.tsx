import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { bindingsOf, paletteItemsOf, useShellCommands, type Layer } from './shell-commands.ts'
import { InboxDialog } from './inbox.tsx'
import { InboxWatch } from './inbox-watch.tsx'
import { LazyPalette } from './lazy-palette.tsx'
import { SignIn } from './sign-in.tsx'
import { TabBadge } from './tab-badge.tsx'
import { TopBar } from './top-bar.tsx'
import { useBeadSteps } from './use-bead-steps.ts'
import { useStaleMark } from './connection.ts'
import { LateNewBead, useNewBeadAhead } from '../board/toolbar/late-new-bead.tsx'
import { useReviewNews } from '../../components/review/use-reviews.ts'
import { useHome, useLive, useOnReturn, useServerNow } from '../../feed/feed-context.tsx'
import { Announcer } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { KeySheet } from '../../ui/keys/key-sheet.tsx'
import { useKeys } from '../../ui/keys/keys.ts'
import { noteLook } from '../../ui/last-look.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { Toasts } from '../../ui/toast.tsx'
import css from './shell.module.css'

const PullRequestDialog = lazy(async () => ({
  default: (await import('../../components/review/pull-request/pull-request-dialog.tsx')).PullRequestDialog,
}))

export function Shell() {
  const home = useHome()
  const link = useLive((state) => state.link)
  const { project = null, bead = null } = useParams({ strict: false })
  // The drawn page, not the one that is loading: with that, this page would render again before it goes.
  const path = useRouterState({ select: (state) => state.matches.at(-1)?.pathname })
  const [open, setOpen] = useState<Layer | null>(null)
  const close = () => setOpen(null)
  const view = project === null ? undefined : home.view?.projects.get(project)
  useStaleMark()
  useNewBeadAhead()
  const queries = useQueryClient()
  // Fetches again what failed while the server was away.
  useOnReturn(() => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }))

  const commands = useShellCommands({ project, view, show: setOpen })
  useKeys('Everywhere', [
    {
      keys: ['Mod+k'],
      does: 'Find a bead, a page or an action',
      run: () => setOpen('palette'),
      whileTyping: true,
    },
    // On a page with a filter of its own, the page's scope takes this key.
    { keys: ['/'], does: 'Filter this page, or search everything', run: () => setOpen('palette') },
    ...bindingsOf(commands),
    ...useBeadSteps(project, bead),
  ])

  return (
    <div className={css['shell']}>
      <a className={css['skip']} href="#main">
        Skip to content
      </a>
      <TopBar project={project} home={home.view} commands={commands} onShow={setOpen} />
      <main id="main" className={css['main']} tabIndex={-1}>
        {link.is === 'signed-out' ? (
          <PanelMessage title="You’re not signed in" role="alert" alone>
            <SignIn />
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
      {project !== null && <ProjectNews key={project} project={project} />}
      {open === 'keys' && <KeySheet onClose={close} />}
      {open === 'new-bead' && project !== null && <LateNewBead project={project} onClose={close} />}
      {open === 'inbox' && project !== null && <InboxDialog project={project} onClose={close} />}
      {open === 'palette' && (
        <LazyPalette home={home.view} project={view} actions={paletteItemsOf(commands)} onClose={close} />
      )}
      {open === 'pull-request' && view && (
        <ErrorBoundary what="The pull request">
          <Suspense>
            <PullRequestDialog project={view} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      )}
      <Toasts />
      <Announcer />
    </div>
  )
}

const MINUTE_MS = 60_000

/** Notes every minute that somebody is at this project. */
function NoteLook({ project }: { project: string }) {
  const minute = Math.floor(useServerNow() / MINUTE_MS) * MINUTE_MS
  useEffect(() => {
    if (minute > 0 && !document.hidden) noteLook(project, minute)
  }, [project, minute])
  return null
}

/** Every page of a project follows its reviews and shows the project's state in the browser's tab. */
function ProjectNews({ project }: { project: string }) {
  useReviewNews(project)
  return (
    <>
      <TabBadge project={project} />
      <InboxWatch project={project} />
      <NoteLook project={project} />
    </>
  )
}
