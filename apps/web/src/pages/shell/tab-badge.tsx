import { useEffect, useMemo, useState } from 'react'
import { idle, TabKeeper } from './tab-state.ts'
import type { TabState } from './tab-state.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { useTitleBadge } from '../../ui/page-title.ts'
import { useKnownExecutions } from '../../components/bead/known-executions.ts'

const files: Record<TabState['icon'], string> = {
  failed: '/favicon-failed.svg',
  blocked: '/favicon-blocked.svg',
  running: '/favicon-running.svg',
  idle: '/favicon.svg',
}

/** Shows the state of the project in the title and icon of the browser's tab. */
export function TabBadge({ project }: { project: string }) {
  const { view } = useBoard(project)
  const known = useKnownExecutions(project)
  const [keeper] = useState(() => new TabKeeper())
  const state = useMemo(() => (view ? keeper.state(view, known) : idle), [keeper, view, known])
  useTitleBadge(state.badge)
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    link?.setAttribute('href', files[state.icon])
    return () => link?.setAttribute('href', files.idle)
  }, [state.icon])
  return null
}
