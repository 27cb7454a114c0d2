import { PAGE_FRAGMENT, PAGE_HEADER, PAGE_PROTOCOL, STREAM_PROTOCOL } from '@beadloom/core/api/people/sign-ins-api.ts'

/*
 * The value that this page received when its browser signed in. The cookie alone is worth nothing: browsers send it to
 * every port of a host, while `localStorage` belongs to this port alone.
 */

/** The same key is read by public/open.js. */
const KEY = 'beadloom.page'
/** Used if there is no storage (some private windows). */
let inMemory: string | null = null

/** Read anew each time: another tab may have signed in meanwhile. */
export function pageValue(): string | null {
  try {
    return localStorage.getItem(KEY) ?? inMemory
  } catch {
    return inMemory
  }
}

export function keepPageValue(value: string | null): void {
  inMemory = value
  try {
    if (value === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, value)
  } catch {
    // In memory the value lasts as long as the page.
  }
}

/**
 * The address that signs somebody in contains the value, once: it is taken out before anything else reads the address.
 * Anybody can make such a link, so a value that the server refuses does not replace this page's own.
 */
export async function takePageValue(): Promise<void> {
  if (!location.hash.startsWith(PAGE_FRAGMENT)) return
  const [given = '', ...fragment] = location.hash.slice(PAGE_FRAGMENT.length).split('#')
  const rest = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest}`)
  if (await isTaken(given, pageValue(), isRefused)) keepPageValue(given)
}

/** 32 random bytes, as the server writes them. */
const VALUE = /^[\w-]{43}$/

/** The page waits for the answer before it asks anything else. */
const LIMIT_MS = 10_000

/**
 * @param refused whether the server refuses a value of this browser
 * @param limit ends the wait for its answer
 */
export async function isTaken(
  given: string,
  kept: string | null,
  refused: (value: string, limit: AbortSignal) => Promise<boolean>,
  limit = AbortSignal.timeout(LIMIT_MS),
): Promise<boolean> {
  if (!VALUE.test(given) || given === kept) return false
  if (kept === null) return true
  try {
    return !(await refused(given, limit))
  } catch {
    return true // a server that is down has refused nothing, and after a new sign-in no other value works
  }
}

async function isRefused(value: string, signal: AbortSignal): Promise<boolean> {
  return (await fetch('/api/me', { headers: { [PAGE_HEADER]: value }, cache: 'no-store', signal })).status === 401
}

/** The page's value for a socket: a page can set no headers when it opens one. */
export function socketProtocols(): string[] {
  const page = pageValue()
  return page === null ? [STREAM_PROTOCOL] : [STREAM_PROTOCOL, `${PAGE_PROTOCOL}${page}`]
}
