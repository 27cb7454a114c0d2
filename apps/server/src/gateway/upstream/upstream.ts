import type { IncomingHttpHeaders } from 'node:http'
import { InvalidInput } from '@beadloom/core/ids.ts'
import { seconds, problem, type Problem } from '../problem.ts'
import { maskText } from '../key-mask.ts'
import { isObject } from '../request-body.ts'

/** `baseUrl` as the usual variables have it: OPENAI_BASE_URL ends with `/v1`, ANTHROPIC_BASE_URL does not. */
export type OpenAiUpstream = {
  baseUrl: string
  /** Null for a local server that wants none. */
  apiKey: string | null
  /** The model where a project names none. */
  model: string | null
  /** What people set the key with. Default: the variable that agents know. */
  keyVariable?: string
}
export type AnthropicUpstream = { baseUrl: string; apiKey: string; keyVariable?: string }

/** An endpoint with its key, ready to be called. `where` is what people may see of its address. */
export type Endpoint = {
  base: string
  where: string
  key: string | null
  variables: { key: string; url: string }
  headers: (from: IncomingHttpHeaders) => Record<string, string>
}

/** What a caller may say about an API's version; everything else a container sends stays here. */
const passedOn = ['openai-beta', 'anthropic-version', 'anthropic-beta']

export function openAiEndpoint(upstream: OpenAiUpstream): Endpoint {
  const variables = { key: upstream.keyVariable ?? 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' }
  const key = checkedKey(upstream.apiKey, variables.key)
  const authorization: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  return {
    ...checkedBase(upstream.baseUrl, variables.url),
    key,
    variables,
    headers: (from) => ({ ...commonHeaders(from), ...authorization }),
  }
}

export function anthropicEndpoint(upstream: AnthropicUpstream): Endpoint {
  const variables = { key: upstream.keyVariable ?? 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' }
  const key = checkedKey(upstream.apiKey, variables.key)
  const { base, where } = checkedBase(upstream.baseUrl, variables.url)
  return {
    base: base.endsWith('/v1') ? base : `${base}/v1`,
    where,
    key,
    variables,
    headers: (from) => ({
      'anthropic-version': '2023-06-01',
      ...commonHeaders(from),
      ...(key && { 'x-api-key': key }),
    }),
  }
}

function commonHeaders(from: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    // Compressed, a small answer could become a huge one here, and the bytes would not be the ones passed on.
    'accept-encoding': 'identity',
    'user-agent': 'beadloom',
  }
  for (const name of passedOn) {
    const value = from[name]
    if (typeof value === 'string' && /^[\x20-\x7e]{1,500}$/.test(value)) headers[name] = value
  }
  return headers
}

function checkedBase(baseUrl: string, variable: string): { base: string; where: string } {
  const url = URL.parse(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidInput(`${variable} is not an http or https address`)
  }
  if (url.username || url.password) {
    throw new InvalidInput(`${variable} holds a user name or password: put the key into the variable for the key`)
  }
  return { base: url.origin + url.pathname.replace(/\/+$/, ''), where: url.origin }
}

function checkedKey(key: string | null, variable: string): string | null {
  const trimmed = key?.trim() || null
  // Node's own error for such a header says nothing of which variable it comes from.
  if (trimmed && !/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new InvalidInput(`${variable} has characters that no key has (a space, a line break or an accent)`)
  }
  return trimmed
}

/** The problem behind an answer that is no success. Only `text` of it is quoted, bounded and without the key. */
export function refusal(
  endpoint: Endpoint,
  model: string,
  status: number,
  text: string,
  retryAfterMs: number | null,
): Problem {
  const { where, variables } = endpoint
  const said = errorIn(text, endpoint.key)
  const quote = said.message ? `: ${said.message.slice(0, 2000)}` : ''
  const answered = `the model endpoint ${where} answered ${status}`
  if (status === 401 || status === 403) {
    return problem(status, 'model_unauthorized', `${answered}: check ${variables.key}`)
  }
  if (status === 404) {
    const hint = `check "model" in beadloom.json (now "${model}") and ${variables.url}`
    return problem(404, 'model_not_found', `${answered}${quote}; ${hint}`)
  }
  if (said.code === 'insufficient_quota') {
    return problem(429, 'insufficient_quota', `${answered}${quote}; check the plan and the billing of ${variables.key}`)
  }
  if (status === 429) {
    const wait = retryAfterMs ? `; it asks to wait ${seconds(retryAfterMs)}` : ''
    return problem(429, 'rate_limited', `${answered} (too many requests)${quote}${wait}`, {
      transient: true,
      retryAfterMs,
    })
  }
  if (status === 408 || status >= 500) {
    return problem(Math.max(status, 500), 'model_failed', `${answered}${quote}`, { transient: true, retryAfterMs })
  }
  if (status >= 300 && status < 400) {
    const message = `${answered} (a redirect), and redirects are not followed: set ${variables.url} to the final address`
    return problem(502, 'model_redirects', message)
  }
  return problem(status, said.code ?? 'model_refused', `${answered}${quote}`, said.type ? { type: said.type } : {})
}

/** `error.message`, `.code` and `.type` of an error body in OpenAI's or Anthropic's shape, without the key. */
function errorIn(
  text: string,
  key: string | null,
): { message: string | null; code: string | null; type: string | null } {
  let body: unknown = null
  try {
    body = JSON.parse(text)
  } catch {
    // a page of a proxy or a plain sentence: not worth quoting
  }
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const said = (field: string) => {
    const value = error[field]
    return typeof value === 'string' ? maskText(value, key) : null
  }
  const word = (value: string | null) => (value && /^[\w.-]{1,64}$/.test(value) ? value : null)
  return { message: said('message'), code: word(said('code')), type: word(said('type')) }
}

/** Certificates do not become good by waiting; anything else about a connection may. */
const certificateProblem = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/

/** The problem behind a call that got no answer. */
export function noConnection(endpoint: Endpoint, error: unknown): Problem {
  const code = networkCode(error)
  const reached = `cannot reach the model endpoint ${endpoint.where}`
  if (certificateProblem.test(code)) {
    const message = `${reached}: its certificate is not trusted (${code}); give Node the right authority with NODE_EXTRA_CA_CERTS`
    return problem(502, 'model_certificate', message)
  }
  const message = `${reached} (${words[code] ?? code}): is it running? check ${endpoint.variables.url} and the network`
  return problem(502, 'model_unreachable', message, { transient: true })
}

/** The problem behind an answer that began and did not end: whoever sent it was there. */
export function brokenOff(endpoint: Endpoint, error: unknown): Problem {
  const code = networkCode(error)
  const message = `the model's answer broke off in the middle (${words[code] ?? code}): look at ${endpoint.where} and the network`
  return problem(502, 'model_unreachable', message, { transient: true })
}

const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'no answer from the name server',
  ETIMEDOUT: 'timed out',
}

/** The code only, for messages quote headers. */
function networkCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code
  }
  return 'no answer'
}
