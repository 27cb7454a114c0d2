import type { RequestHandler } from 'express'
import { placeOf } from '@beadloom/core/access/route-places.ts'
import type { Role } from '@beadloom/core/access/roles.ts'
import { ruleOf } from '@beadloom/core/access/route-roles.ts'
import { NOT_ALL_PROJECTS, type Decision } from '@beadloom/core/access/standing.ts'
import { Problem } from '../../ports/problem.ts'
import { unauthorized } from './unauthorized.ts'
import { idsIn } from '../routing/noted.ts'
import { roleNeeded } from '../routing/problems.ts'
import type { Route } from '../routing/route.ts'
import { sendProblem } from '../routing/serve-route.ts'
import { parseParams } from '../routing/validate.ts'
import type { Access } from './access.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { Door } from './door.ts'

export type RequireRoleDeps = {
  access: Pick<Access, 'proof'>
  door: Pick<Door, 'decide'>
  trail: Pick<AuditTrail, 'refused'>
}

/**
 * The one place in HTTP that enforces the roles of routes. The stream asks core in the same way (`topic.ts`), and
 * `serveRoute` asks for the role that a single request needs beside its route's.
 */
export function requireRole(
  { access, door, trail }: RequireRoleDeps,
  route: Pick<Route, 'method' | 'path'>,
): RequestHandler {
  const { method, path } = route
  const rule = ruleOf(method, path)
  if (rule === null) throw new Error(`${method} ${path} needs its line in route-roles.ts`)
  if (placeOf(method, path) === null) throw new Error(`${method} ${path} needs its line in route-places.ts`)
  const { role: needs, action } = rule
  return (request, response, next) => {
    const proof = access.proof(request)
    if (proof && !proof.isWhole) return unauthorized(response)
    if (!proof) return sendProblem(response, roleNeeded(null, needs))
    const params = parseParams(path, request.params)
    // A malformed id names nothing.
    const decision = door.decide(proof.person, route, params instanceof Problem ? null : params)
    if (decision.may) return next()
    if (params instanceof Problem) return sendProblem(response, refusal(decision, needs, path))
    const role = decision.why === 'hidden' ? null : decision.has
    if (action !== undefined)
      trail.refused(request, { ...proof.person, role }, { action, on: idsIn(params), about: '' }, needs)
    sendProblem(response, refusal(decision, needs, Object.values(idsIn(params))[0] ?? ''))
  }
}

function refusal(decision: Exclude<Decision, { may: true }>, needs: Role, id: string): Problem {
  if (decision.why === 'hidden') return new Problem(404, 'not_found', `Not found: ${JSON.stringify(id)}.`)
  if (decision.why === 'role') return roleNeeded(decision.has, needs)
  return new Problem(403, 'role_needed', NOT_ALL_PROJECTS, { has: decision.has, needs })
}
