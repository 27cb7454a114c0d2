import type { Clock } from '../process/clock.ts'
import { limited } from '../process/within.ts'
import type { WebhookRequest } from './webhook-request.ts'

type Limits = { clock: Clock; timeoutMs: number; stop?: AbortSignal | undefined }

/**
 * Why it did not arrive, in words that have nothing of the address, which is a secret, and nothing of the answer, which is a
 * stranger's. `refused`: the receiver is well and will not have this one.
 */
export type PostFailure = { problem: string; refused: boolean }

/** Malformed or too large for it, of a kind that it does not know, or not what it understands. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422])

/** One try. Null: it arrived. Nothing is followed: a redirect could lead into the server's own network. */
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
      void response.body?.cancel().catch(() => {}) // however large it is, it is not read
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
    // Neither the address nor what the other side says of itself is in it.
    const code = typeof cause?.code === 'string' && /^[A-Z_0-9]{1,40}$/.test(cause.code) ? ` (${cause.code})` : ''
    return failure(
      TLS.test(code) ? `no secure connection${code}: is its certificate trusted here?` : `it cannot be reached${code}`,
    )
  }
}

const failure = (problem: string): PostFailure => ({ problem, refused: false })

/** Of OpenSSL and of Node: certificates that are expired, for another name or signed by a stranger, and what is not TLS. */
const TLS = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|ISSUER/

class Late extends Error {
  override name = 'Late'
}

/** A per cent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `fetch` refuses an address with a name and a password in it. */
function withoutUser(url: string): string {
  const address = new URL(url)
  address.username = ''
  address.password = ''
  return address.href
}
