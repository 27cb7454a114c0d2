import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/* Hosts of repositories over HTTP: git's own program answers there. */

export type HostedRequest = {
  path: string
  search: string
  /** `user:password`, or empty. */
  login: string
  headers: IncomingMessage['headers']
}

/** `answer`: returns whether it has answered itself, instead of git. */
export type Host = { url: (path: string) => string; host: string; close(): void }

/** A host that serves the bare repositories in `folder`, also to push to. */
export async function startHost(
  folder: string,
  answer: (request: HostedRequest, response: ServerResponse) => boolean,
): Promise<Host> {
  const server: Server = createServer((request, response) => {
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://localhost')
    const login = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    if (!answer({ path, search, login, headers: request.headers }, response)) serve(folder, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: (path) => `http://${host}/${path}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const git = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: folder,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_USER: 'ada',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  })
  request.pipe(git.stdin)
  git.stdin.on('error', () => {})
  let head = Buffer.alloc(0)
  git.stdout.on('data', (bytes: Buffer) => {
    if (response.headersSent) return void response.write(bytes)
    head = Buffer.concat([head, bytes])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const lines = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(/: */, 2) as [string, string])
    const status = lines.find(([name]) => name === 'Status')?.[1] ?? '200'
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(lines.filter(([name]) => name !== 'Status')))
    response.write(head.subarray(end + 4))
  })
  git.on('close', () => response.end())
}
