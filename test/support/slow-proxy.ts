import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The pause between two pieces, in milliseconds. */
const TICK_MS = 100

/**
 * A TCP proxy whose answers come as slowly as over a thin line. It does not read more than it may pass on, so the
 * server meets a slow client. Each connection has the whole speed.
 */
export class SlowProxy {
  readonly url: string
  /** Bytes a second; `Infinity` lets everything through at once. */
  speed = Number.POSITIVE_INFINITY
  /** Bytes of answers passed on so far. */
  passed = 0
  readonly #close: () => void

  private constructor(port: number, close: () => void) {
    this.url = `http://127.0.0.1:${port}`
    this.#close = close
  }

  static async before(target: URL): Promise<SlowProxy> {
    const open = new Set<Socket>()
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname)
      const both = [client, upstream]
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
          Buffer.from(bytes.toString('latin1').replaceAll(`127.0.0.1:${client.localPort}`, target.host), 'latin1'),
        ),
      )
      void proxy.#passOn(upstream, client)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = new SlowProxy((server.address() as AddressInfo).port, () => {
      for (const socket of open) socket.destroy()
      server.close()
    })
    return proxy
  }

  async #passOn(from: Socket, to: Socket): Promise<void> {
    try {
      // The next piece is read after the one before is gone.
      for await (const bytes of from as AsyncIterable<Buffer>)
        for (let at = 0; at < bytes.length;) {
          const piece = bytes.subarray(at, at + Math.max(1, (this.speed * TICK_MS) / 1000))
          at += piece.length
          this.passed += piece.length
          if (!to.write(piece)) await once(to, 'drain')
          if (Number.isFinite(this.speed)) await delay(TICK_MS)
        }
      to.end()
    } catch {
      to.destroy() // one side is gone
    }
  }

  close(): void {
    this.#close()
  }
}
