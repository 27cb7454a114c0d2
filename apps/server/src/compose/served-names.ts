import { allowedOn, withAddress } from '../http/access/access.ts'

type Names = ReturnType<typeof allowedOn>

/** A host as it is written in a URL. */
export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/**
 * The names under which the server answers on a port.
 *
 * @param host on which it listens
 * @param address of the proxy through which people reach it; null: none
 * @param own addresses of its container, which probes and Prometheus ask for. No page comes from there.
 */
export function servedNames(port: number, host: string, address: string | null, own: readonly string[]): Names {
  const { hosts, origins } = withAddress(allowedOn(port, [host]), address)
  // Some clients name the usual port, and some do not.
  const named = own.map(inUrl).flatMap((one) => [`${one}:${port}`, ...(port === 80 ? [one] : [])])
  return { hosts: [...hosts, ...named], origins }
}
