import { PAGE_FRAGMENT } from '@beadloom/core/api/people/sign-ins-api.ts'
import express, { type Request, type Response, type Router } from 'express'
import { z } from 'zod/mini'
import { SignInError, type SignInProvider } from '../../ports/sign-in.ts'
import type { Clock } from '../../process/clock.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { BrowserSignIns } from './browser-sign-ins.ts'
import { ownCookie } from './cookies.ts'
import { ownPath } from './own-path.ts'
import { nameFrom } from './person.ts'
import { Sealer } from './sealed.ts'
import { sendPage } from './sign-in-pages.ts'

export type OidcRoutesDeps = {
  provider: SignInProvider
  people: PeopleSettings
  token: string
  browsers: Pick<BrowserSignIns, 'begin'>
  trail: Pick<AuditTrail, 'signs'>
  clock: Pick<Clock, 'now'>
  report: (error: unknown, where: string) => void
}

/** A person may have to find their second factor first. */
const LEAVING_S = 900
/** Each is one request to the provider, and strangers can cause it. */
const MOST_AT_ONCE = 16

const Leaving = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  until: z.number(),
})

/** A path of this server, never of another host, however it is written. */
export function pathWithin(wanted: unknown, address: string): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || wanted.length > 2000) return '/'
  const url = URL.parse(wanted, address)
  if (url?.origin !== new URL(address).origin || /^\/(sign-in|sign-out|signed-out)\b/.test(url.pathname)) return '/'
  return ownPath(url)
}

/** Routes for leaving to the provider and coming back. */
export function oidcRoutes({ provider, people, token, browsers, trail, clock, report }: OidcRoutesDeps): Router {
  const { address } = people
  const leaving = ownCookie(token, 'leaving', address)
  const sealer = new Sealer(token, 'beadloom leaving for the provider')
  const lifetimeMs = people.oidc?.sessionMs ?? 0
  let atOnce = 0

  const guarded =
    (work: (request: Request, response: Response) => Promise<void>) => async (request: Request, response: Response) => {
      if (atOnce >= MOST_AT_ONCE) return sendPage(response.setHeader('Retry-After', 5), 503, 'busy')
      atOnce++
      try {
        await work(request, response)
      } catch (error) {
        if (!(error instanceof SignInError)) throw error
        report(error, 'signing in')
        sendPage(response, error.kind === 'away' ? 502 : 403, 'failed', error.message)
      } finally {
        atOnce--
      }
    }

  const router = express.Router()
  router.get('/sign-in', guarded(begin))
  router.get('/sign-in/callback', guarded(finish))
  router.get('/signed-out', (_, response) => sendPage(response, 200, 'signed-out'))

  async function begin(request: Request, response: Response): Promise<void> {
    const to = pathWithin(request.query['to'], address)
    // The cookie would stay at this server's other name.
    if (request.headers.host?.toLowerCase() !== new URL(address).host)
      return response.redirect(303, `${address}/sign-in?to=${encodeURIComponent(to)}`)
    const { url, checks } = await provider.begin()
    const sealed = sealer.seal({ ...checks, to, until: clock.now() + LEAVING_S * 1000 })
    response.setHeader('Set-Cookie', leaving.set(request, sealed, LEAVING_S))
    response.redirect(303, url)
  }

  async function finish(request: Request, response: Response): Promise<void> {
    const [sealed = '', another] = leaving.read(request)
    // If there are two, somebody else has set the other.
    const parsed = z.safeParse(Leaving, another === undefined ? sealer.open(sealed) : null)
    response.setHeader('Set-Cookie', leaving.clear(request)) // each one counts once
    if (!parsed.success || parsed.data.until <= clock.now())
      throw new SignInError('refused', 'This sign-in did not begin in this browser, or took too long.')
    const { to, until: _until, ...checks } = parsed.data
    const { subject, name: given, groups } = await provider.finish(new URL(request.originalUrl, address), checks)
    const name = nameFrom(given)
    if (name === null) throw new SignInError('refused', 'The name that the provider says cannot be used here.')
    const who = { via: 'oidc', subject, name, groups: groups.flatMap((group) => nameFrom(group) ?? []) } as const
    trail.signs(request, who, 'signed_in')
    // A new value each time: a value that the browser had never becomes a sign-in.
    const { cookie, page } = browsers.begin(request, who, lifetimeMs)
    response.setHeader('Set-Cookie', [leaving.clear(request), cookie])
    const [path, ...fragment] = to.split('#')
    response.redirect(303, [`${path}${PAGE_FRAGMENT}${page}`, ...fragment].join('#'))
  }

  return router
}
