import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createNetServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type FakeDaemon = { dockerHost: string; close: () => Promise<void> }

/** A daemon that accepts connections and never says anything. */
export const halfOpenDaemon = (): Promise<FakeDaemon> => listen(createNetServer(() => {}))

/** A server that does not speak HTTP at all. */
export const greetingDaemon = (greeting: string): Promise<FakeDaemon> =>
  listen(createNetServer((socket) => socket.write(greeting)))

export const fakeDaemon = (answer: RequestListener): Promise<FakeDaemon> => listen(createServer(answer))

/** The real daemon, except that `rewrite` changes its answers to `inspect`. */
export function lyingDaemon(realSocket: string, rewrite: (info: Record<string, unknown>) => void): Promise<FakeDaemon> {
  return fakeDaemon((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const forward = request({ socketPath: realSocket, method, path: url, headers }, async (answer) => {
      const body = await bodyOf(answer)
      const isInspect = method === 'GET' && /^\/containers\/[^/]+\/json/.test(url) && answer.statusCode === 200
      const text = isInspect ? rewritten(body, rewrite) : body
      outgoing.writeHead(answer.statusCode ?? 500, { 'content-type': answer.headers['content-type'] ?? 'text/plain' })
      outgoing.end(text)
    })
    forward.on('error', () => outgoing.destroy())
    incoming.pipe(forward)
  })
}

function rewritten(body: Buffer, rewrite: (info: Record<string, unknown>) => void): string {
  const info = JSON.parse(body.toString()) as Record<string, unknown>
  rewrite(info)
  return JSON.stringify(info)
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

async function listen(server: Server): Promise<FakeDaemon> {
  const folder = await mkdtemp(join(tmpdir(), 'bl-fake-'))
  const socket = join(folder, 'docker.sock')
  const open = new Set<Socket>()
  server.on('connection', (connection: Socket) => {
    open.add(connection)
    connection.on('error', () => {})
    connection.on('close', () => open.delete(connection))
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return {
    dockerHost: `unix://${socket}`,
    close: async () => {
      for (const connection of open) connection.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
