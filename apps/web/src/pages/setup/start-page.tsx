import { Navigate } from '@tanstack/react-router'
import { lazy } from 'react'
import { useHome } from '../../feed/feed-context.tsx'
import { lastProject } from './last-project.ts'

const SetupPage = lazy(async () => ({ default: (await import('./setup-page.tsx')).SetupPage }))

/** `/`: the last open board, or the first-run screen. */
export function StartPage() {
  const { view } = useHome()
  if (view === null) return null // nothing is known yet; the bar says that we are connecting
  if (view.projects.size === 0) return <SetupPage />
  const last = lastProject()
  const project = last !== null && view.projects.has(last) ? last : [...view.projects.keys()][0]
  return project === undefined ? <SetupPage /> : <Navigate to="/p/$project" params={{ project }} replace />
}
