import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { MovingBoard } from '../../e2e/support/moving-board.ts'

export type MovingServer = { url: string; close(): Promise<void> }

/**
 * A server in front of the real one: it passes everything on but the socket, which is the moving board's. Playwright's
 * mock of a socket would run in the page and cost its main thread more than the board does.
 */
export async function movingServer(
  real: { url: string; get<T>(path: string): Promise<T> },
  board: MovingBoard,
): Promise<MovingServer> {
  const answer = await board.answers(real)
  const { host } = new URL(real.url)
  const http = createServer((asked, response) => {
    const { origin: _, ...headers } = asked.headers
    const options = { method: asked.method, headers: { ...headers, host } }
    const onwards = request(new URL(asked.url ?? '/', real.url), options, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(response)
    })
    onwards.on('error', () => response.destroy())
    asked.pipe(onwards)
  })
  const sockets = new WebSocketServer({ server: http, path: '/ws' })
  sockets.on('connection', (socket) => {
    const say = answer((text) => socket.send(text))
    socket.on('message', (data: Buffer) => say(data.toString('utf8')))
  })
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets.clients) socket.terminate()
        http.close(() => closed())
        http.closeAllConnections()
      }),
  }
}
