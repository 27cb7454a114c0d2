import { ChangeSavedView, NewSavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import { savedViews, type SavedViewDeps } from './saved-views.ts'
import { Problem } from '../../ports/problem.ts'
import { route, type PathParams, type Route } from '../../http/routing/route.ts'

const answer = { status: 200, description: '`{items: SavedView[]}`, in their order' }

export const savedViewRoutes = (deps: SavedViewDeps): Route[] => {
  const views = savedViews(deps)
  // A view for all projects belongs to the server.
  const roleFor = async ({ project, view }: Pick<PathParams, 'project' | 'view'>) => {
    const known = await views.list(project)
    return !(known instanceof Problem) && known.items.some(({ id, forAll }) => id === view && forAll) ? 'runner' : null
  }
  return [
    route({
      method: 'get',
      path: '/api/projects/:project/views',
      summary: 'The saved views of its board: its own, then those for all projects',
      answer,
      handle: ({ params }) => views.list(params.project),
    }),
    route({
      method: 'post',
      path: '/api/projects/:project/views',
      summary: 'Saves a view of the board',
      idempotent: true,
      body: NewSavedView,
      refusals: [409],
      answer: { ...answer, status: 201 },
      onServer: ({ body }) => (body.forAll ? 'runner' : null),
      handle: ({ params, body, once }) => views.add(params.project, body, once),
    }),
    route({
      method: 'patch',
      path: '/api/projects/:project/views/:view',
      summary: 'Renames a saved view, changes what it shows or where it is, or begins the board with it',
      body: ChangeSavedView,
      refusals: [409],
      answer,
      onServer: ({ params }) => roleFor(params),
      handle: ({ params, body }) => views.change(params.project, params.view, body),
    }),
    route({
      method: 'delete',
      path: '/api/projects/:project/views/:view',
      summary: 'Deletes a saved view',
      answer,
      onServer: ({ params }) => roleFor(params),
      handle: ({ params }) => views.drop(params.project, params.view),
    }),
  ]
}
