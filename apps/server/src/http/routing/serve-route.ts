import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { Idempotency } from './idempotency.ts'
import type { OpenRequests } from '../open-requests.ts'
import { Problem, type DatabaseGate, type Queries } from '../ports.ts'
import { databaseProblem, errorBody } from './problems.ts'
import { Reply, type Route } from './route.ts'
import { validate, type Valid } from './validate.ts'

/** What a route answered, and `seq` after it; the same Idempotency-Key gets both again. */
export type Outcome = { value: unknown; seq: number }

export type ServeDeps = {
  queries: Pick<Queries, 'seq'>
  answered: Idempotency<Outcome>
  open: OpenRequests
  database: DatabaseGate
}

/** Most locks are gone by then, and a person has not given up on the button yet. */
const DATABASE_WAIT_MS = 2_000
const RETRY_AFTER_S = 2

export function serveRoute(route: Route, { queries, answered, open, database }: ServeDeps): RequestHandler {
  return async (request, response) => {
    const valid = validate(route, request)
    if (valid instanceof Problem) return sendProblem(response, valid)
    const changes = route.method !== 'get'
    if (changes && !(await database.writable(DATABASE_WAIT_MS)))
      return sendProblem(response, databaseProblem(database.trouble()))
    const signal = open.begin(response)
    const act = async (): Promise<Outcome> => {
      const value = await route.handle({ ...valid, headers: request.headers, signal })
      return { value, seq: queries.seq() }
    }
    const outcome = await (route.idempotent ? answered.run(...keyOf(route, request, valid), act) : act())
    if (outcome instanceof Problem) return sendProblem(response, outcome)
    if (changes) {
      await database.onDisk() // what is answered survives a power cut
      response.setHeader('Beadloom-Seq', outcome.seq)
    }
    await send(response, route.answer.status, outcome.value)
  }
}

export function sendProblem(response: Response, problem: Problem): void {
  if (problem.status === 503 || problem.status === 507) response.setHeader('Retry-After', RETRY_AFTER_S)
  response.status(problem.status).json(errorBody(problem))
}

function keyOf(route: Route, request: Request, { params, body }: Valid): [string, string | undefined, unknown] {
  return [`${route.method} ${route.path} ${JSON.stringify(params)}`, request.get('Idempotency-Key'), body]
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
    // Half the answer is sent: breaking the connection is the only way left to say that it is incomplete.
    if (!response.destroyed) response.destroy()
    if (!isClientGone(error)) throw error
  }
}

const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ABORT_ERR')
