import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export type Target = { host: string; port: number }

const LONGEST = 4096
const MOST_PORT = 65_535

/** The target of `CONNECT host:port`; null: it is malformed, or contains a user's name. */
export function tunnelTarget(authority: string | undefined): Target | null {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^\s:@/[\]]+):(\d{1,5})$/i.exec(authority ?? '') ?? []
  const number = Number(port)
  return host === '' || host.length > LONGEST || number < 1 || number > MOST_PORT ? null : { host, port: number }
}

/** The target of a request for `http://…`; a sentence: a proxy does not take it. */
export function requestTarget(url: string | undefined): (Target & { path: string; authority: string }) | string {
  if (!/^http:\/\//i.test(url ?? ''))
    return 'This is a proxy: ask for http://host/path, or CONNECT host:443 for anything encrypted'
  const parsed = URL.parse(url ?? '')
  if (parsed === null) return 'The address cannot be read'
  if (parsed.username !== '' || parsed.password !== '') return 'The address has a user name in it: send it as a header'
  const port = parsed.port === '' ? 80 : Number(parsed.port)
  return { host: parsed.hostname, port, authority: parsed.host, path: `${parsed.pathname}${parsed.search}` }
}

/** Headers between two neighbours, which are not passed on. */
const BETWEEN_TWO = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'] // prettier-ignore

/** The headers of a request or an answer that are passed on. */
export function passedOn({
  headers,
  headersDistinct,
}: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): Record<string, string[]> {
  const named = namedByConnection(headers)
  const kept: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const [name, values] of Object.entries(headersDistinct))
    if (values && !BETWEEN_TWO.includes(name) && !named.has(name)) kept[name] = values
  return kept
}

/**
 * The header that marks the end of a request's body that has no length. Node frames a body by itself only for methods
 * that usually have one; without a frame, the host outside would read the body of a GET as a second request. Null: the
 * body's encoding is not passed on.
 */
export function framingOf({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> | null {
  const encoding = headers['transfer-encoding']
  if (encoding === undefined) return {}
  return encoding.trim().toLowerCase() === 'chunked' ? { 'transfer-encoding': 'chunked' } : null
}

/** Never the length: it is passed on whatever "connection" says, or a body would be read as the next request. */
const namedByConnection = ({ connection = '' }: IncomingHttpHeaders): Set<string> =>
  new Set(
    connection
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== 'content-length'),
  )
