import { EngineError, type EngineErrorKind } from '../../ports/engine.ts'

/** The HTTP status of the cluster's answer; null: there was none. */
export function statusOf(error: unknown): number | null {
  const code: unknown = error instanceof EngineError ? statusIn(error.cause) : statusIn(error)
  return typeof code === 'number' && code >= 400 ? code : null
}

const statusIn = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : null

/** 502 and 503: whatever is in front of the API server finds nobody behind it, or it starts just now. */
const kinds: Readonly<Record<number, EngineErrorKind>> = {
  408: 'timed-out',
  409: 'name-taken',
  502: 'unreachable',
  503: 'unreachable',
  504: 'timed-out',
}

/** @param what the server wanted, in the words behind "could not" */
export function kubeError(what: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const status = statusOf(error)
  if (status === null)
    return new EngineError('unreachable', `the cluster could not ${what}: ${messageIn(error)}`, { cause: error })
  const kind = kinds[status] ?? (status >= 500 ? 'failed' : 'refused')
  const hint = status === 401 ? ' (is the context of the kubeconfig still signed in?)' : ''
  return new EngineError(kind, `the cluster could not ${what}: ${messageIn(error)}${hint}`, { cause: error })
}

/** The cluster explains itself in a body of the kind Status. */
export function messageIn(error: unknown): string {
  const body = typeof error === 'object' && error !== null && 'body' in error ? error.body : null
  const said = messageOfStatus(typeof body === 'string' ? parsed(body) : body)
  if (said !== null) return said
  if (!(error instanceof Error)) return messageOfStatus(error) ?? 'the connection failed' // a cable's event has one
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message
}

const messageOfStatus = (body: unknown): string | null =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? body.message
    : null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
