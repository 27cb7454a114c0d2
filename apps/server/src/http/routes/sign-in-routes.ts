import { z } from 'zod'
import type { Tickets } from '../access/tickets.ts'
import type { SignInApi } from '../people-ports.ts'
import { route, type Route } from '../routing/route.ts'

const LONGEST = 4_000

export const signInRoutes = (signIn: SignInApi, tickets: Tickets): Route[] => [
  route({
    method: 'get',
    path: '/api/sign-ins',
    summary: 'The browsers that are signed in: all of them for an admin, else your own',
    answer: { status: 200, description: 'SignInsView, newest first' },
    handle: ({ person }) => signIn.list(person),
  }),
  route({
    method: 'delete',
    path: '/api/sign-ins/:signIn',
    summary: 'Signs a browser out',
    answer: { status: 204, description: 'It is signed out' },
    handle: ({ params, person }) => signIn.end(person, params.signIn),
  }),
  route({
    method: 'get',
    path: '/api/ticket',
    summary: 'For a browser: an address of the API as one that can be opened as a page, once, within 30 seconds',
    query: z.strictObject({
      for: z
        .string()
        .max(LONGEST)
        .regex(/^\/api\/[\x21-\x7e]*$/, 'is not an address of the API')
        .describe('The address, from `/api/` on'),
    }),
    answer: { status: 200, description: '`{url}`' },
    // If a proxy or a program says who asks, the address can be opened as it is.
    handle: ({ query, person }) => ({
      url: person.signIn === undefined ? query.for : tickets.issue(query.for, person.signIn),
    }),
  }),
]
