import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Problem } from '../ports.ts'

export type AccessDeps = {
  /** 256 random bits as text. */
  token: string
  /** Names under which clients may address this server, each `host` or `host:port` exactly as in a Host header. */
  hosts: () => readonly string[]
  /** Origins of pages that may call it, such as `http://127.0.0.1:4600`. */
  origins: () => readonly string[]
}

/** Host and Origin lists for a server on this port that is reached over loopback, and under `names`. */
export function allowedOn(port: number, names: readonly string[] = []): { hosts: string[]; origins: string[] } {
  const hosts = ['127.0.0.1', 'localhost', '[::1]', ...names].map((name) => (port === 80 ? name : `${name}:${port}`))
  return { hosts, origins: hosts.map((host) => `http://${host}`) }
}

/** `refused` before the handshake; `unknown`: no valid proof of access. */
export type Admission =
  | { kind: 'admitted'; who: string }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unknown' }

export interface Access {
  /**
   * Why this request is rejected outright, or null. Host first (DNS rebinding), then Origin and Sec-Fetch-Site (a foreign
   * page that makes the browser ask). Must be called before anything else, upgrades included.
   */
  refusal(request: IncomingMessage): Problem | null
  /** How the request proves its access, or null. A wrong Authorization is null, whatever cookie comes with it. */
  proof(request: IncomingMessage): 'bearer' | 'cookie' | null
  isToken(text: string): boolean
  /** The same checks for an upgrade. A cookie needs an Origin here: a browser always sends one with it. */
  admit(request: IncomingMessage): Admission
  /** Set-Cookie for a browser that presented the token. */
  cookie(): string
}

const COOKIE_SECONDS = 30 * 24 * 3600
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

export function createAccess({ token, hosts, origins }: AccessDeps): Access {
  // Browsers send the cookies of 127.0.0.1 to all of its ports. So the cookie is derived from the token: what another
  // local server could pick up is not the bearer token.
  const pass = createHmac('sha256', token).update('beadloom browser pass').digest('base64url')
  // Its name differs between servers: with one name for all, signing in to one would sign you out of the other.
  const name = `beadloom-${createHmac('sha256', token).update('beadloom cookie name').digest('hex').slice(0, 8)}`
  const isToken = sameAs(token)
  const isPass = sameAs(pass)

  function refusal(request: IncomingMessage): Problem | null {
    // An absolute request target ("GET http://evil/") would name a second host beside the header.
    if (!request.url?.startsWith('/')) return new Problem(400, 'bad_request', 'The request target must be a path.')
    const host = request.headersDistinct.host
    if (host?.length !== 1 || !hosts().includes(host[0]?.toLowerCase() ?? ''))
      return new Problem(
        421,
        'unknown_host',
        `This server does not answer to that host name. Open ${origins()[0]}/ instead.`,
      )
    const origin = request.headers.origin
    if (origin !== undefined && !origins().includes(origin.toLowerCase()))
      return new Problem(403, 'foreign_origin', 'Requests from other origins are refused.')
    const site = request.headers['sec-fetch-site']
    if (!safeMethods.includes(request.method ?? '') && site !== undefined && site !== 'same-origin' && site !== 'none')
      return new Problem(403, 'foreign_site', 'Changes requested by other sites are refused.')
    return null
  }

  function proof(request: IncomingMessage): 'bearer' | 'cookie' | null {
    const { authorization, cookie } = request.headers
    if (authorization !== undefined) {
      const bearer = /^Bearer +([^\s]+)$/i.exec(authorization)?.[1]
      return bearer !== undefined && isToken(bearer) ? 'bearer' : null
    }
    return cookiesNamed(name, cookie ?? '').some(isPass) ? 'cookie' : null
  }

  function admit(request: IncomingMessage): Admission {
    const problem = refusal(request)
    if (problem) return { kind: 'refused', status: problem.status, message: problem.message }
    const by = proof(request)
    if (by === null) return { kind: 'unknown' }
    if (by === 'cookie' && request.headers.origin === undefined)
      return { kind: 'refused', status: 403, message: 'The Origin header is missing.' }
    return { kind: 'admitted', who: 'token' }
  }

  return {
    refusal,
    proof,
    admit,
    isToken,
    cookie: () => `${name}=${pass}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict`,
  }
}

/** Compares digests, which all have one length and do not reveal how much of a guess was right. */
function sameAs(secret: string): (guess: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(secret)
  return (guess) => timingSafeEqual(digest(guess), expected)
}

function cookiesNamed(name: string, header: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
