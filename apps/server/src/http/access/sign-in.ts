import { highestRole } from '@beadloom/core/access/standing.ts'
import { OPEN_PAGE, PAGE_FRAGMENT } from '@beadloom/core/api/people/sign-ins-api.ts'
import type { Request, RequestHandler } from 'express'
import type { Access } from './access.ts'
import type { AuditTrail } from './audit-trail.ts'
import { TOKEN_NAME } from './person.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import { ownPath } from './own-path.ts'
import { sendPage } from './sign-in-pages.ts'
import { ticketIn } from './tickets.ts'
import { unauthorized } from './unauthorized.ts'

/**
 * Exchanges the `?token=…` of any page for a cookie, and removes it from the address bar and the history. The value for
 * the page is in the fragment, which no server receives; a page that stays where it is and asks for JSON gets it in the
 * answer.
 */
export function exchangeToken(access: Access, trail: Pick<AuditTrail, 'signs'>): RequestHandler {
  return (request, response, next) => {
    const { token } = request.query
    if (request.method !== 'GET' || token === undefined || isForPrograms(request)) return next()
    const inPlace = request.headers.accept === 'application/json'
    if (typeof token !== 'string' || !access.isToken(tokenIn(token)))
      return inPlace ? unauthorized(response) : sendPage(response, 401, 'wrong-token')
    trail.signs(request, { name: TOKEN_NAME, via: 'token' }, 'signed_in')
    const { cookie, page } = access.begin(request)
    response.setHeader('Set-Cookie', cookie)
    if (inPlace) response.json({ page })
    else response.redirect(303, `${withoutToken(request.originalUrl)}${PAGE_FRAGMENT}${page}`)
  }
}

/** People may paste the whole link. */
const tokenIn = (given: string): string => /[?&]token=([^&#\s]+)/.exec(given)?.[1] ?? given.trim()

/** The address without the token; always within this server, however its path begins. */
function withoutToken(asked: string): string {
  const url = new URL(asked.replace(/^[/\\]+/, '/'), 'http://here')
  url.searchParams.delete('token')
  return ownPath(url)
}

export function requireProof(access: Access, people: PeopleSettings | null = null): RequestHandler {
  return (request, response, next) => {
    const proof = access.proof(request)
    if (proof && highestRole(proof.person) === null && !isForPrograms(request))
      return sendPage(response, 403, 'no-role', proof.person.name)
    if (proof?.isWhole || (proof && !isForPrograms(request))) {
      request.url = ticketIn(request)?.address ?? request.url // no route knows tickets
      return next()
    }
    const way = people?.oidc ? 'oidc' : people?.header ? 'proxy' : 'token'
    // A person opens a page; not an image or a script of one.
    const opens = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
    if (isForPrograms(request)) {
      // For an agent's log opened in a tab: only a page of ours can send the second value along.
      if (proof && opens)
        return response.redirect(303, `${OPEN_PAGE}#${ticketIn(request)?.address ?? request.originalUrl}`)
      return unauthorized(response, way)
    }
    if (way === 'oidc' && opens) return response.redirect(303, `/sign-in?to=${encodeURIComponent(request.originalUrl)}`)
    sendPage(response, 401, way)
  }
}

export const isForPrograms = ({ path }: Request): boolean => /^\/(api|metrics|healthz|readyz|ws)(\/|$)/.test(path)
