import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { fromProxies } from '../../process/settings/people-settings.ts'

/** `proxy`: the named proxy that says so; null: the address is the connection's own. */
export type FromWhere = { address: string; proxy: string | null }

const LONGEST = 100

/**
 * The address that somebody comes from. A named proxy is believed about the last address of its `X-Forwarded-For` alone,
 * since its client has sent those before it.
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

/** An IPv4 address within IPv6 is that IPv4 address; the interface of a local one is nobody's business. */
const plain = (text: string): string =>
  text
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
    .slice(0, LONGEST)
