import { ChangeSavedView, NewSavedView } from '@beadloom/core/api/saved-views-api.ts'
import { hasRole, whyNotAllowed } from '@beadloom/core/access/roles.ts'
import type { Person } from '../access/person.ts'
import { Problem, type SavedViewApi } from '../ports.ts'
import { route, type PathParams, type Route } from '../routing/route.ts'

const answer = { status: 200, description: '`{items: SavedView[]}`, in their order' }

export const savedViewRoutes = (views: SavedViewApi): Route[] => {
  const refusalOf = async ({ project, view }: Pick<PathParams, 'project' | 'view'>, person: Person) => {
    const known = await views.list(project)
    const isForAll = !(known instanceof Problem) && known.items.some(({ id, forAll }) => id === view && forAll)
    return isForAll ? refusalForAll(person) : null
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
      handle: ({ params, body, person, once }) =>
        (body.forAll ? refusalForAll(person) : null) ?? views.add(params.project, body, once),
    }),
    route({
      method: 'patch',
      path: '/api/projects/:project/views/:view',
      summary: 'Renames a saved view, changes what it shows or where it is, or begins the board with it',
      body: ChangeSavedView,
      refusals: [409],
      answer,
      handle: async ({ params, body, person }) =>
        (await refusalOf(params, person)) ?? views.change(params.project, params.view, body),
    }),
    route({
      method: 'delete',
      path: '/api/projects/:project/views/:view',
      summary: 'Deletes a saved view',
      answer,
      handle: async ({ params, person }) =>
        (await refusalOf(params, person)) ?? views.drop(params.project, params.view),
    }),
  ]
}

/** A view for all projects is the server's. */
const refusalForAll = ({ role }: Person): Problem | null =>
  role !== null && hasRole(role, 'runner')
    ? null
    : new Problem(403, 'role_needed', whyNotAllowed(role, 'runner'), { has: role, needs: 'runner' })
