import { ChangeProjectSettings, ChangeServerSettings } from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingsApi } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

export const settingsRoutes = (settings: SettingsApi): Route[] => [
  route({
    method: 'get',
    path: '/api/projects/:project/settings',
    summary: "A project's settings, and where each value comes from",
    refusals: [409],
    answer: { status: 200, description: 'ProjectSettingsView' },
    handle: ({ params }) => settings.ofProject(params.project),
  }),
  route({
    method: 'patch',
    path: '/api/projects/:project/settings',
    summary: 'Overrides settings of `beadloom.json`; null removes an override',
    description: 'Running executions keep the settings they started with.',
    body: ChangeProjectSettings,
    refusals: [409, 422],
    answer: { status: 200, description: 'ProjectSettingsView, after the change' },
    handle: ({ params, body }) => settings.changeProject(params.project, body),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/agents',
    summary: "The agents by name that the project's built-in agent can ask, and files that are none",
    refusals: [409],
    answer: { status: 200, description: 'NamedAgentsView' },
    handle: ({ params }) => settings.agentsOf(params.project),
  }),
  route({
    method: 'get',
    path: '/api/settings',
    summary: "The server's settings, and which secrets are set",
    answer: { status: 200, description: 'ServerSettingsView' },
    handle: () => settings.ofServer(),
  }),
  route({
    method: 'patch',
    path: '/api/settings',
    summary: 'Changes `config.json` in the data folder, for the next start',
    body: ChangeServerSettings,
    refusals: [409, 422],
    answer: { status: 200, description: 'ServerSettingsView, after the change' },
    handle: ({ body }) => settings.changeServer(body),
  }),
]
