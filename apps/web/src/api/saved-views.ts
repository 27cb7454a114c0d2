import type { ChangeSavedView, NewSavedView, SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import { call } from './client.ts'

type All = { items: SavedView[] }
const path = (project: string, view?: number) =>
  `/api/projects/${encodeURIComponent(project)}/views${view === undefined ? '' : `/${view}`}`

export const getSavedViews = (project: string, signal: AbortSignal) => call<All>(path(project), { signal })
export const addSavedView = (project: string, body: NewSavedView, key: string) =>
  call<All>(path(project), { method: 'POST', body, key })
export const changeSavedView = (project: string, view: number, body: ChangeSavedView) =>
  call<All>(path(project, view), { method: 'PATCH', body })
export const dropSavedView = (project: string, view: number) =>
  call<All>(path(project, view), { method: 'DELETE', repeatable: true })
