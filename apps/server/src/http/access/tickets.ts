import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../process/clock.ts'

const LASTS_MS = 30_000
const MOST = 1_000
const TICKET = /[?&]ticket=([A-Za-z0-9_-]{43})$/

export type Ticketed = { ticket: string; address: string }

/** The ticket at the end of an address, and the address without it. */
export function ticketIn({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): Ticketed | null {
  const found = method === 'GET' ? TICKET.exec(url) : null
  return found?.[1] === undefined ? null : { ticket: found[1], address: url.slice(0, found.index) }
}

/**
 * Tickets for a browser that opens a page or saves a file, because it can send no header then. A ticket opens one
 * address once, for the browser that asked. Kept only in memory: after a restart the page asks again.
 */
export class Tickets {
  readonly #clock: Pick<Clock, 'now'>
  readonly #open = new Map<string, { address: string; signIn: number; until: number }>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** The address with its ticket. */
  issue(address: string, signIn: number): string {
    const now = this.#clock.now()
    for (const [ticket, { until }] of this.#open)
      if (until <= now || this.#open.size >= MOST) this.#open.delete(ticket)
      else break // the oldest come first
    const ticket = randomBytes(32).toString('base64url')
    this.#open.set(ticket, { address, signIn, until: now + LASTS_MS })
    return `${address}${address.includes('?') ? '&' : '?'}ticket=${ticket}`
  }

  /** The browser for which the ticket opens this address; null if it does not. It counts once, wherever it is shown. */
  take({ ticket, address }: Ticketed): number | null {
    const found = this.#open.get(ticket)
    this.#open.delete(ticket)
    return found !== undefined && found.address === address && found.until > this.#clock.now() ? found.signIn : null
  }
}
