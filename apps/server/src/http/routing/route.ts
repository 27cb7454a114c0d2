import type { IncomingMessage } from 'node:http'
import type { Role } from '@beadloom/core/access/roles.ts'
import {
  InvalidInput,
  parseBeadId,
  parseExecutionId,
  parseProjectId,
  parsePullRequestId,
  parseSessionId,
  type BeadId,
  type ExecutionId,
  type ProjectId,
  type PullRequestId,
  type SessionId,
} from '@beadloom/core/records/ids.ts'
import { parseSecretName } from '@beadloom/core/api/settings/secrets-api.ts'
import { parseWebhookName } from '@beadloom/core/api/settings/webhook-api.ts'
import type { z } from 'zod'
import type { Once } from '../../ports/once.ts'
import type { Person } from '../access/person.ts'
import { Problem, type Answer } from '../../ports/problem.ts'

/*
 * Every route is in one list (`api/api-routes.ts`). The server's routes and the OpenAPI document are both made from it,
 * so they cannot disagree.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The type of each `:name` in a path. */
export type PathParams = {
  project: ProjectId
  bead: BeadId
  execution: ExecutionId
  session: SessionId
  block: number
  issue: number
  pullRequest: PullRequestId
  /** The name of a container. */
  container: string
  /** The name of a secret. */
  secret: string
  /** The number of a saved view. */
  view: number
  /** The name of a webhook. */
  webhook: string
  /** The id of a browser's sign-in. */
  signIn: number
}

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsOf<Path extends string> = Pick<PathParams, NamesIn<Path> & keyof PathParams>

export type Input<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  headers: IncomingMessage['headers']
  /** The person who makes the request. */
  person: Person
  /** Aborts when the client is gone, or the server stops. */
  signal: AbortSignal
  /** The key for anything that an idempotent route makes. */
  once: Once
}

export type RouteSpec<Path extends string, Query, Body> = {
  method: Method
  path: Path
  summary: string
  description?: string
  query?: z.core.$ZodType<Query>
  body?: z.core.$ZodType<Body>
  /** The successful answer; JSON answers are named by their types in `packages/core/src/api`. */
  answer: { status: number; description: string; content?: string; schema?: object }
  /** Refusal statuses beyond those of every route. */
  refusals?: readonly number[]
  /** Answered without a token. */
  open?: true
  /**
   * Takes an Idempotency-Key: requests with the same key act once and get the same answer, which is JSON or nothing.
   */
  idempotent?: true
  /** A role on the server itself that the request needs, beside the route's own; null: none. */
  onServer?: (asked: { params: ParamsOf<Path>; body: Body }) => Role | null | Promise<Role | null>
  handle: (input: Input<ParamsOf<Path>, Query, Body>) => Answer<unknown>
}

export type Route = RouteSpec<string, unknown, unknown> & {
  onServer?: (asked: { params: PathParams; body: unknown }) => Role | null | Promise<Role | null>
  handle: (input: Input<PathParams, unknown, unknown>) => Answer<unknown>
}

/**
 * Type-checks a route against its own path and schemas, then drops the types, so that all routes fit into one table.
 */
export const route = <const Path extends string, Query = undefined, Body = undefined>(
  spec: RouteSpec<Path, Query, Body>,
): Route => spec as unknown as Route

export const pathParam: { [Name in keyof PathParams]: { parse: (text: string) => PathParams[Name]; what: string } } = {
  project: { parse: parseProjectId, what: 'Project id' },
  bead: { parse: parseBeadId, what: 'Bead id' },
  execution: { parse: parseExecutionId, what: 'Execution id' },
  session: { parse: parseSessionId, what: 'Session id' },
  block: { parse: parseBlock, what: 'Number of a block of the log, from 0' },
  issue: { parse: parseBlock, what: 'Number of an issue of the review, from 1' },
  pullRequest: { parse: parsePullRequestId, what: 'Pull request id' },
  container: { parse: parseContainer, what: 'Name of a container' },
  secret: { parse: parseSecretName, what: 'Name of a secret' },
  view: { parse: parseBlock, what: 'Id of a saved view' },
  webhook: { parse: parseWebhookName, what: 'Name of a webhook' },
  signIn: { parse: parseBlock, what: 'Id of a browser that is signed in' },
}

function parseContainer(text: string): string {
  if (!/^beadloom-[a-z0-9-]{1,80}$/.test(text))
    throw new InvalidInput(`not a container: ${JSON.stringify(text.slice(0, 64))}`)
  return text
}

function parseBlock(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidInput(`not a number: ${JSON.stringify(text.slice(0, 64))}`)
  return Number(text)
}

/** Whether a path has a number there, and not a name. */
export const isNumber = (name: keyof PathParams): boolean => pathParam[name].parse === parseBlock

export const namesIn = (path: string): (keyof PathParams)[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof PathParams)

/** An answer other than JSON with the route's status. Made only after everything that can refuse has passed. */
export class Reply {
  readonly body: string | Buffer | AsyncIterable<Buffer | string>
  readonly headers: Record<string, string>
  readonly status: number

  constructor(body: Reply['body'], headers: Record<string, string>, status = 200) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/** The route's own status for something new; 200 for something that already existed. */
export const askedFor = <View>(answer: Problem | { view: View; fresh: boolean }): Problem | View | Reply => {
  if (answer instanceof Problem) return answer
  if (answer.fresh) return answer.view
  return new Reply(JSON.stringify(answer.view), { 'Content-Type': 'application/json; charset=utf-8' })
}
