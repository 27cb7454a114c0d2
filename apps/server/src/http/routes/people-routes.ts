import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { z } from 'zod'
import type { PeopleApi } from '../people-ports.ts'
import { idText, paging } from '../routing/query-params.ts'
import { route, type Route } from '../routing/route.ts'

export const peopleRoutes = (people: PeopleApi): Route[] => [
  route({
    method: 'get',
    path: '/api/me',
    summary: 'Who is signed in, and with which role',
    answer: { status: 200, description: 'MeView' },
    handle: ({ person }) => people.me(person),
  }),
  route({
    method: 'get',
    path: '/api/actions',
    summary: 'What people have done, newest first, each with a name',
    query: z.strictObject({ project: idText(parseProjectId), ...paging }),
    answer: { status: 200, description: 'Page of ActionView' },
    handle: ({ query }) => people.actions(query),
  }),
]
