/**
 * A browser that is signed in. `name`: the person, or `token`; `browser`: what it calls itself in words, which anybody can
 * make up. `here`: it is the one that asks. Milliseconds UTC; `usedAt` is at most ten minutes old while somebody uses it.
 */
export type SignInView = {
  id: number
  name: string
  by: 'token' | 'oidc'
  browser: string
  beganAt: number
  usedAt: number
  expiresAt: number
  here: boolean
}

export type SignInsView = { items: SignInView[] }

/** The header by which the dashboard's page shows the value that its browser got for it alone, beside the cookie. */
export const PAGE_HEADER = 'x-beadloom-page'
/** The fragment of the address that gives a page this value, once. */
export const PAGE_FRAGMENT = '#page='
/** The subprotocol of the stream, and what comes in front of the value in a second one. */
export const STREAM_PROTOCOL = 'beadloom'
export const PAGE_PROTOCOL = 'beadloom-page.'
/** Where an address of the API leads a browser that has opened it as a page: a page of the dashboard, which asks for a ticket. */
export const OPEN_PAGE = '/open.html'
