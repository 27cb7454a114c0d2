import { z } from 'zod'
import type { IncomingMessage } from 'node:http'
import { InvalidInput } from '@beadloom/core/records/ids.ts'
import { Problem } from '../../ports/problem.ts'
import { namesIn, pathParam, type PathParams, type Route } from './route.ts'

export type Valid = { params: PathParams; query: unknown; body: unknown }
export type Given = { params: Record<string, unknown>; query: unknown; body: unknown }

/** A malformed id is 404, like an unknown one; all problems with query and body are listed at once, as 400. */
export function validate(route: Route, given: Given): Valid | Problem {
  const params = parseParams(route.path, given.params)
  if (params instanceof Problem) return params
  const query = z.safeParse(route.query ?? z.strictObject({}), given.query)
  const body = route.body ? z.safeParse(route.body, given.body ?? {}) : null
  const issues = [...issuesOf('query', query.error), ...issuesOf('body', body?.error)]
  if (issues.length > 0)
    return new Problem(400, 'invalid', issues.map(({ field, problem }) => `${field}: ${problem}`).join('; '), issues)
  return { params, query: query.data, body: body?.data }
}

/** A body must be declared as JSON, because a foreign page can send every type that a form can. */
export function wrongType(request: IncomingMessage): Problem | null {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0')
  if (!hasBody || /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type ?? '')) return null
  return new Problem(415, 'unsupported_media_type', 'Send the body with Content-Type: application/json, in UTF-8.')
}

/** The ids in a path; a malformed one is 404, like an unknown one. */
export function parseParams(path: string, given: Record<string, unknown>): PathParams | Problem {
  const parsed: Record<string, unknown> = {}
  for (const name of namesIn(path)) {
    try {
      parsed[name] = pathParam[name].parse(String(given[name]))
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      return new Problem(404, 'not_found', `Not found: ${error.message}.`)
    }
  }
  return parsed as PathParams
}

function issuesOf(where: string, error: z.core.$ZodError | undefined): { field: string; problem: string }[] {
  return (error?.issues ?? []).map(({ path, message }) => ({
    field: path.length === 0 ? where : path.join('.'),
    problem: message,
  }))
}
