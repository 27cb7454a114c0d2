/** A remote's address without user and password. `port` is empty for the scheme's default. */
export type RemoteAddress = {
  via: 'https' | 'http' | 'ssh'
  hostname: string
  port: string
  /** The part between host and `.git`, without outer slashes. */
  path: string
}

const CONTROLS = /\p{Cc}/u
/** `user@host:path`, the short form for ssh. A path follows the colon, never a port. */
const SCP_LIKE = /^(?:[^\s@/:]+@)?([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:]+\]):(?!\/\/)(\S+)$/
const HOSTNAME = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])$/
/** Names that forges allow for owners, groups and repositories. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,255}$/
const LONGEST_SOURCE = 4096
/** GitLab nests groups twenty deep. */
const MOST_SEGMENTS = 25

/** Null for a folder, a file URL, and any address that cannot belong to a forge. */
export function remoteAddress(source: string): RemoteAddress | null {
  if (source.length > LONGEST_SOURCE || CONTROLS.test(source)) return null
  if (/^(?:https?|ssh):\/\//i.test(source)) return fromUrl(source)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return null
  const [, host, path] = SCP_LIKE.exec(source) ?? []
  return host === undefined || path === undefined ? null : addressOf('ssh', host, '', path)
}

function fromUrl(source: string): RemoteAddress | null {
  const url = URL.parse(source)
  if (!url) return null
  const via = url.protocol.slice(0, -1)
  if (via !== 'https' && via !== 'http' && via !== 'ssh') return null
  return addressOf(via, url.hostname, via === 'ssh' && url.port === '22' ? '' : url.port, url.pathname)
}

function addressOf(via: RemoteAddress['via'], host: string, port: string, rawPath: string): RemoteAddress | null {
  const hostname = host.toLowerCase().replace(/\.$/, '')
  const path = decoded(rawPath)
    ?.replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '')
  if (!HOSTNAME.test(hostname) || path === undefined) return null
  const segments = path.split('/')
  if (segments.length > MOST_SEGMENTS || !segments.every((segment) => SEGMENT.test(segment))) return null
  return { via, hostname, port, path }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined // a lone percent sign, which no forge allows in a name
  }
}
