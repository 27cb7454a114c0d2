import { PAGE_FRAGMENT, PAGE_PROTOCOL, STREAM_PROTOCOL } from '@beadloom/core/api/sign-ins-api.ts'

/*
 * What this page was given for itself when its browser signed in. The cookie alone is worth nothing: browsers send it to
 * every port of a host, while `localStorage` is kept for this port alone.
 */

/** The same key is read by public/open.js. */
const KEY = 'beadloom.page'
/** Where there is no storage (some private windows). */
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
    // In memory it lasts as long as the page.
  }
}

/** The address with which somebody signs in has the value, once: it is taken out before anything else reads the address. */
export function takePageValue(): void {
  if (!location.hash.startsWith(PAGE_FRAGMENT)) return
  const [value = '', ...fragment] = location.hash.slice(PAGE_FRAGMENT.length).split('#')
  keepPageValue(value)
  const rest = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest}`)
}

/** A page can set no headers when it opens a socket. */
export function socketProtocols(): string[] {
  const page = pageValue()
  return page === null ? [STREAM_PROTOCOL] : [STREAM_PROTOCOL, `${PAGE_PROTOCOL}${page}`]
}
