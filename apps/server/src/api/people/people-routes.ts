import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { z } from 'zod'
import { actions, me, type PeopleDeps } from './people.ts'
import { idText, paging } from '../../http/routing/query-params.ts'
import { route, type Route } from '../../http/routing/route.ts'

export const peopleRoutes = (deps: PeopleDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/me',
    summary: 'Who is signed in, and with which role',
    answer: { status: 200, description: 'MeView' },
    handle: ({ person }) => me(deps, person),
  }),
  route({
    method: 'get',
    path: '/api/actions',
    summary: 'Actions of people, newest first, each with a name',
    query: z.strictObject({ project: idText(parseProjectId), ...paging }),
    answer: { status: 200, description: 'Page of ActionView' },
    handle: ({ query }) => actions(deps, query),
  }),
]
