import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { whyNotAllowed } from '@beadloom/core/access/roles.ts'
import { ruleOf } from '@beadloom/core/access/route-roles.ts'
import { decide, highestRole, standingOf, type Standing } from '@beadloom/core/access/standing.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import { Problem } from '../../ports/problem.ts'
import type { BrowserSignIns } from './browser-sign-ins.ts'
import { TOKEN_NAME, tokenPerson, type Person } from './person.ts'
import { trustedHeader } from './trusted-header.ts'

export type AccessDeps = {
  /** 256 random bits as text. */
  token: string
  /** Names under which clients may address this server, each `host` or `host:port` exactly as in a Host header. */
  hosts: () => readonly string[]
  /** Origins of pages that may call it, such as `http://127.0.0.1:4600`. */
  origins: () => readonly string[]
  /** The settings for people who may sign in without the token; null: only holders of the token. */
  peopleSettings?: PeopleSettings | null
  browsers: BrowserSignIns
}

/** Host and Origin lists for a server on this port that is reached over loopback, and under `names`. */
export function allowedOn(port: number, names: readonly string[] = []): { hosts: string[]; origins: string[] } {
  const hosts = ['127.0.0.1', 'localhost', '[::1]', ...names].map((name) => (port === 80 ? name : `${name}:${port}`))
  return { hosts, origins: hosts.map((host) => `http://${host}`) }
}

/** The same, also under the address at which people reach the server through a proxy, or null. */
export function withAddress({ hosts, origins }: ReturnType<typeof allowedOn>, address: string | null) {
  if (address === null) return { hosts, origins }
  const { host, origin } = new URL(address)
  return { hosts: [...hosts, host], origins: [...origins, origin] }
}

/**
 * The proof of a client's identity. A browser adds all but `bearer` by itself, whichever page makes it ask. `isWhole`
 * false: by the cookie alone, which other ports of this host receive as well. It opens only the dashboard's files,
 * which are public, and nothing else.
 */
export type Proof = { person: Person; via: 'bearer' | 'cookie' | 'header'; isWhole: boolean }

/** `refused` before the handshake; `unknown`: no valid proof of access. */
export type Admission =
  /** `lasts`: whether it still is; asked every few seconds. `forMs`: the longest time before it is asked again. */
  | { kind: 'admitted'; who: string; standing: Standing; lasts: () => boolean; forMs?: number }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unknown' }

export interface Access {
  /**
   * Why this request is rejected outright, or null. Checks Host first (DNS rebinding), then Origin and Sec-Fetch-Site
   * (a foreign page that makes the browser ask). Must be called before anything else, for upgrades too.
   */
  refusal(request: IncomingMessage): Problem | null
  /** The proof of a request, or null. A wrong Authorization gives null, whatever cookie comes with it. */
  proof(request: IncomingMessage): Proof | null
  isToken(text: string): boolean
  /**
   * The same checks for an upgrade, and the role that the stream needs. A proof that a browser adds by itself needs an
   * Origin here, which a browser always sends.
   */
  admit(request: IncomingMessage): Admission
  /** Signs in a browser that presented the token: the Set-Cookie header, and the value for its page. */
  begin(request: IncomingMessage): { cookie: string; page: string }
}

/** The longest life of a socket of a person signed in by a proxy. The proxy may have signed them out since. */
const HEADER_SOCKET_MS = 300_000
const TOKEN_SIGN_IN_MS = 30 * 24 * 3_600_000
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

export function createAccess({ token, hosts, origins, peopleSettings: people = null, browsers }: AccessDeps): Access {
  const isToken = sameAs(token)

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

  const byHeader = people === null ? () => null : trustedHeader(people)

  function byCookie(request: IncomingMessage): Proof | null {
    const shown = browsers.shown(request)
    if (shown === null) return null
    const { isWhole, signIn: found } = shown
    const signIn = found.id
    if (found.via === 'token') return { person: { ...tokenPerson, signIn }, via: 'cookie', isWhole }
    if (!people?.oidc) return null // that way of signing in is gone
    return {
      person: { name: found.name, by: 'oidc', ...standingOf(found, people.roles, people.projects), signIn },
      via: 'cookie',
      isWhole,
    }
  }

  const known = new WeakMap<IncomingMessage, Proof | null>()

  function proof(request: IncomingMessage): Proof | null {
    const before = known.get(request)
    if (before !== undefined) return before
    const found = findProof(request)
    known.set(request, found)
    return found
  }

  function findProof(request: IncomingMessage): Proof | null {
    const { authorization } = request.headers
    const bearer = /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1]
    if (bearer !== undefined && isToken(bearer)) return { person: tokenPerson, via: 'bearer', isWhole: true }
    // A proxy may pass on an Authorization of its own.
    const named = byHeader(request)
    if (named !== null) return { person: named, via: 'header', isWhole: true }
    if (authorization !== undefined) return null
    return byCookie(request)
  }

  function admit(request: IncomingMessage): Admission {
    const problem = refusal(request)
    if (problem) return { kind: 'refused', status: problem.status, message: problem.message }
    let by: Proof | null
    try {
      by = proof(request)
    } catch {
      return { kind: 'refused', status: 503, message: 'The database cannot be read now: try again.' }
    }
    if (by === null || !by.isWhole) return { kind: 'unknown' }
    if (by.via !== 'bearer' && request.headers.origin === undefined)
      return { kind: 'refused', status: 403, message: 'The Origin header is missing.' }
    const { role, own, name, signIn } = by.person
    const needs = ruleOf('get', '/ws')?.role ?? 'admin'
    // Each topic decides how much it shows.
    if (!decide(by.person, needs, { is: 'anywhere' }).may)
      return { kind: 'refused', status: 403, message: whyNotAllowed(highestRole(by.person), needs) }
    return {
      kind: 'admitted',
      who: by.person.by === 'token' ? 'token' : `${by.person.by} ${name}`,
      standing: { role, own },
      lasts: () => signIn === undefined || browsers.isSignedIn(signIn),
      // Only a new request shows what the proxy knows by then.
      ...(by.via === 'header' && { forMs: HEADER_SOCKET_MS }),
    }
  }

  return {
    refusal,
    proof,
    admit,
    isToken,
    begin: (request) =>
      browsers.begin(request, { via: 'token', subject: '', name: TOKEN_NAME, groups: [] }, TOKEN_SIGN_IN_MS),
  }
}

/** Compares digests, which all have one length and do not reveal how much of a guess was right. */
function sameAs(secret: string): (guess: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(secret)
  return (guess) => timingSafeEqual(digest(guess), expected)
}
