import type { Clock } from '../process/clock.ts'
import { limited } from '../process/within.ts'
import type { WebhookRequest } from './webhook-request.ts'

type Limits = { clock: Clock; timeoutMs: number; stop?: AbortSignal | undefined }

/**
 * Why a notice did not arrive. The words contain nothing of the address, which is a secret, and nothing of the answer,
 * which is a stranger's. `refused`: the receiver works but will not take this one.
 */
export type PostFailure = { problem: string; refused: boolean }

/**
 * Statuses for a notice that is malformed or too large for the receiver, or of a kind that it does not know or
 * understand.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422])

/** Makes one try; null if the notice arrived. Follows no redirect, which could lead into the server's own network. */
export async function post(
  url: string,
  { headers, body }: WebhookRequest,
  { clock, timeoutMs, stop }: Limits,
): Promise<PostFailure | null> {
  const { username, password } = new URL(url)
  const user = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  const all: Record<string, string> =
    username === '' && password === '' ? headers : { ...headers, authorization: `Basic ${user}` }
  try {
    return await limited({ clock, ms: timeoutMs, or: stop, reason: () => new Late() }, async (signal) => {
      const response = await fetch(withoutUser(url), {
        method: 'POST',
        headers: all,
        body,
        redirect: 'manual',
        signal,
      })
      void response.body?.cancel().catch(() => {}) // never read, however large
      if (response.ok) return null
      const { status } = response
      const isRedirect = status >= 300 && status < 400
      const more = isRedirect ? ', a redirect, which is not followed: use the final address' : ''
      return { problem: `it answered ${status}${more}`, refused: REFUSALS.has(status) }
    })
  } catch (error) {
    if (error instanceof Late) return failure(`it did not answer within ${timeoutMs / 1000} s`)
    const { cause } = error as { cause?: { code?: unknown; message?: unknown } }
    if (cause?.message === 'bad port')
      return failure('its port belongs to another protocol, and is never called: use another one')
    // Contains neither the address nor any words of the other side.
    const code = typeof cause?.code === 'string' && /^[A-Z_0-9]{1,40}$/.test(cause.code) ? ` (${cause.code})` : ''
    return failure(
      TLS.test(code) ? `no secure connection${code}: is its certificate trusted here?` : `it cannot be reached${code}`,
    )
  }
}

const failure = (problem: string): PostFailure => ({ problem, refused: false })

/**
 * Codes of OpenSSL and Node for certificates that are expired, for another name or signed by a stranger, and for
 * anything that is not TLS.
 */
const TLS = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|ISSUER/

class Late extends Error {
  override name = 'Late'
}

/** A per cent sign that encodes nothing is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Removes name and password: `fetch` refuses an address with them. */
function withoutUser(url: string): string {
  const address = new URL(url)
  address.username = ''
  address.password = ''
  return address.href
}
