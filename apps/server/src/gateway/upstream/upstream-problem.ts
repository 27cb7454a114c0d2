import { maskText } from '../key-mask.ts'
import { seconds, problem, TIMED_OUT, type Problem } from '../problem.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * The problem behind an unsuccessful answer. Quotes only the error message of its body, bounded and without the key.
 */
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
    return problem(429, 'insufficient_quota', `${answered}${quote}; check the plan and billing for ${variables.key}`)
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
    // a proxy's page or plain text: not worth quoting
  }
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const said = (field: string) => {
    const value = error[field]
    return typeof value === 'string' ? maskText(value, key) : null
  }
  const word = (value: string | null) => (value && /^[\w.-]{1,64}$/.test(value) ? value : null)
  return { message: said('message'), code: word(said('code')), type: word(said('type')) }
}

/** Certificate errors do not pass by waiting; any other connection error may. */
const certificateProblem = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/

/** The problem behind a call that got no answer. */
export function noConnection(endpoint: Endpoint, error: unknown): Problem {
  const code = networkCode(error)
  const reached = `cannot reach the model endpoint ${endpoint.where}`
  if (certificateProblem.test(code)) {
    const message = `${reached}: its certificate is not trusted (${code}); add its certificate authority with NODE_EXTRA_CA_CERTS`
    return problem(502, 'model_certificate', message)
  }
  const message = `${reached} (${words[code] ?? code}): is it running? check ${endpoint.variables.url} and the network`
  return problem(502, codeOf(code), message, { transient: true })
}

const codeOf = (code: string) => (/TIMED_?OUT|TIMEOUT/.test(code) ? TIMED_OUT : 'model_unreachable')

/** The problem behind an answer that broke off: the endpoint was reachable. */
export function brokenOff(endpoint: Endpoint, error: unknown): Problem {
  const code = networkCode(error)
  const message = `the model's answer broke off in the middle (${words[code] ?? code}): check ${endpoint.where} and the network`
  return problem(502, codeOf(code), message, { transient: true })
}

const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'no answer from the name server',
  ETIMEDOUT: 'timed out',
}

/** Only the code, because messages may quote headers. */
function networkCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code
  }
  return 'no answer'
}
