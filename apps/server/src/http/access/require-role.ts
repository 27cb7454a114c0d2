import type { RequestHandler } from 'express'
import { hasRole, whyNotAllowed } from '@beadloom/core/access/roles.ts'
import { ruleOf } from '@beadloom/core/access/route-roles.ts'
import { Problem } from '../ports.ts'
import { unauthorized } from './unauthorized.ts'
import { sendProblem } from '../routing/serve-route.ts'
import type { Access } from './access.ts'

/** The one place in HTTP where it is decided who may call a route; the stream asks the same table (`admit`). */
export function requireRole(
  access: Pick<Access, 'proof'>,
  { method, path }: { method: string; path: string },
): RequestHandler {
  const rule = ruleOf(method, path)
  if (rule === null) throw new Error(`${method} ${path} needs its line in route-roles.ts`)
  const { role: needs } = rule
  return (request, response, next) => {
    const proof = access.proof(request)
    if (proof && !proof.isWhole) return unauthorized(response)
    const has = proof?.person.role ?? null
    if (hasRole(has, needs)) return next()
    sendProblem(response, new Problem(403, 'role_needed', whyNotAllowed(has, needs), { has, needs }))
  }
}
