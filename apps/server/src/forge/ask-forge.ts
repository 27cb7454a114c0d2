import { ForgeError } from '../ports/forge.ts'
import type { Clock } from '../process/clock.ts'
import { trustSystemCertificates } from '../process/system-certificates.ts'
import type { Forge } from './forge-settings.ts'
import { masked, quoted, safeSentence } from './forge-text.ts'

export type Question = {
  url: string
  method: string
  headers: Record<string, string>
  body?: string | null
}

export type Answer = { status: number; headers: Headers; text: string }

/**
 * Limits until the first byte of an answer, connecting included, then until its last byte. Forges are slow at times.
 */
const HEADERS_MS = 30_000
const BODY_MS = 30_000
/** Many times the size of a page of pull requests with long texts. */
const MOST_BYTES = 8 * 1024 * 1024
const MOST_REDIRECTS = 3

/**
 * One request and its whole answer, whatever its status. A missing, incomplete or oversized answer is a ForgeError.
 * A redirect is followed only within the same origin, so that the token goes nowhere else. Throws the signal's reason
 * when the caller aborts.
 */
export async function askForge(clock: Clock, forge: Forge, first: Question, signal?: AbortSignal): Promise<Answer> {
  let question = first
  for (let followed = 0; ; followed++) {
    const answer = await askOnce(clock, forge, question, signal)
    if (answer.status < 300 || answer.status >= 400) return answer
    const next = redirected(question, answer)
    if (next === null || followed === MOST_REDIRECTS) throw redirects(forge, question, answer)
    question = next
  }
}

async function askOnce(
  clock: Clock,
  forge: Forge,
  { url, method, headers, body = null }: Question,
  signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted()
  const late = new AbortController()
  const done = new AbortController()
  let begun = false
  void (async () => {
    await clock.sleep(HEADERS_MS, done.signal)
    if (begun) await clock.sleep(BODY_MS, done.signal)
    if (!done.signal.aborted) late.abort()
  })()
  if (url.startsWith('https:')) trustSystemCertificates()
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    begun = true
    return { status: response.status, headers: response.headers, text: await textOf(response, forge) }
  } catch (error) {
    if (error instanceof ForgeError) throw error
    signal?.throwIfAborted()
    if (late.signal.aborted) throw noAnswer(forge, begun ? 'its answer did not end' : 'it did not answer in time')
    throw noConnection(forge, error)
  } finally {
    done.abort()
  }
}

async function textOf(response: Response, forge: Forge): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) {
      const size = `more than ${MOST_BYTES / 1024 ** 2} MiB`
      throw new ForgeError('bad-answer', say(forge, `${forge.host} answered with ${size}. ${checkAddress(forge)}`))
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The same request at another address of the same origin; null if it must not be sent there. */
function redirected(question: Question, { status, headers }: Answer): Question | null {
  const from = new URL(question.url)
  const to = URL.parse(headers.get('location') ?? '', from.href)
  if (to === null || to.origin !== from.origin || to.username !== '' || to.password !== '') return null
  // A 301 or 302 would turn a POST into a GET, and an API does not answer with 303.
  const keeps = status === 307 || status === 308 || (question.method === 'GET' && (status === 301 || status === 302))
  return keeps ? { ...question, url: to.href } : null
}

function redirects(forge: Forge, question: Question, { headers }: Answer): ForgeError {
  const to = URL.parse(headers.get('location') ?? '', question.url)
  const where = to === null ? 'somewhere else' : `to ${quoted(masked(to.origin, forge.token), 200)}`
  const sentence = `${forge.host} redirects ${where}, where its token must not go. If the forge or the repository has moved, correct the project's remote, or the address: beadloom forge add ${forge.host} --url ADDRESS.`
  return new ForgeError('bad-answer', say(forge, sentence))
}

export const checkAddress = ({ host, kind, web }: Forge): string =>
  `Is there a ${kind} at ${web}? Correct it with: beadloom forge add ${host} --kind KIND --url ADDRESS.`

const say = (forge: Forge, sentence: string): string => safeSentence(sentence, forge.token)

const noAnswer = (forge: Forge, why: string): ForgeError =>
  new ForgeError(
    'unavailable',
    say(
      forge,
      `${forge.host} cannot be reached: ${why}. Try again later; nothing is opened twice. If it persists, check the network and the address (${forge.web}).`,
    ),
  )

/** Certificate errors do not go away by waiting; any other connection error may. */
const certificateProblem = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL/

function noConnection(forge: Forge, error: unknown): ForgeError {
  const code = networkCode(error)
  if (!certificateProblem.test(code)) return noAnswer(forge, words[code] ?? code)
  const sentence = `the certificate of ${forge.host} is not trusted (${code}): add its certificate authority with NODE_EXTRA_CA_CERTS in the server's environment.`
  return new ForgeError('bad-answer', say(forge, sentence))
}

const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'no answer from the name server',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_SOCKET: 'the connection broke',
  HPE_INVALID_CONSTANT: 'what answers there does not speak HTTP',
}

/**
 * Node's fetch says "fetch failed" and keeps the reason in `cause`. Takes only its code, because messages may quote
 * headers.
 */
function networkCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code
  }
  return 'no answer'
}
