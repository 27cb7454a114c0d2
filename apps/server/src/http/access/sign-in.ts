import type { Request, RequestHandler } from 'express'
import type { Access } from './access.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import { Problem } from '../ports.ts'
import { sendProblem } from '../routing/serve-route.ts'
import { ownPath } from './own-path.ts'
import { sendPage } from './sign-in-pages.ts'

/** `?token=…` of any page exchanges the token for a cookie and removes it from the address bar and the history. */
export function exchangeToken(access: Access): RequestHandler {
  return (request, response, next) => {
    const { token } = request.query
    if (request.method !== 'GET' || token === undefined || isForPrograms(request)) return next()
    if (typeof token !== 'string' || !access.isToken(tokenIn(token))) return sendPage(response, 401, 'wrong-token')
    response.setHeader('Set-Cookie', access.cookie())
    response.redirect(303, withoutToken(request.originalUrl))
  }
}

/** Somebody may paste the whole link. */
const tokenIn = (given: string): string => /[?&]token=([^&#\s]+)/.exec(given)?.[1] ?? given.trim()

/** Within this server, however its path begins. */
function withoutToken(asked: string): string {
  const url = new URL(asked.replace(/^[/\\]+/, '/'), 'http://here')
  url.searchParams.delete('token')
  return ownPath(url)
}

export function requireProof(access: Access, people: PeopleSettings | null = null): RequestHandler {
  return (request, response, next) => {
    const proof = access.proof(request)
    if (proof?.person.role === null && !isForPrograms(request))
      return sendPage(response, 403, 'no-role', proof.person.name)
    if (proof) return next()
    if (isForPrograms(request)) {
      response.setHeader('WWW-Authenticate', 'Bearer realm="beadloom"')
      const message = 'Send `Authorization: Bearer …` with the token from the file `token` in the data folder.'
      return sendProblem(response, new Problem(401, 'unauthorized', message))
    }
    // A person who opens a page; not a picture of it, or a script.
    if (people?.oidc && request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate')
      return response.redirect(303, `/sign-in?to=${encodeURIComponent(request.originalUrl)}`)
    sendPage(response, 401, people?.oidc ? 'oidc' : people?.header ? 'proxy' : 'token')
  }
}

export const isForPrograms = ({ path }: Request): boolean => /^\/(api|metrics|healthz|readyz|ws)(\/|$)/.test(path)
