import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { fromProxies } from '../../process/settings/people-settings.ts'

/** `proxy`: the named proxy that reports it; null: the address is the connection's own. */
export type FromWhere = { address: string; proxy: string | null }

const LONGEST = 100

/**
 * The address of a client. Only the last address of a named proxy's `X-Forwarded-For` counts, because the client may have
 * sent the earlier ones.
 */
export function fromWhere(proxies: readonly string[]): (request: IncomingMessage) => FromWhere {
  const isProxy = fromProxies(proxies)
  return ({ socket: { remoteAddress }, headers }) => {
    const own = plain(remoteAddress ?? '')
    if (!isProxy(remoteAddress)) return { address: own, proxy: null }
    const given = headers['x-forwarded-for']
    const told = plain((Array.isArray(given) ? given.join(',') : (given ?? '')).split(',').at(-1)?.trim() ?? '')
    return isIP(told) === 0 ? { address: own, proxy: null } : { address: told, proxy: own }
  }
}

/** Turns an IPv4 address within IPv6 into that IPv4 address, and drops the interface of a local address. */
const plain = (text: string): string =>
  text
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
    .slice(0, LONGEST)
