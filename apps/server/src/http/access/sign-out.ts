import type { RequestHandler } from 'express'
import type { SignInProvider } from '../../ports/sign-in.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { BrowserSignIns } from './browser-sign-ins.ts'
import { unauthorized } from './unauthorized.ts'

export type SignOutDeps = {
  browsers: Pick<BrowserSignIns, 'shown' | 'end'>
  trail: Pick<AuditTrail, 'signs'>
  provider: SignInProvider | null
  report: (error: unknown, where: string) => void
}

/** Ends this browser's sign-in, and answers where to go next: the provider may have to end its own session. */
export function signOut({ browsers, trail, provider, report }: SignOutDeps): RequestHandler {
  return async (request, response) => {
    const shown = browsers.shown(request)
    if (!shown?.isWhole) return unauthorized(response, provider ? 'oidc' : 'token')
    trail.signs(request, shown.signIn, 'signed_out', shown.signIn.id)
    response.setHeader('Set-Cookie', browsers.end(request, shown.signIn))
    const elsewhere =
      shown.signIn.via === 'oidc'
        ? await provider?.endUrl().catch((error: unknown) => {
            report(error, 'signing out')
            return null // signed out here anyway
          })
        : null
    response.json({ next: elsewhere ?? (provider ? '/signed-out' : '/') })
  }
}
