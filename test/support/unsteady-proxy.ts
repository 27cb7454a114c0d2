import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy that loses every connection after some bytes of answers, like a barely working network. */
export class UnsteadyProxy {
  readonly url: string
  /** Connections lost so far. */
  lost = 0
  readonly #close: () => void

  private constructor(port: number, close: () => void) {
    this.url = `http://127.0.0.1:${port}`
    this.#close = close
  }

  static async before(target: URL, bytesEach: number): Promise<UnsteadyProxy> {
    const open = new Set<Socket>()
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname)
      const both = [client, upstream]
      let passed = 0
      for (const socket of both) {
        open.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          open.delete(socket)
          for (const other of both) other.destroy()
        })
      }
      // The server answers only under its own name.
      client.on('data', (bytes) =>
        upstream.write(
          Buffer.from(bytes.toString('latin1').replace(`127.0.0.1:${client.localPort}`, target.host), 'latin1'),
        ),
      )
      upstream.on('data', (bytes: Buffer) => {
        const left = bytesEach - passed
        passed += bytes.length
        client.write(bytes.subarray(0, left))
        if (passed < bytesEach) return
        proxy.lost += 1
        client.end(() => client.destroy())
        upstream.destroy()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = new UnsteadyProxy((server.address() as AddressInfo).port, () => {
      for (const socket of open) socket.destroy()
      server.close()
    })
    return proxy
  }

  close(): void {
    this.#close()
  }
}
