import type { Response } from 'express'
import { Problem } from '../../ports/problem.ts'
import { sendProblem } from '../routing/serve-route.ts'

/** `way`: the way of signing in, for a page that has lost its sign-in. */
export function unauthorized(response: Response, way: 'token' | 'oidc' | 'proxy' = 'token'): void {
  response.setHeader('WWW-Authenticate', 'Bearer realm="beadloom"')
  const message =
    'Send `Authorization: Bearer …` with the token from the file `token` in the data folder. A browser signs in again.'
  sendProblem(response, new Problem(401, 'unauthorized', message, { signIn: way }))
}
