import { z } from 'zod'
import type { Tickets } from '../../http/access/tickets.ts'
import type { SignInStore } from '../../ports/store/people/sign-ins.ts'
import { endSignIn, listSignIns } from './sign-in-list.ts'
import { route, type Route } from '../../http/routing/route.ts'

const LONGEST = 4_000

type SignInDeps = {
  store: Pick<SignInStore, 'signIns' | 'endSignIn'>
  tickets: Pick<Tickets, 'issue'>
}

export const signInRoutes = ({ store, tickets }: SignInDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/sign-ins',
    summary: 'The browsers that are signed in: all of them for an admin, else your own',
    answer: { status: 200, description: 'SignInsView, newest first' },
    handle: ({ person }) => listSignIns(store, person),
  }),
  route({
    method: 'delete',
    path: '/api/sign-ins/:signIn',
    summary: 'Signs a browser out',
    answer: { status: 204, description: 'It is signed out' },
    handle: ({ params, person }) => endSignIn(store, person, params.signIn),
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
