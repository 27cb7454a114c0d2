import type { RequestHandler } from 'express'
import { hasRole, whyNotAllowed } from '@beadloom/core/access/roles.ts'
import { ruleOf } from '@beadloom/core/access/route-roles.ts'
import { Problem } from '../ports.ts'
import { unauthorized } from './unauthorized.ts'
import { idsIn } from '../routing/noted.ts'
import type { Route } from '../routing/route.ts'
import { sendProblem } from '../routing/serve-route.ts'
import { parseParams } from '../routing/validate.ts'
import type { Access } from './access.ts'
import type { AuditTrail } from './audit-trail.ts'

/** The one place in HTTP where it is decided who may call a route; the stream asks the same table (`admit`). */
export function requireRole(
  { access, trail }: { access: Pick<Access, 'proof'>; trail: Pick<AuditTrail, 'refused'> },
  { method, path }: Pick<Route, 'method' | 'path'>,
): RequestHandler {
  const rule = ruleOf(method, path)
  if (rule === null) throw new Error(`${method} ${path} needs its line in route-roles.ts`)
  const { role: needs, action } = rule
  return (request, response, next) => {
    const proof = access.proof(request)
    if (proof && !proof.isWhole) return unauthorized(response)
    const has = proof?.person.role ?? null
    if (hasRole(has, needs)) return next()
    const params = parseParams(path, request.params)
    if (proof && action !== undefined && !(params instanceof Problem))
      trail.refused(request, proof.person, { action, on: idsIn(params), about: '' }, needs)
    sendProblem(response, new Problem(403, 'role_needed', whyNotAllowed(has, needs), { has, needs }))
  }
}
