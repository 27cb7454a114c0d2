import { EngineError } from '../../ports/engine.ts'

/** The address at which an engine listens. */
export type EngineAddress =
  | { kind: 'unix'; path: string }
  | { kind: 'tcp'; host: string; port: number; tls: Tls | null }
  | SshAddress

/** `socket`: the engine's socket over there; null: the default of the `docker` command over there. */
export type SshAddress = { kind: 'ssh'; host: string; user: string | null; port: number | null; socket: string | null }

/**
 * `folder`: contains ca.pem, cert.pem and key.pem; null: the certificates that the system trusts. `needed`: the ones
 * that must be there. `verify` false: any certificate of the engine is accepted.
 */
export type Tls = { folder: string | null; needed: readonly PemFile[]; verify: boolean }
export type PemFile = 'ca.pem' | 'cert.pem' | 'key.pem'
export const pemFiles: readonly PemFile[] = ['ca.pem', 'cert.pem', 'key.pem']

export const DEFAULT_SOCKET = '/var/run/docker.sock'

/**
 * Reads an address as in `DOCKER_HOST`. `source` begins the sentence of a refusal ("DOCKER_HOST"); `tls` is only for
 * `tcp://`. Throws `EngineError('refused')`.
 */
export function parseAddress(text: string, source: string, tls: Tls | null): EngineAddress {
  const address = text.trim()
  const refused = (why: string) =>
    new EngineError('refused', `${source} cannot be ${JSON.stringify(withoutPassword(address))}: ${why}`)
  if (address.startsWith('unix://') || address.startsWith('/')) {
    const path = address.replace(/^unix:\/\//, '') || DEFAULT_SOCKET
    if (!path.startsWith('/'))
      throw refused('after unix:// comes the whole path of a socket, unix:///path/to/docker.sock')
    return { kind: 'unix', path }
  }
  if (/^npipe:/i.test(address))
    throw refused(
      'Beadloom cannot use pipes of Windows. Start it inside WSL 2, where Docker Desktop has a socket, or use tcp:// or ssh://',
    )
  const whole = address.includes('://') ? address : `tcp://${address}`
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (!url || !['tcp:', 'http:', 'https:', 'ssh:'].includes(url.protocol) || !url.hostname)
    throw refused('use unix:///path/to/docker.sock, tcp://host:port or ssh://user@host')
  if (url.protocol === 'ssh:') return parseSsh(url, refused)
  const secure = url.protocol === 'https:' ? (tls ?? systemTls) : url.protocol === 'tcp:' ? tls : null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // URL leaves out a port that is its protocol's default.
  const own = { 'https:': 443, 'http:': 80 }[url.protocol] ?? null
  const written = new RegExp(`:${own}(/|$)`).test(whole)
  const port = url.port !== '' ? Number(url.port) : own !== null && written ? own : secure ? 2376 : 2375
  return { kind: 'tcp', host, port, tls: secure }
}

const systemTls: Tls = { folder: null, needed: [], verify: true }

/** ssh takes anything that begins with a hyphen for an option, and the far shell reads the path. */
const HOST = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])$/
const USER = /^[A-Za-z0-9_][A-Za-z0-9._+@\\-]*$/
const SOCKET = /^\/[A-Za-z0-9._/-]+$/

function parseSsh(url: URL, refused: (why: string) => EngineError): SshAddress {
  if (url.password !== '')
    throw refused('a password is not taken from an address. Use a key that ssh finds by itself, or ssh-agent')
  if (url.search !== '' || url.hash !== '')
    throw refused('nothing may follow the host, its port and the path of a socket')
  if (!HOST.test(url.hostname)) throw refused(`${JSON.stringify(url.hostname)} is no name of a host`)
  const user = decoded(url.username)
  if (user !== '' && !USER.test(user)) throw refused(`${JSON.stringify(user)} is no name of a user`)
  const path = url.pathname.replace(/^\/$/, '')
  if (path !== '' && !SOCKET.test(path)) throw refused(`${JSON.stringify(path)} is no path of a socket`)
  return {
    kind: 'ssh',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    user: user || null,
    port: url.port === '' ? null : Number(url.port),
    socket: path || null,
  }
}

/** Unchanged if it cannot be decoded: the check of names then refuses it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const withoutPassword = (address: string): string => address.replace(/^(\w+:\/\/[^/@:]*):[^/@]*@/, '$1:…@')

/** For people: a path, or an address that could be typed. */
export function nameOf(address: EngineAddress): string {
  if (address.kind === 'unix') return address.path
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  if (address.kind === 'tcp') return `tcp://${host}:${address.port}`
  const { user, port, socket } = address
  return `ssh://${user === null ? '' : `${user}@`}${host}${port === null ? '' : `:${port}`}${socket ?? ''}`
}

/** Whether nobody else can read or change the data on the way. */
export const isPrivate = (address: EngineAddress): boolean =>
  address.kind !== 'tcp' || address.tls !== null || /^(localhost|127(\.\d+){3}|::1)$/.test(address.host)
