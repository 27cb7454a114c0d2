import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Browsers send the cookies of 127.0.0.1 to all of its ports: with one name for all servers, they would take each other's. */
export const cookieName = (token: string): string =>
  `beadloom-${createHmac('sha256', token).update('beadloom cookie name').digest('hex').slice(0, 8)}`

export function cookiesNamed(name: string, header: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

/** A cookie of a sign-in. */
export type SignInCookie = {
  /** Null: there is none, or there are two, of which one is somebody else's. */
  read(request: IncomingMessage): string | null
  set(value: string, seconds: number): string
  clear(): string
}

/**
 * Lax and not Strict: it has to come along when the provider sends somebody back. What changes something asks for Origin
 * and `Sec-Fetch-Site` beside it. Over https no other host of the domain can set it (`__Host-`).
 */
export function signInCookie(token: string, purpose: 'session' | 'leaving', address: string): SignInCookie {
  const isSecure = address.startsWith('https:')
  const name = `${isSecure ? '__Host-' : ''}${cookieName(token)}-${purpose}`
  const rest = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: ({ headers }) => {
      const found = cookiesNamed(name, headers.cookie ?? '')
      return found.length === 1 ? (found[0] ?? null) : null
    },
    set: (value, seconds) => `${name}=${value}; Max-Age=${seconds}; ${rest}`,
    clear: () => `${name}=; Max-Age=0; ${rest}`,
  }
}

/** What the database knows of a session's cookie. */
export const sessionKey = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url')
