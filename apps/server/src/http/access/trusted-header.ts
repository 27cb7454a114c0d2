import type { IncomingMessage } from 'node:http'
import { standingOf } from '@beadloom/core/access/standing.ts'
import { fromProxies, type PeopleSettings } from '../../process/settings/people-settings.ts'
import { nameFrom, type Person } from './person.ts'

const MOST_GROUPS = 200

/**
 * Finds the person whom a proxy has signed in, by its header. Only connections from the named proxies are believed;
 * from anybody else these headers are ignored.
 */
export function trustedHeader({
  header,
  proxies,
  roles,
  projects,
}: PeopleSettings): (request: IncomingMessage) => Person | null {
  if (header === null) return () => null
  const isProxy = fromProxies(proxies)
  return (request) => {
    if (!isProxy(request.socket.remoteAddress)) return null
    const users = request.headersDistinct[header.user]
    // If there are two headers, the proxy may have let the client's own through.
    if (users?.length !== 1) return null
    const name = nameFrom(utf8(users[0] ?? ''))
    if (name === null) return null
    const given = request.headersDistinct[header.groups]
    if (given !== undefined && given.length > 1) return null
    const groups = utf8(given?.[0] ?? '')
      .split(',')
      .slice(0, MOST_GROUPS)
      .flatMap((group) => nameFrom(group) ?? [])
    return { name, by: 'header', ...standingOf({ name, groups }, roles, projects) }
  }
}

/** Node reads each byte of a header as a character; proxies send UTF-8. */
const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')
