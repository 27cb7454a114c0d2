import { AddProject, ChangeProject } from '@beadloom/core/api/api.ts'
import type { Commands, Queries } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

export const projectRoutes = (queries: Queries, commands: Commands): Route[] => [
  route({
    method: 'get',
    path: '/api/projects',
    summary: 'All projects',
    answer: { status: 200, description: 'Page of ProjectView' },
    handle: () => queries.listProjects(),
  }),
  route({
    method: 'post',
    path: '/api/projects',
    summary: 'Adds a project from a path on the server or a URL',
    body: AddProject,
    idempotent: true,
    refusals: [409],
    answer: { status: 201, description: 'ProjectView' },
    handle: ({ body }) => commands.addProject(body),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project',
    summary: 'One project',
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => queries.project(params.project),
  }),
  route({
    method: 'patch',
    path: '/api/projects/:project',
    summary: 'Changes what a person decides over `beadloom.json`',
    body: ChangeProject,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params, body }) => commands.changeProject(params.project, body),
  }),
  route({
    method: 'delete',
    path: '/api/projects/:project',
    summary: 'Forgets a project; its repository and its remote stay as they are',
    refusals: [409],
    answer: { status: 204, description: 'Gone' },
    handle: ({ params }) => commands.removeProject(params.project),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/sync',
    summary: 'How a project stands with its tracker and its remote, and the last readings',
    answer: { status: 200, description: 'SyncView' },
    handle: ({ params }) => queries.syncStatus(params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/sync',
    summary: 'Reads the tracker and the base branch again',
    idempotent: true,
    refusals: [409],
    answer: { status: 200, description: 'ProjectView, after the sync' },
    handle: ({ params }) => commands.sync(params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/pause',
    summary: 'Starts nothing more of this project; what runs goes on',
    idempotent: true,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => commands.pause(params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/resume',
    summary: 'Ends the pause',
    idempotent: true,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => commands.resume(params.project),
  }),
]
