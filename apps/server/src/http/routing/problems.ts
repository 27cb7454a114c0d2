import { whyNotAllowed, type Role } from '@beadloom/core/access/roles.ts'
import { InvalidInput } from '@beadloom/core/records/ids.ts'
import type { ApiError } from '@beadloom/core/api/api.ts'
import type { StoreTrouble } from '../../ports/store.ts'
import { ReadingStopped } from '../../ports/aside.ts'
import { isPassing } from '../../ports/store/errors.ts'
import { Problem } from '../../ports/problem.ts'

export const MAX_BODY = '640kb' // a description of 50,000 characters, each escaped as \uXXXX, twice in a change, and the rest of a bead

export function errorBody({ code, message, details }: Problem): ApiError {
  return { error: { code, message, ...(details !== undefined && { details }) } }
}

export const roleNeeded = (has: Role | null, needs: Role): Problem =>
  new Problem(403, 'role_needed', whyNotAllowed(has, needs), { has, needs })

/**
 * The problem that a thrown error becomes for the client. Quotes only what the client itself sent; anything else is our
 * bug, and the client learns nothing about it.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof InvalidInput) return new Problem(400, 'invalid', sentence(error.message))
  if (isPassing(error)) return databaseProblem({ kind: error.kind as StoreTrouble['kind'], text: error.message })
  if (isBusy(error)) return databaseProblem(null)
  if (error instanceof ReadingStopped)
    return new Problem(503, 'stopping', 'The server is stopping. Nothing was changed: ask again once it is back.')
  switch (bodyErrorType(error)) {
    case 'entity.parse.failed':
      return new Problem(
        400,
        'malformed_json',
        'The body is not a JSON object. Check it for missing quotes, commas and brackets.',
      )
    case 'entity.verify.failed':
      return new Problem(400, 'bad_request', 'The body is not valid UTF-8.')
    case 'entity.too.large':
      return new Problem(413, 'too_large', `The body is larger than ${MAX_BODY}.`)
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new Problem(415, 'unsupported_media_type', 'Send the body as application/json in UTF-8, not compressed.')
    case 'request.size.invalid':
    case 'request.aborted':
      return new Problem(400, 'bad_request', 'The body ended before its Content-Length.')
    default:
      if (error instanceof URIError)
        return new Problem(400, 'bad_request', 'The path is not valid percent-encoded UTF-8.')
      return new Problem(500, 'internal', "Internal error. The server's log has the details.")
  }
}

/** The database cannot be written, or occasionally read, now. */
export function databaseProblem(trouble: Omit<StoreTrouble, 'since'> | null): Problem {
  if (trouble?.kind === 'no-space') return new Problem(507, 'no_space', sentence(trouble.text))
  const why = trouble ? sentence(trouble.text) : 'The database is busy.'
  const message = `${why} Nothing was changed, and everything that runs continues: try again in a moment.`
  return new Problem(503, 'database_busy', message)
}

/** Whether a read failed with SQLite's own "busy". */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))

function bodyErrorType(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
