import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export type Target = { host: string; port: number }

const LONGEST = 4096
const MOST_PORT = 65_535

/** Of `CONNECT host:port`; null: it is none, or has a user's name in it. */
export function tunnelTarget(authority: string | undefined): Target | null {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^\s:@/[\]]+):(\d{1,5})$/i.exec(authority ?? '') ?? []
  const number = Number(port)
  return host === '' || host.length > LONGEST || number < 1 || number > MOST_PORT ? null : { host, port: number }
}

/** Of a request for `http://…`; a sentence: it is not one that a proxy takes. */
export function requestTarget(url: string | undefined): (Target & { path: string; authority: string }) | string {
  if (!/^http:\/\//i.test(url ?? ''))
    return 'This is a proxy: ask for http://host/path, or CONNECT host:443 for anything encrypted'
  const parsed = URL.parse(url ?? '')
  if (parsed === null) return 'The address cannot be read'
  if (parsed.username !== '' || parsed.password !== '') return 'The address has a user name in it: send it as a header'
  const port = parsed.port === '' ? 80 : Number(parsed.port)
  return { host: parsed.hostname, port, authority: parsed.host, path: `${parsed.pathname}${parsed.search}` }
}

/** What is between two neighbours, and not for whoever is behind them. */
const BETWEEN_TWO = ['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'] // prettier-ignore

/** What is passed on of a request's or an answer's headers. */
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
 * The header that tells the end of a request's body, where it has no length. Node frames a body by itself only for methods
 * that usually have one; without a frame the host outside would read the body of a GET as a second request. Null: the body
 * has an encoding that is not passed on.
 */
export function framingOf({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> | null {
  const encoding = headers['transfer-encoding']
  if (encoding === undefined) return {}
  return encoding.trim().toLowerCase() === 'chunked' ? { 'transfer-encoding': 'chunked' } : null
}

/** Never the length: it is the body's, whoever is next, and without it a body would be the next request. */
const namedByConnection = ({ connection = '' }: IncomingHttpHeaders): Set<string> =>
  new Set(
    connection
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== 'content-length'),
  )
