import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasRole } from '@beadloom/core/access/roles.ts'
import type { Request, RequestHandler, Response } from 'express'
import { eachTime, type Once } from '../../ports/once.ts'
import type { KeptAnswer } from '../../ports/store/request-keys.ts'
import { InWork, type Idempotency } from './idempotency.ts'
import type { Access } from '../access/access.ts'
import type { Door } from '../access/door.ts'
import { tokenPerson, type Person } from '../access/person.ts'
import type { OpenRequests } from '../open-requests.ts'
import { DATABASE_WAIT_MS, type DatabaseGate } from './database-gate.ts'
import { Problem } from '../../ports/problem.ts'
import { databaseProblem, errorBody, roleNeeded } from './problems.ts'
import { deedOf, noted, type NotedDeps } from './noted.ts'
import { Reply, type Route } from './route.ts'
import { validate, type Valid } from './validate.ts'

export type ServeDeps = NotedDeps & {
  answered: Idempotency
  open: OpenRequests
  database: DatabaseGate
  access: Pick<Access, 'proof'>
  door: Door
}

const RETRY_AFTER_S = 2

export function serveRoute(route: Route, deps: ServeDeps): RequestHandler {
  const { answered, open, database, access, door, trail } = deps
  return async (request, response) => {
    const valid = validate(route, request)
    if (valid instanceof Problem) return sendProblem(response, valid)
    const changes = route.method !== 'get'
    if (changes && !(await database.writable(DATABASE_WAIT_MS)))
      return sendProblem(response, databaseProblem(database.trouble()))
    const signal = open.begin(response)
    const person = access.proof(request)?.person ?? tokenPerson // an open route needs no proof
    const needs = (await route.onServer?.(valid)) ?? null
    if (needs !== null && !hasRole(person.role, needs)) {
      const deed = deedOf(route, valid)
      if (deed !== null) trail.refused(request, person, deed, needs)
      return sendProblem(response, roleNeeded(person.role, needs))
    }
    const handle = (once: Once) => route.handle({ ...valid, headers: request.headers, person, signal, once })
    const handled = (once: Once) => {
      if (!changes) return handle(once)
      const decision = door.decide(person, route, valid.params)
      const who = { ...person, role: decision.may ? decision.role : person.role }
      return noted(deps, route, { person: who, request }, valid, () => handle(once))
    }
    if (!route.idempotent) {
      const value = changes
        ? await whole(database, () => handled(eachTime))
        : door.cut(person, route, await handled(eachTime))
      if (changes) {
        const seq = database.seq()
        await database.onDisk() // an answered change survives a power cut
        response.setHeader('Beadloom-Seq', seq)
      }
      return send(response, route.answer.status, value)
    }
    const act = async (once: Once) => kept(await handled(once), route.answer.status, () => database.seq())
    const answer = await whole(database, () => answered.run(...keyOf(route, request, valid, person), act))
    await database.onDisk()
    sendKept(response, answer)
  }
}

/** Runs a change of several steps whole: the store does not refuse it half-way because it tidies up. */
async function whole<T>(database: DatabaseGate, change: () => T | Promise<T>): Promise<T> {
  const end = database.beginChange()
  try {
    return await change()
  } finally {
    end()
  }
}

/** An answer as text, sent now and each time the request comes again. */
function kept(value: unknown, status: number, seq: () => number): KeptAnswer {
  if (value instanceof Problem) return { status: value.status, body: JSON.stringify(errorBody(value)), seq: seq() }
  if (value instanceof Reply) return { status: value.status, body: String(value.body), seq: seq() }
  return { status, body: status === 204 ? '' : JSON.stringify(value), seq: seq() }
}

function sendKept(response: Response, answer: KeptAnswer | Problem | InWork): void {
  if (answer instanceof Problem) return sendProblem(response, answer)
  if (answer instanceof InWork) {
    response.setHeader('Retry-After', answer.retryAfterSeconds)
    return sendProblem(response, answer.problem)
  }
  const { status, body, seq } = answer
  tellWhen(response, status)
  response.status(status).setHeader('Beadloom-Seq', seq)
  if (body !== '') response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(body)
}

export function sendProblem(response: Response, problem: Problem): void {
  tellWhen(response, problem.status)
  response.status(problem.status).json(errorBody(problem))
}

/** Says when to try again after a failed write: the same request may succeed a moment later. */
function tellWhen(response: Response, status: number): void {
  if (status === 503 || status === 507) response.setHeader('Retry-After', RETRY_AFTER_S)
}

/** The scope of a key includes the person: one person's key has nothing to do with another's request. */
function keyOf(
  route: Route,
  request: Request,
  { params, body }: Valid,
  { by, name }: Person,
): [string, string | undefined, unknown] {
  const whose = by === 'token' ? '' : ` ${JSON.stringify([by, name])}`
  const scope = `${route.method} ${route.path} ${JSON.stringify(params)}${whose}`
  return [scope, request.get('Idempotency-Key'), body]
}

async function send(response: Response, status: number, value: unknown): Promise<void> {
  if (value instanceof Problem) return sendProblem(response, value)
  if (!(value instanceof Reply))
    return void (status === 204 ? response.status(204).end() : response.status(status).json(value))
  response.status(value.status).set(value.headers)
  if (response.req.method === 'HEAD') return void response.end()
  if (typeof value.body === 'string' || Buffer.isBuffer(value.body)) return void response.end(value.body)
  try {
    await pipeline(Readable.from(value.body, { objectMode: true, highWaterMark: 1 }), response)
  } catch (error) {
    // Half the answer is sent: only a broken connection can still say that it is incomplete.
    if (!response.destroyed) response.destroy()
    if (!isClientGone(error)) throw error
  }
}

const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ABORT_ERR')
