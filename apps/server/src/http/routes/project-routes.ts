import { AddProject, ChangeProject } from '@beadloom/core/api/projects/project-requests.ts'
import { z } from 'zod'
import type { Commands, Queries } from '../ports.ts'
import { Problem, type Answer } from '../../ports/problem.ts'
import { Reply, route, type Route } from '../routing/route.ts'

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
    handle: ({ body, once }) => commands.addProject(body, once),
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
    summary: 'Turns autopilot on or off, or back to what `beadloom.json` says',
    body: ChangeProject,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params, body }) => commands.changeProject(params.project, body),
  }),
  route({
    method: 'delete',
    path: '/api/projects/:project',
    summary: 'Removes a project; its repository and its remote stay as they are',
    refusals: [409],
    answer: { status: 204, description: 'Gone' },
    handle: ({ params }) => commands.removeProject(params.project),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/egress',
    summary: 'Hosts that its containers asked for by the proxy, and the `network.allow` that would have let them',
    answer: { status: 200, description: 'EgressView' },
    handle: ({ params }) => queries.egressOfProject(params.project),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/environment',
    summary: 'What its files say about what it needs, and a proposal of `beadloom.json`',
    description: 'Toolchains, commands and services, each with the file and the line that names it.',
    refusals: [409],
    answer: { status: 200, description: 'EnvironmentView' },
    handle: ({ params }) => queries.environment(params.project),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/activity',
    summary: 'What ran in the last days: each execution with its end, its size and what it used, newest first',
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(1) }),
    answer: { status: 200, description: 'ActivityView' },
    handle: ({ params, query }) => queries.activity(params.project, query.days),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/budget',
    summary: 'What a project has used, added up, what its completed beads cost, and what its queue will probably cost',
    description:
      '`format=csv` returns the rows behind these sums as a file. Unknown values are empty cells, and a spreadsheet takes no name for a formula.',
    query: z.strictObject({
      /** This many days (UTC) before today, and today. */
      days: z.coerce.number().int().min(1).max(366).default(7),
      format: z.enum(['json', 'csv']).default('json'),
    }),
    answer: { status: 200, description: 'BudgetView' },
    handle: ({ params: { project }, query: { days, format } }) =>
      format === 'json' ? queries.budget(project, days) : asFile(queries.budgetCsv(project, days), project, days),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/sync',
    summary: 'The sync state of a project with its tracker and its remote, and its sync history',
    answer: { status: 200, description: 'SyncView' },
    handle: ({ params }) => queries.syncStatus(params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/sync',
    summary: 'Syncs with the tracker and the base branch',
    idempotent: true,
    refusals: [409],
    answer: { status: 200, description: 'ProjectView, after the sync' },
    handle: ({ params }) => commands.sync(params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/pause',
    summary: 'Starts no new executions of this project; running ones continue',
    idempotent: true,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => commands.pause(params.project),
  }),
  route({
    method: 'post',
    path: '/api/projects/:project/resume',
    summary: 'Resumes a paused project, and autopilot that has paused itself',
    idempotent: true,
    answer: { status: 200, description: 'ProjectView' },
    handle: ({ params }) => commands.resume(params.project),
  }),
]

/** Served as a download for a spreadsheet; never shown in the browser, which could take it for a page. */
async function asFile(rows: Answer<AsyncIterable<string>>, project: string, days: number): Promise<Problem | Reply> {
  const body = await rows
  if (body instanceof Problem) return body
  return new Reply(body, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${project}-budget-${days}d.csv"`,
  })
}
