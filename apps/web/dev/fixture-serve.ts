import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { handleApi } from './fixture-api.ts'
import { followSockets } from './fixture-socket.ts'
import { FixtureWorld } from './fixture-world.ts'

/*
 * The dashboard with made-up data. It serves the built dashboard with the content policy of the real server, so that
 * what the policy refuses shows here.
 */
export type FixtureOptions = {
  /** 0: any free one. */
  port: number
  /** Without a project. */
  empty?: boolean
  dist?: string
}
export type Fixture = { url: string; world: FixtureWorld; close(): Promise<void> }

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types default"

export async function serveFixture(options: FixtureOptions): Promise<Fixture> {
  const dist = options.dist ?? join(import.meta.dirname, '..', 'dist')
  const world = new FixtureWorld(options.empty ?? false)

  const serveFile = (request: IncomingMessage, response: ServerResponse): void => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = join(dist, path)
    const found = extname(path) !== '' && file.startsWith(dist) && existsSync(file) ? file : join(dist, 'index.html')
    response.writeHead(200, {
      'content-type': types[extname(found)] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
    })
    createReadStream(found).pipe(response)
  }
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) void handleApi(world, request, response)
    else serveFile(request, response)
  })
  const sockets = followSockets(server, world)
  await new Promise<void>((listening) => server.listen(options.port, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    world,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets.clients) socket.terminate()
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
