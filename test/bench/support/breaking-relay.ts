import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A relay between a browser and a server that drops every connection when told to. */
export class BreakingRelay {
  readonly url: string
  readonly #open: Set<Socket>
  readonly #close: () => void

  private constructor(url: string, open: Set<Socket>, close: () => void) {
    this.url = url
    this.#open = open
    this.#close = close
  }

  static async before(target: URL): Promise<BreakingRelay> {
    const open = new Set<Socket>()
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname)
      for (const socket of [client, upstream]) {
        open.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          open.delete(socket)
          client.destroy()
          upstream.destroy()
        })
      }
      const mine = `127.0.0.1:${client.localPort}`
      // The server answers under its own name only, and to pages of its own.
      client.on('data', (bytes) =>
        upstream.write(Buffer.from(bytes.toString('latin1').replaceAll(mine, target.host), 'latin1')),
      )
      upstream.pipe(client)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return new BreakingRelay(`http://127.0.0.1:${port}`, open, () => server.close())
  }

  /** Drops all connections at once. */
  break(): void {
    for (const socket of this.#open) socket.destroy()
  }

  close(): void {
    this.break()
    this.#close()
  }
}
