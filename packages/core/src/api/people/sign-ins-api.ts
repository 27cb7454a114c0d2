/**
 * A browser that is signed in. `name`: the person, or `token`; `browser`: the name that it gives itself, which anybody
 * can make up. `here`: it is the browser that asks. Times in milliseconds UTC; `usedAt` is at most ten minutes old
 * while somebody uses it.
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

/**
 * The header in which the dashboard's page sends its own value beside the cookie; only this page of the browser got it.
 */
export const PAGE_HEADER = 'x-beadloom-page'
/** The fragment of the address that gives a page this value, once. */
export const PAGE_FRAGMENT = '#page='
/** The subprotocol of the stream; a second subprotocol is this name followed by the value. */
export const STREAM_PROTOCOL = 'beadloom'
export const PAGE_PROTOCOL = 'beadloom-page.'
/**
 * If a browser opens an address of the API as a page, it is sent to this page of the dashboard, which asks for a
 * ticket.
 */
export const OPEN_PAGE = '/open.html'
