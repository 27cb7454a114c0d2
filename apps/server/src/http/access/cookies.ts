import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Each server has its own name: browsers send the cookies of 127.0.0.1 to all its ports, so servers would take each
 * other's.
 */
export const cookieName = (token: string): string =>
  `beadloom-${createHmac('sha256', token).update('beadloom cookie name').digest('hex').slice(0, 8)}`

function cookiesNamed(name: string, header: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

type Asks = Pick<IncomingMessage, 'headers'>

export type OwnCookie = {
  /** Several values if another port of this host has set a cookie of the same name for another path. */
  read(request: Asks): string[]
  set(request: Asks, value: string, seconds: number, site?: 'Lax' | 'Strict'): string
  clear(request: Asks): string
}

/**
 * Lax instead of Strict if the cookie must come along when a provider sends somebody back. A request that changes
 * something needs Origin and `Sec-Fetch-Site` too. If people use https, no other host of the domain can set it
 * (`__Host-`); on its own machine the same server gives it another name.
 */
export function ownCookie(token: string, purpose: 'session' | 'leaving', address: string | null): OwnCookie {
  const secureHost = address?.startsWith('https:') ? new URL(address).host : null
  const isSecure = ({ headers }: Asks) => secureHost !== null && headers.host?.toLowerCase() === secureHost
  const nameFor = (request: Asks) => `${isSecure(request) ? '__Host-' : ''}${cookieName(token)}-${purpose}`
  const rest = (request: Asks, site: string) =>
    `Path=/; HttpOnly; SameSite=${site}${isSecure(request) ? '; Secure' : ''}`
  return {
    read: (request) => cookiesNamed(nameFor(request), request.headers.cookie ?? ''),
    set: (request, value, seconds, site = 'Lax') =>
      `${nameFor(request)}=${value}; Max-Age=${seconds}; ${rest(request, site)}`,
    clear: (request) => `${nameFor(request)}=; Max-Age=0; ${rest(request, 'Lax')}`,
  }
}

/** The digest of a browser's value; the database never has the value itself. */
export const digestOf = (value: string): string => createHash('sha256').update(value).digest('base64url')
