import type { ApiError } from '@beadloom/core/api/api.ts'
import { PAGE_HEADER } from '@beadloom/core/api/people/sign-ins-api.ts'
import { pageValue } from './page-value.ts'

/** An answer that is not a success, with the server's own sentence about it. `status` 0: no answer at all. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor(status: number, code: string, message: string, details?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

export type Call = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
  /** The name of one press of a button: the server answers a repeated press with the first one's result. */
  key?: string
  /** A POST that is safe to send twice. */
  repeatable?: boolean
}

/**
 * Pauses before another try when nothing answered. Chromium aborts requests whenever a network interface appears or
 * disappears, as Docker's do. A server that is down stays down for longer, and is reported.
 */
const PAUSES_MS = [150, 600]

/** Pauses while another program has the database locked: the server has waited for it, and says to try again. */
const BUSY_PAUSES_MS = [1_000, 2_000, 4_000]

/** Sets, once, how a person is told that an answer takes longer. */
export const whenBusy = (tell: (sentence: string) => void): void => void (tellBusy = tell)
let tellBusy: (sentence: string) => void = () => {}

/** JSON in, JSON out; throws `ApiFailure` for every answer that is not a success. */
export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const response = await send(path, options)
  return (response.status === 204 ? undefined : await response.json()) as T
}

export async function callText(path: string, signal: AbortSignal): Promise<string> {
  return await (await send(path, { signal })).text()
}

export async function send(path: string, { method = 'GET', body, signal, key, repeatable }: Call): Promise<Response> {
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== undefined) headers['idempotency-key'] = key
  const page = pageValue()
  if (page !== null) headers[PAGE_HEADER] = page
  const request: RequestInit = {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    credentials: 'same-origin',
  }
  const pauses = method === 'POST' && key === undefined && !repeatable ? [] : [...PAUSES_MS]
  const busy = [...BUSY_PAUSES_MS]
  for (;;) {
    try {
      const response = await fetch(path, request)
      if (response.ok) return response
      const failure = await failureOf(response)
      // The server changed nothing, so any request may be sent again.
      const pause = failure.code === 'database_busy' ? busy.shift() : undefined
      if (pause === undefined) throw failure
      tellBusy(failure.message)
      await new Promise((resolve) => setTimeout(resolve, pause))
    } catch (error) {
      if (signal?.aborted || error instanceof ApiFailure) throw error
      const pause = pauses.shift()
      if (pause === undefined) throw new ApiFailure(0, 'no_answer', 'The server does not answer. Is it still running?')
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  try {
    const { error } = (await response.json()) as ApiError
    return new ApiFailure(response.status, error.code, error.message, error.details)
  } catch {
    return new ApiFailure(response.status, 'unknown', `The server answered ${response.status} ${response.statusText}.`)
  }
}
