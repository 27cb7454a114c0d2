import { PushImage } from '@beadloom/core/api/projects/project-requests.ts'
import { z } from 'zod/mini'
import { SANDBOX_POLICY } from '../../http/access/security-headers.ts'
import type { BeadCommandDeps } from '../beads/bead-commands.ts'
import { baseOf, type BaseDeps } from './base.ts'
import { environmentOf, type EnvironmentDeps } from './environment-query.ts'
import { Problem } from '../../ports/problem.ts'
import { Reply, route, type Route } from '../../http/routing/route.ts'

const LogQuery = z.object({ of: z.enum(['setup', 'checks']) })

export const environmentRoutes = (deps: EnvironmentDeps & BaseDeps & BeadCommandDeps): Route[] => {
  const base = baseOf(deps)
  return [
    route({
      method: 'get',
      path: '/api/projects/:project/environment',
      summary: 'What its files say about what it needs, and a proposal of `beadloom.json`',
      description: 'Toolchains, commands and services, each with the file and the line that names it.',
      refusals: [409],
      answer: { status: 200, description: 'EnvironmentView' },
      handle: ({ params }) => environmentOf(deps, params.project),
    }),
    route({
      method: 'post',
      path: '/api/projects/:project/environment/prove',
      summary: 'Proves the base now: setup and all checks on the commit that beads start from',
      idempotent: true,
      refusals: [409],
      answer: { status: 200, description: 'ProjectView, while the proof runs' },
      handle: ({ params }) => base.prove(params.project),
    }),
    route({
      method: 'post',
      path: '/api/projects/:project/environment/stop',
      summary: 'Stops the proof of the base; nothing of the project starts until it is proved again',
      idempotent: true,
      refusals: [409],
      answer: { status: 200, description: 'ProjectView' },
      handle: ({ params }) => base.stop(params.project),
    }),
    route({
      method: 'post',
      path: '/api/projects/:project/environment/mend',
      summary: 'Creates a bead that fixes the base; the same one again while it is not done',
      idempotent: true,
      refusals: [409],
      answer: { status: 201, description: 'BeadView' },
      handle: ({ params, once }) => base.mend(params.project, once),
    }),
    route({
      method: 'post',
      path: '/api/projects/:project/environment/push',
      summary: "Pushes the project's image to a registry, made first if it is not there",
      idempotent: true,
      body: PushImage,
      refusals: [409],
      answer: { status: 202, description: 'PushView, while it runs' },
      handle: ({ params, body }) => base.push(params.project, body),
    }),
    route({
      method: 'get',
      path: '/api/projects/:project/environment/push',
      summary: "The newest push of the project's image",
      answer: { status: 200, description: 'PushView' },
      handle: ({ params }) => base.pushed(params.project),
    }),
    route({
      method: 'delete',
      path: '/api/projects/:project/environment/push',
      summary: "Stops the push of the project's image; by that name the registry has nothing then, or all of it",
      refusals: [409],
      answer: { status: 200, description: 'PushView' },
      handle: ({ params }) => base.stopPush(params.project),
    }),
    route({
      method: 'get',
      path: '/api/projects/:project/environment/log',
      summary: 'The end of what `setup` or the checks printed in the newest proof',
      query: LogQuery,
      answer: { status: 200, description: 'At most the last 256 KiB', content: 'text/plain' },
      handle: async ({ params, query }) => {
        const text = await base.log(params.project, query.of)
        if (text instanceof Problem) return text
        return new Reply(text, {
          'Content-Type': 'text/plain; charset=utf-8',
          'Content-Security-Policy': SANDBOX_POLICY,
        })
      },
    }),
  ]
}
