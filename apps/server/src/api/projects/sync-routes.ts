import { route, type Route } from '../../http/routing/route.ts'
import { pause, resume, sync, type ProjectCommandDeps } from './project-commands.ts'
import { syncView, type SyncViewDeps } from './sync-view.ts'

export const syncRoutes = (deps: ProjectCommandDeps & SyncViewDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/projects/:project/sync',
    summary: 'The sync state of a project with its tracker and its remote, and its sync history',
    answer: { status: 200, description: 'SyncView' },
    handle: ({ params }) => syncView(deps, params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/sync',
    summary: 'Syncs with the tracker and the base branch',
    idempotent: true,
    refusals: [409],
    answer: { status: 200, description: 'ProjectView, after the sync' },
    handle: ({ params }) => sync(deps, params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/pause',
    summary: 'Starts no new executions of this project; running ones continue',
    idempotent: true,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => pause(deps, params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/resume',
    summary: 'Resumes a paused project, and autopilot that has paused itself',
    idempotent: true,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => resume(deps, params.project),
  }),
]
