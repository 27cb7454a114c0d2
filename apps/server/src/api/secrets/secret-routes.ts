import { SetSecret } from '@beadloom/core/api/settings/secrets-api.ts'
import { projectSecrets, type ProjectSecretsDeps } from './project-secrets.ts'
import { route, type Route } from '../../http/routing/route.ts'

export const secretRoutes = (deps: ProjectSecretsDeps): Route[] => {
  const secrets = projectSecrets(deps)
  return [
    route({
      method: 'get',
      path: '/api/projects/:project/secrets',
      summary: "The secrets of a project's setup: which it needs, and which are set; never their values",
      answer: { status: 200, description: '`{items: SecretView[]}`' },
      handle: ({ params }) => secrets.list(params.project),
    }),
    route({
      method: 'put',
      path: '/api/projects/:project/secrets/:secret',
      summary: "Sets a secret of a project's setup",
      body: SetSecret,
      refusals: [409, 422],
      answer: { status: 200, description: '`{items: SecretView[]}`, without any value' },
      handle: ({ params, body }) => secrets.set(params.project, params.secret, body.value),
    }),
    route({
      method: 'delete',
      path: '/api/projects/:project/secrets/:secret',
      summary: "Removes a secret of a project's setup",
      refusals: [409],
      answer: { status: 200, description: '`{items: SecretView[]}`' },
      handle: ({ params }) => secrets.remove(params.project, params.secret),
    }),
  ]
}
