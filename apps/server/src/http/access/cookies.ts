import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Browsers send the cookies of 127.0.0.1 to all of its ports: with one name for all servers, they would take each other's. */
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
  /** More than one: another port of this host has set one of the same name for another path. */
  read(request: Asks): string[]
  set(request: Asks, value: string, seconds: number, site?: 'Lax' | 'Strict'): string
  clear(request: Asks): string
}

/**
 * It is Lax, not Strict, where it has to come along when a provider sends somebody back. A request that changes something
 * has to have Origin and `Sec-Fetch-Site` beside it. Where people come by https no other host of the domain can set it
 * (`__Host-`); the same server gives it another name on its own machine.
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

/** The database has this of a browser's value, and never the value. */
export const digestOf = (value: string): string => createHash('sha256').update(value).digest('base64url')
