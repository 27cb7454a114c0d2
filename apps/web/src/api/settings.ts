import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import type { NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import type {
  ChangeProjectSettings,
  ChangeServerSettings,
  ProjectSettingsView,
  ServerSettingsView,
} from '@beadloom/core/api/settings/settings-api.ts'
import type { SecretView } from '@beadloom/core/api/settings/secrets-api.ts'
import type { SyncView } from '@beadloom/core/api/projects/sync-api.ts'
import { call } from './client.ts'

type Secrets = { items: SecretView[] }

const ofProject = (project: string) => `/api/projects/${encodeURIComponent(project)}`

export const getProjectSettings = (project: string, signal: AbortSignal) =>
  call<ProjectSettingsView>(`${ofProject(project)}/settings`, { signal })
export const changeProjectSettings = (project: string, body: ChangeProjectSettings) =>
  call<ProjectSettingsView>(`${ofProject(project)}/settings`, { method: 'PATCH', body })
export const getEnvironment = (project: string, signal: AbortSignal) =>
  call<EnvironmentView>(`${ofProject(project)}/environment`, { signal })
export const getNamedAgents = (project: string, signal: AbortSignal) =>
  call<NamedAgentsView>(`${ofProject(project)}/agents`, { signal })
export const getSecrets = (project: string, signal: AbortSignal) =>
  call<Secrets>(`${ofProject(project)}/secrets`, { signal })
export const setSecret = (project: string, name: string, value: string) =>
  call<Secrets>(`${ofProject(project)}/secrets/${encodeURIComponent(name)}`, { method: 'PUT', body: { value } })
export const removeSecret = (project: string, name: string) =>
  call<Secrets>(`${ofProject(project)}/secrets/${encodeURIComponent(name)}`, { method: 'DELETE' })
export const getServerSettings = (signal: AbortSignal) => call<ServerSettingsView>('/api/settings', { signal })
export const changeServerSettings = (body: ChangeServerSettings) =>
  call<ServerSettingsView>('/api/settings', { method: 'PATCH', body })
export const getSync = (project: string, signal: AbortSignal) =>
  call<SyncView>(`${ofProject(project)}/sync`, { signal })
export const removeProject = (project: string) => call<unknown>(ofProject(project), { method: 'DELETE' })
