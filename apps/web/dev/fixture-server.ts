import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { handleApi } from './fixture-api.ts'
import { followSockets } from './fixture-socket.ts'
import { FixtureWorld } from './fixture-world.ts'

/*
 * The dashboard with made-up data: `node apps/web/dev/fixture-server.ts [--port 4600] [--empty] [--still] [--dist FOLDER]`.
 * It serves the built dashboard with the content policy of the real server, so that what the policy refuses shows here.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4600' },
    empty: { type: 'boolean', default: false },
    still: { type: 'boolean', default: false },
    dist: { type: 'string', default: join(import.meta.dirname, '..', 'dist') },
  },
})
const { dist } = values
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

const world = new FixtureWorld(values.empty)

function serveFile(request: IncomingMessage, response: ServerResponse): void {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const file = join(dist, path)
  const found = extname(path) !== '' && file.startsWith(dist) && existsSync(file) ? file : join(dist, 'index.html')
  response.writeHead(200, {
    'content-type': types[extname(found)] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  })
  createReadStream(found).pipe(response)
}

const server = createServer((request, response) => {
  if (request.url?.startsWith('/api/')) void handleApi(world, request, response)
  else serveFile(request, response)
})
followSockets(server, world)
server.listen(Number(values.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${values.port}/`))
if (!values.still) setInterval(() => world.step(), 3000)
