import { mkdtempSync } from 'node:fs'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Unix socket between the server and the real Docker. If a test shuts it, Docker is dead in the server's eyes. */
export class DockerGate {
  readonly host: string
  #path: string
  #server: Server | null = null
  #sockets = new Set<Socket>()
  #hangs = false
  /** Requests whose first line matches get an error instead of reaching Docker. */
  refuses: RegExp | null = null
  /** The first request whose first line matches is the last one: Docker dies with it. */
  diesAt: RegExp | null = null
  readonly #engine: string

  /** `engine`: the socket of the real one. */
  constructor(engine = '/var/run/docker.sock') {
    this.#engine = engine
    this.#path = join(mkdtempSync(join(tmpdir(), 'gate-')), 'docker.sock')
    this.host = `unix://${this.#path}`
  }

  open(): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const daemon = connect({ path: this.#engine, allowHalfOpen: true })
      for (const socket of [client, daemon]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          this.#sockets.delete(socket)
          client.destroy()
          daemon.destroy()
        })
      }
      client.on('data', (bytes: Buffer) => {
        const [line = ''] = bytes.toString('latin1', 0, 500).split('\r\n')
        if (this.diesAt?.test(line)) {
          this.diesAt = null
          return void this.shut()
        }
        if (!this.refuses?.test(line)) return void daemon.write(bytes)
        const body = '{"message":"not today"}'
        client.write(
          `HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
      })
      client.on('end', () => daemon.end())
      daemon.pipe(client)
      if (this.#hangs) for (const socket of [client, daemon]) socket.pause()
    })
    this.#server = server
    return new Promise((resolve) => server.listen(this.#path, resolve))
  }

  /** Lets nothing pass and tells nobody, like a daemon or network that hangs, until `passes`. */
  hang(): void {
    this.#hangs = true
    for (const socket of this.#sockets) socket.pause()
  }

  passes(): void {
    this.#hangs = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Breaks every connection and refuses new ones. */
  async shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
