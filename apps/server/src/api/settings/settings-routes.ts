import { ChangeProjectSettings, ChangeServerSettings } from '@beadloom/core/api/settings/settings-api.ts'
import { serverSettings, type ServerSettingsDeps } from './server-settings.ts'
import { agentsOf, changeProject, ofProject, type SettingsDeps } from './project-settings.ts'
import { route, type Route } from '../../http/routing/route.ts'

export const settingsRoutes = (deps: SettingsDeps & ServerSettingsDeps): Route[] => {
  const server = serverSettings(deps)
  return [
    route({
      method: 'get',
      path: '/api/projects/:project/settings',
      summary: "A project's settings, and where each value comes from",
      refusals: [409],
      answer: { status: 200, description: 'ProjectSettingsView' },
      handle: ({ params }) => ofProject(deps, params.project),
    }),
    route({
      method: 'patch',
      path: '/api/projects/:project/settings',
      summary: 'Overrides settings of `beadloom.json`; null removes an override',
      description: 'Running executions keep the settings they started with.',
      body: ChangeProjectSettings,
      refusals: [409, 422],
      answer: { status: 200, description: 'ProjectSettingsView, after the change' },
      handle: ({ params, body }) => changeProject(deps, params.project, body),
    }),
    route({
      method: 'get',
      path: '/api/projects/:project/agents',
      summary: "The agents by name that the project's built-in agent can ask, and files that are none",
      refusals: [409],
      answer: { status: 200, description: 'NamedAgentsView' },
      handle: ({ params }) => agentsOf(deps, params.project),
    }),
    route({
      method: 'get',
      path: '/api/settings',
      summary: "The server's settings, and which secrets are set",
      answer: { status: 200, description: 'ServerSettingsView' },
      handle: () => server.view(),
    }),
    route({
      method: 'patch',
      path: '/api/settings',
      summary: 'Changes `config.json` in the data folder, for the next start',
      body: ChangeServerSettings,
      refusals: [409, 422],
      answer: { status: 200, description: 'ServerSettingsView, after the change' },
      handle: ({ body }) => server.change(body),
    }),
  ]
}
