import { AddProject, ChangeProject } from '@beadloom/core/api/projects/project-requests.ts'
import { addProject, changeProject, removeProject, type ProjectCommandDeps } from './project-commands.ts'
import { noProject } from '../../app/stored/refusals.ts'
import { route, type Route } from '../../http/routing/route.ts'

export const projectRoutes = (deps: ProjectCommandDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/projects',
    summary: 'All projects',
    answer: { status: 200, description: 'Page of ProjectView' },
    handle: () => ({ items: deps.views.projects() }),
  }),
  route({
    method: 'post',
    path: '/api/projects',
    summary: 'Adds a project from a path on the server or a URL',
    body: AddProject,
    idempotent: true,
    refusals: [409],
    answer: { status: 201, description: 'ProjectView' },
    handle: ({ body, once }) => addProject(deps, body, once),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project',
    summary: 'One project',
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => deps.views.project(params.project) ?? noProject(params.project),
  }),
  route({
    method: 'patch',
    path: '/api/projects/:project',
    summary: 'Turns autopilot on or off, or back to what `beadloom.json` says',
    body: ChangeProject,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params, body }) => changeProject(deps, params.project, body),
  }),
  route({
    method: 'delete',
    path: '/api/projects/:project',
    summary: 'Removes a project; its repository and its remote stay as they are',
    refusals: [409],
    answer: { status: 204, description: 'Gone' },
    handle: ({ params }) => removeProject(deps, params.project),
  }),
]
