import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { browserWords } from '@beadloom/core/access/browser-words.ts'
import { PAGE_HEADER, PAGE_PROTOCOL, STREAM_PROTOCOL } from '@beadloom/core/api/people/sign-ins-api.ts'
import type { KeptSignIn, SignIn, SignInStore } from '../../ports/store/people/sign-ins.ts'
import type { Clock } from '../../process/clock.ts'
import { cookieName, digestOf, ownCookie } from './cookies.ts'
import { ticketIn, type Tickets } from './tickets.ts'

export type BrowserSignInsDeps = {
  token: string
  /** The address at which people reach this server; null: only on its own machine. */
  address: string | null
  signIns: SignInStore
  tickets: Tickets
  clock: Pick<Clock, 'now'>
}

/** `isWhole`: its page asks. With the cookie alone, any program that listens on a port of this host may be asking. */
export type Shown = { signIn: KeptSignIn; isWhole: boolean }

/** Others on this host can set cookies of our name for longer paths. */
const MOST_COOKIES = 4
/** The most by which "used last" may be outdated: each update is a write. */
const NOTED_EVERY_MS = 600_000

/**
 * The signed-in browsers. A browser sends a cookie to every port of a host, so the cookie is not enough by itself: the
 * page of this origin gets a second value, once, and sends it along. Nobody can ask for it with the cookie.
 */
export class BrowserSignIns {
  readonly #deps: BrowserSignInsDeps
  readonly #cookie: ReturnType<typeof ownCookie>

  constructor(deps: BrowserSignInsDeps) {
    this.#deps = deps
    this.#cookie = ownCookie(deps.token, 'session', deps.address)
    try {
      deps.signIns.keepSignIns(cookieName(deps.token))
    } catch {
      // The database cannot be written now. Sign-ins of another token are only listed: their cookies have another name.
    }
  }

  /** Takes the request's ticket, so call it once for each request. */
  shown(request: IncomingMessage): Shown | null {
    const found = this.#found(request)
    const [first] = found
    if (first === undefined) return null
    const whole = this.#whole(request, found)
    if (whole !== undefined) this.#note(whole)
    return { signIn: whole ?? first, isWhole: whole !== undefined }
  }

  /** Called every few seconds. A failed read of the database ends no connection. */
  isSignedIn(id: number): boolean {
    try {
      return this.#deps.signIns.isSignedIn(id)
    } catch {
      return true
    }
  }

  /**
   * Signs this browser in. `page` is for its page alone, and is never given again. A browser that shows the token once
   * more keeps its row, so its other tabs stay connected; its other sign-ins end.
   */
  begin(request: IncomingMessage, who: Pick<SignIn, 'via' | 'subject' | 'name' | 'groups'>, lastsMs: number) {
    const { signIns, token, clock } = this.#deps
    const [value, page] = [randomValue(), randomValue()]
    const keys = { key: digestOf(value), page: digestOf(page) }
    const rest = {
      browser: browserWords(request.headers['user-agent'] ?? ''),
      expiresAt: clock.now() + lastsMs,
    }
    const before = this.#found(request)
    const same = who.via === 'token' ? before.find(({ via }) => via === 'token') : undefined
    for (const { id } of before) if (id !== same?.id) signIns.endSignIn(id)
    if (same === undefined) signIns.addSignIn(keys, cookieName(token), { ...who, ...rest })
    else signIns.renewSignIn(same.id, keys, rest)
    const site = who.via === 'token' ? 'Strict' : 'Lax'
    return { cookie: this.#cookie.set(request, value, Math.round(lastsMs / 1000), site), page }
  }

  /** Ends the sign-in; returns the Set-Cookie that removes it from the browser. */
  end(request: IncomingMessage, { id }: Pick<KeptSignIn, 'id'>): string {
    this.#deps.signIns.endSignIn(id)
    return this.#cookie.clear(request)
  }

  #found(request: IncomingMessage): KeptSignIn[] {
    const values = this.#cookie.read(request).slice(0, MOST_COOKIES)
    return values.flatMap((value) => this.#deps.signIns.signIn(digestOf(value)) ?? [])
  }

  #whole(request: IncomingMessage, found: readonly KeptSignIn[]): KeptSignIn | undefined {
    const page = pageValue(request)
    if (page !== null) {
      const digest = digestOf(page)
      return found.find((one) => one.page === digest)
    }
    const ticketed = ticketIn(request)
    const id = ticketed === null ? null : this.#deps.tickets.take(ticketed)
    return id === null ? undefined : found.find((one) => one.id === id)
  }

  #note({ id, usedAt }: KeptSignIn): void {
    const { clock, signIns } = this.#deps
    if (clock.now() - usedAt < NOTED_EVERY_MS) return
    try {
      signIns.useSignIn(id)
    } catch {
      // The database cannot be written now; the next request notes it.
    }
  }
}

const randomValue = (): string => randomBytes(32).toString('base64url')

/** Reads the value from a header, or from the second subprotocol of a socket, whose page can set no header. */
function pageValue({ headers, headersDistinct }: IncomingMessage): string | null {
  const given = headersDistinct[PAGE_HEADER]
  if (given !== undefined) return given.length === 1 ? (given[0] ?? null) : null
  const [first, second] = (headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
  return first === STREAM_PROTOCOL && second?.startsWith(PAGE_PROTOCOL) ? second.slice(PAGE_PROTOCOL.length) : null
}
